/**
 * The log of an ended run, kept for late readers as one compressed buffer instead of some hundred objects: a search that took
 * 26 KB takes a few, the loop has less to collect, and the size is known. What the terminal event repeats is serialised once, as
 * it is the same objects; as JSON, packing took half as long again. While it is read, its entries are made again.
 */
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Entry, frameText, indexOf, type RunLog } from './log.ts';

/** Brotli at this quality takes about half the time of deflate at its fastest level, for as many bytes; higher ones save little more. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

export interface EndedLog extends RunLog {
  /** Of memory. */
  readonly bytes: number;
}

/** The same entries as those of `log`, which must have ended. Nothing can be appended, and subscribers are never called. */
export function packLog(log: RunLog): EndedLog {
  const { search_id } = log;
  const head = log.head();
  // A copy, because the compressed bytes are the beginning of a larger buffer.
  const packed = Buffer.from(brotliCompressSync(serialize(entriesOf(log)), { params }));
  let parsed: WeakRef<readonly Entry[]> | undefined;

  function entries(): readonly Entry[] {
    const known = parsed?.deref();
    if (known !== undefined) return known;
    const all = deserialize(brotliDecompressSync(packed)) as Entry[];
    parsed = new WeakRef(all);
    return all;
  }

  const refuse = () => {
    throw new Error(`search ${search_id} has ended`);
  };
  return {
    search_id,
    bytes: packed.length,
    head: () => head,
    terminal() {
      // A log that has ended ends with it.
      return entries().at(-1)?.event as ReturnType<RunLog['terminal']>;
    },
    append: refuse,
    adopt: refuse,
    entry(seq) {
      if (seq < 1 || seq > head) return undefined;
      const all = entries();
      return all[indexOf(all, seq)];
    },
    text: (entry) => frameText(search_id, entry),
    subscribe: () => () => {},
    watch: () => () => {},
  };
}

function entriesOf(log: RunLog): Entry[] {
  const entries: Entry[] = [];
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) entries.push(entry);
  return entries;
}
