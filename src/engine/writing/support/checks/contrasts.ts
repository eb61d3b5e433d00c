/**
 * What takes the place of what: "None instead of NaN" is not "NaN instead of None", nor is it "None, no longer NaN" the other way
 * round.
 */
import type { Reading } from '../reading/reading.ts';
import { type Check, contradicted } from './fault.ts';

/** Tokens after "instead of" within which the excluded word is; set by hand. */
const maxTokens = 5;

/** Looks for a claim that keeps what the source leaves out, and leaves out what it keeps. */
export const checkContrasts: Check = (claim, source, { matches }) => {
  const [said, found] = [leftOutIn(claim), leftOutIn(source)];
  if (said.size === 0 || found.size === 0) return [];
  const isKept = (stem: string) => source.words.some((at) => !found.has(at) && source.tokens[at]!.stem === stem);
  const isLeftOut = (stem: string) => [...found].some((at) => source.tokens[at]!.stem === stem);
  const kept = [...matches.keys()].filter((at) => !said.has(at)).map((at) => claim.tokens[at]!.stem);
  const left = [...said].map((at) => claim.tokens[at]!.stem);
  const isSwapped =
    kept.some((stem) => isLeftOut(stem) && !isKept(stem)) && left.some((stem) => isKept(stem) && !isLeftOut(stem));
  return isSwapped ? [contradicted('roles', 'the one is left out for the other')] : [];
};

/** The words that "instead of", "rather than", "no longer" and "not" leave out, as indices. */
function leftOutIn({ tokens, words }: Reading): ReadonlySet<number> {
  const own = new Set(words);
  const found = new Set<number>();
  for (const [at, { lower }] of tokens.entries()) {
    const [before, next] = [tokens[at - 1], tokens[at + 1]?.lower];
    const isLeading =
      (lower === 'instead' && next === 'of') ||
      (lower === 'rather' && next === 'than') ||
      ((lower === 'not' || (lower === 'no' && next === 'longer')) && before?.text === ',');
    if (!isLeading) continue;
    for (let index = at + (lower === 'not' ? 1 : 2); index < Math.min(tokens.length, at + 2 + maxTokens); index += 1) {
      if (tokens[index]!.kind === 'mark' || /^(?:and|but|which|because)$/.test(tokens[index]!.lower)) break;
      if (own.has(index)) found.add(index);
    }
  }
  return found;
}
