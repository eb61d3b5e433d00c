/**
 * More or less, up or down, whatever the words: "90 million lower" is not said by "90 million more", nor "fell from 23 to 9" by
 * "23, up from 9". Where two things are compared and are the other way round, the opposite is what is meant.
 */

import type { Alignment } from '../alignment.ts';
import type { Reading } from '../reading/reading.ts';
import { compareComparisons } from './comparatives.ts';
import { type Check, contradicted } from './fault.ts';

const upward = new Set(
  'more higher larger greater bigger taller longer older deeper heavier stronger faster wider dearer rose risen rise rises rising grew grown grow grows growing increase increased increases increasing climbed doubled tripled quadrupled gained expanded'.split(
    ' ',
  ),
);
const downward = new Set(
  'less fewer lower smaller shorter younger shallower lighter weaker slower narrower cheaper fell fallen fall falls falling declined decline declines declining shrank shrunk shrink shrinks shrinking decrease decreased decreases decreasing dropped drops halved reduced'.split(
    ' ',
  ),
);
const comparing = /^(?:than|compared|unlike)$/;

/** Looks for a claim whose directions are all opposite to those in its source. */
export const checkTrend: Check = (claim, source, alignment) => {
  const near = new Set([...alignment.matches.values()].map(({ at }) => source.clauses[at]));
  const said = signOf(claim, () => true);
  const found = signOf(source, (at) => near.has(source.clauses[at]!));
  if (said === undefined || found === undefined || said.sign === found.sign) return [];
  if (claim.negations.length + source.negations.length > 0 || isExchanged(claim, source, alignment)) return [];
  if (compareComparisons(claim, source, alignment)?.isReversed === false) return [];
  const words = `${claim.tokens[said.at]!.text} / ${source.tokens[found.at]!.text}`;
  return [contradicted('trend', `the other direction: ${words}`)];
};

/** The one direction of a sentence; undefined if it has none, or both. */
function signOf({ tokens, isFigure, isName }: Reading, isOwn: (at: number) => boolean) {
  let result: { sign: 1 | -1; at: number } | undefined;
  for (const [at, { lower }] of tokens.entries()) {
    if (!isOwn(at) || isName[at] || isFigure[at]) continue;
    const sign = signAt(tokens, at, lower, isFigure);
    if (sign === undefined) continue;
    if (result !== undefined && result.sign !== sign) return undefined;
    result = { sign, at };
  }
  return result;
}

function signAt(
  tokens: Reading['tokens'],
  at: number,
  lower: string,
  isFigure: Reading['isFigure'],
): 1 | -1 | undefined {
  const next = tokens[at + 1]?.lower;
  if (lower === 'up' || lower === 'down') return next === 'from' ? (lower === 'up' ? 1 : -1) : undefined;
  // "More than 300" is a bound, "no longer" a negation.
  if (next === 'than' && isFigure[at + 2]) return undefined;
  if (lower === 'longer' && tokens[at - 1]?.lower === 'no') return undefined;
  // "Less high" has two words of one direction.
  const before = tokens[at - 1]?.lower;
  if (before === 'less' && upward.has(lower)) return -1;
  return upward.has(lower) ? 1 : downward.has(lower) ? -1 : undefined;
}

/** Whether what the claim says before "than" the source says after it. */
function isExchanged(claim: Reading, source: Reading, { matches }: Alignment): boolean {
  const than = claim.tokens.findIndex(({ lower }) => comparing.test(lower));
  const other = source.tokens.findIndex(({ lower }) => comparing.test(lower));
  if (than === -1 || other === -1) return false;
  return [...matches].some(
    ([at, { at: to }]) => claim.tokens[at]!.kind === 'content' && at < than !== to < other && !isRepeated(source, to),
  );
}

/** A word that is on both sides says nothing of them. */
function isRepeated({ tokens }: Reading, at: number): boolean {
  return tokens.some(({ stem }, other) => other !== at && stem === tokens[at]!.stem);
}
