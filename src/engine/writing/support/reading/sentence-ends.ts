/** Where sentences end, for the check of claims. */
import { isOrdinal } from '../../../../base/text/ordinals.ts';

const abbreviations = new Set(
  'mr mrs ms dr prof st sr jr vs v etc eg ie e.g i.e no nos fig vol inc ltd co corp gov sen rep gen col sgt capt approx ca c al ed eds pp p jan feb mar apr jun jul aug sep sept oct nov dec bzw usw ca dept est'.split(
    ' ',
  ),
);

/** Where the sentences between two offsets end, the last one at `to`. */
export function* sentenceEnds(text: string, from: number, to: number): Generator<number> {
  const ends = /[.!?…]+(?:["'”’»)\]*_]|\[\p{L}[\p{L}\p{N} ?–-]{0,40}\]){0,4}(?=\s|$)|[。！？]+[」』”]?/gu;
  const part = text.slice(from, to);
  for (const { index, 0: found } of part.matchAll(ends)) {
    const end = index + found.length;
    if (found[0] === '.' && found.length === 1) {
      const before = /([\p{L}.]{1,12})$/u.exec(part.slice(Math.max(0, index - 13), index))?.[1] ?? '';
      const next = /^\s+["'“„«(*_[]{0,3}(.)/u.exec(part.slice(end, end + 12))?.[1];
      const isDegree = part[index - 2] === '°';
      const isShort = /^\p{Lu}$/u.test(before) || abbreviations.has(before.toLowerCase());
      if (isShort && !isDegree) continue;
      if (next !== undefined && /\p{Ll}/u.test(next)) continue;
      if (isOrdinal(part.slice(Math.max(0, index - 14), index), part.slice(end, end + 20).trimStart())) continue;
    }
    if (end < part.length) yield from + end;
  }
  yield to;
}
