/**
 * Names: each one of the claim must be in its source or be what the page is about. A surname stands for the person if the page has
 * only one of that name; first name and surname of a claim must belong together, and "his ninth move" is not hers.
 */
import { initialsIn, initialsOf } from '../../../../base/text/initials.ts';
import { phraseOf, type Reading, range } from '../reading/reading.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';

/** Looks for names that the source does not have, or has in another combination. */
export const checkNames: Check = (claim, source, { matches, reverse, substitutions }, { headings, before }) => {
  const faults: Fault[] = [];
  const free = source.isName.some((isName, at) => isName && !reverse.has(at));
  for (const [from, to] of runs(claim)) {
    const missing = range(from, to).filter((at) => claim.isName[at] && !matches.has(at));
    const shown = phraseOf(claim.tokens, from, to);
    const unknown = missing.filter((at) => !isInitials(claim, source, at));
    if (unknown.length === 0) {
      const split = splitName(claim, source, matches, from, to);
      if (split) faults.push(contradicted('name split', `${shown} is put together`));
      continue;
    }
    const replaced = substitutions.some(
      ({ said, found }) =>
        said >= from && said < to && (source.isName[found] || headings.has(source.tokens[found]!.stem)),
    );
    if (replaced) faults.push(contradicted('name replaced', `${shown} instead of another name`));
    else if (unknown.every((at) => headings.has(claim.tokens[at]!.stem))) continue;
    else if (unknown.every((at) => headings.has(claim.tokens[at]!.stem) || before.has(claim.tokens[at]!.stem))) {
      // Named earlier on the page: the subject of this sentence, unless it names another.
      if (free && !hasPronoun(source)) faults.push(unsupported('name elsewhere', `${shown} is named elsewhere`));
    } else faults.push(unsupported('name missing', `${shown} is not named`));
  }
  if (isOtherPerson(claim, source)) faults.push(unsupported('person', 'a woman instead of a man, or a man'));
  return faults;
};

const male = new Set(['he', 'him', 'his', 'himself']);
const female = new Set(['she', 'her', 'hers', 'herself']);

/** Whether one speaks of a woman and no man, and the other of a man and no woman. */
function isOtherPerson(claim: Reading, source: Reading): boolean {
  const has = ({ tokens }: Reading, words: ReadonlySet<string>) => tokens.some(({ lower }) => words.has(lower));
  const isSwapped = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    has(claim, one) && !has(claim, other) && has(source, other) && !has(source, one);
  return isSwapped(male, female) || isSwapped(female, male);
}

/** Stretches of consecutive names. */
function runs({ isName, tokens }: Reading): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < isName.length; at += 1) {
    if (!isName[at]) continue;
    let to = at + 1;
    while (isName[to] || (tokens[to]?.text === '-' && isName[to + 1])) to += 1;
    found.push([at, to]);
    at = to;
  }
  return found;
}

/** Two neighbouring names of the claim, each of which the source has next to another name only. */
function splitName(
  claim: Reading,
  source: Reading,
  matches: Parameters<Check>[2]['matches'],
  from: number,
  to: number,
): boolean {
  for (let at = from; at + 1 < to; at += 1) {
    const [first, second] = [matches.get(at), matches.get(at + 1)];
    if (first === undefined || second === undefined || !source.isName[first.at] || !source.isName[second.at]) continue;
    const isTogether = source.tokens.some(
      (token, i) =>
        token.stem === source.tokens[first.at]!.stem &&
        range(i + 1, i + 4).some((j) => source.tokens[j]?.stem === source.tokens[second.at]!.stem),
    );
    const nextOfFirst = source.isName[first.at + 1] === true;
    const beforeSecond = source.isName[second.at - 1] === true;
    if (!isTogether && (nextOfFirst || beforeSecond) && claim.isName[at + 1]) return true;
  }
  return false;
}

function isInitials(claim: Reading, source: Reading, at: number): boolean {
  const written = claim.tokens[at]!.text;
  const short = initialsOf(written);
  const text = source.tokens.map((token) => token.text).join(' ');
  if (short !== undefined) return initialsIn(text).includes(short);
  const said = initialsIn(claim.tokens.map((token) => token.text).join(' '));
  return source.tokens.some((token) => said.includes(initialsOf(token.text) ?? '-'));
}

function hasPronoun({ tokens }: Reading): boolean {
  return tokens.some(({ lower }) => /^(?:he|she|it|they|his|her|its|their|him|them)$/.test(lower));
}
