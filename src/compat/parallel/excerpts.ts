/** The excerpts of results, within what a client has room for. */
import { firstCharacters } from '../page-texts.ts';

/** Characters; everything by default. */
export interface Room {
  readonly perResult?: number | null | undefined;
  readonly total?: number | null | undefined;
}

/** Cuts the excerpts of each result, in order: what no longer fits is left out. */
export function fitExcerpts<Result extends { readonly excerpts: readonly string[] }>(
  results: readonly Result[],
  { perResult, total }: Room,
): (Result & { excerpts: string[] })[] {
  let left = total ?? Number.POSITIVE_INFINITY;
  return results.map((result) => {
    let room = Math.min(perResult ?? Number.POSITIVE_INFINITY, left);
    const excerpts = result.excerpts.flatMap((text) => {
      const cut = firstCharacters(text, room);
      room -= cut.length;
      left -= cut.length;
      return cut === '' ? [] : [cut];
    });
    return { ...result, excerpts };
  });
}
