/** The beginning of a letter within a text. */
import { quotedAbove, salutations } from '../../../base/text/lines/mail-lines.ts';

/**
 * How a letter begins, which is not part of its first sentence: "On 3 Mar 2024, Laura wrote:" above lines that are quoted, "Hi Martin,";
 * but not a name that is explained, as in "Hello Kitty, a cartoon cat, was created by …".
 */
const opening = new RegExp(
  String.raw`[\s>]*(?:${quotedAbove}(?=\s*\n)|(?:${salutations}|Good (?:[Mm]orning|[Aa]fternoon|[Ee]vening)|Guten (?:Tag|Morgen|Abend)|Buongiorno)(?: \p{Lu}[\p{L}.'’-]*){1,4},(?=\s)(?![ \t]+(?:an?|eine?|une?|una|uno|een|uma?)\s)(?![ \t]+(?:the|der|die|das|les?|la|el|los|las|il|lo|gli|de|het|l['’]\p{L}+) [^,.!?\n]{1,80},))`,
  'uy',
);

/** Where such a beginning at `start` ends, if something comes after it. */
export function endOfOpening(text: string, start: number, to: number): number | undefined {
  opening.lastIndex = start;
  return opening.test(text) && opening.lastIndex < to ? opening.lastIndex : undefined;
}
