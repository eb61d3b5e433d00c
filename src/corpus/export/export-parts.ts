/** Reads lists of a corpus that are returned in parts. */
import type { ExportedPart } from './export-pages.ts';

/** The items of all parts that have any. Rejects as `read` does, and with the reason of `signal`. */
export async function* partsOf<Item>(
  read: (from: string | undefined) => Promise<ExportedPart<Item>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    signal.throwIfAborted();
    const part: ExportedPart<Item> = await read(next);
    if (part.items.length > 0) yield part.items;
    next = part.next;
  }
}
