/**
 * Numbers and dates: each one of the claim must be in the source, of the same thing. "12 billion" is not "12 million", "14 May 1931"
 * entails "May 1931", and where a source has two numbers of a kind, each must stand with its own words: "8 crowns for adults and
 * 4 for children".
 */
import type { Alignment } from '../alignment.ts';
import { entailsDate, excludesDate, type FoundDate } from '../reading/dates.ts';
import type { Quantity } from '../reading/quantities.ts';
import { entails } from '../reading/quantity-entailment.ts';
import { type Reading, wordsOf } from '../reading/reading.ts';
import { isDerived } from './derived-figures.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';

type Figure = (FoundDate & { readonly bound?: undefined }) | Quantity;

/** Compares the quantities and dates of a claim with those of its source. */
export const checkFigures: Check = (claim, source, alignment) => {
  const faults: Fault[] = [];
  const figures: readonly Figure[] = [...claim.quantities, ...claim.dates];
  const others: readonly Figure[] = [...source.quantities, ...source.dates];
  for (const said of figures) {
    const shown = wordsOf(claim.tokens, said.from, said.to);
    const equal = others.filter((found) => agree(found, said));
    if (equal.length > 0) {
      if (!equal.some((found) => hasSameTime(claim, source, said, found)))
        faults.push(contradicted('time of figure', `time of ${shown}`));
      else if (isReversed(claim, source, said, figures, others))
        faults.push(contradicted('order of figures', `order of ${shown}`));
      else if (isBoundElsewhere(claim, source, alignment, said, equal, others))
        faults.push(contradicted('figure elsewhere', `${shown} is said of something else`));
      continue;
    }
    if ('isVague' in said && said.isVague && !hasRival(said, others)) continue;
    if (isDerived(claim, said, others)) continue;
    faults.push(
      hasRival(said, others)
        ? contradicted('figure differs', `${shown} differs`)
        : unsupported('figure missing', `${shown} is not there`),
    );
  }
  return faults;
};

function agree(found: Figure, said: Figure): boolean {
  if (isDate(said) !== isDate(found))
    return isDate(said) ? isYear(said, found as Quantity) : isYear(found as FoundDate, said as Quantity);
  return isDate(said) ? entailsDate(found as FoundDate, said) : entails(found as Quantity, said as Quantity);
}

function isDate(figure: Figure): figure is FoundDate {
  return !('value' in figure);
}

/** A bare "1924" in a table may be read as a number. */
function isYear(date: FoundDate, quantity: Quantity): boolean {
  return (
    date.month === undefined && date.span === undefined && quantity.dimension === '' && quantity.value === date.year
  );
}

/** Whether the source gives another value of the same kind. */
function hasRival(said: Figure, others: readonly Figure[]): boolean {
  return others.some((found) => {
    if (isDate(said)) return isDate(found) && excludesDate(found, said);
    if (isDate(found)) return false;
    return found.kind === said.kind && (found.dimension === said.dimension || found.digits === said.digits);
  });
}

/** What a preposition says of a date, or of a version: that something held before it, from it on, or then. */
const times: Readonly<Record<string, 'before' | 'until' | 'since' | 'after' | 'then'>> = {
  before: 'before',
  until: 'until',
  till: 'until',
  by: 'until',
  since: 'since',
  from: 'since',
  after: 'after',
  following: 'after',
  in: 'then',
  on: 'then',
  at: 'then',
  during: 'then',
};
/** Pairs that cannot both be true, unless a word such as "ended" or a negation turns one of them. */
const clashes = new Set([
  'before since',
  'before after',
  'until since',
  'until after',
  'then before',
  'then after',
  'then until',
]);
const turns =
  /\b(?:end|ended|ends|close|closed|closes|stop|stopped|cease|ceased|abolish|abolished|remove|removed|not|no|never|nothing|nobody|finish|finished|last|lasted|lasts|die|died|out of|withdrawn|disappeared|discontinued|left|cancelled|canceled|earlier|later|already)\b|n['’]t\b/;

function hasSameTime(claim: Reading, source: Reading, said: Figure, found: Figure): boolean {
  // Of numbers, only versions are times.
  if (!isDate(said) && !/^\d+\.\d/.test(claim.tokens[said.from]!.text)) return true;
  const [one, other] = [timeOf(claim, said.from), timeOf(source, found.from)];
  if (one === undefined || other === undefined || one === other) return true;
  if (!clashes.has(`${one} ${other}`) && !clashes.has(`${other} ${one}`)) return true;
  const [turnedSaid, turnedFound] = [isTurned(claim, said), isTurned(source, found)];
  return turnedSaid !== turnedFound || ((one === 'then' || other === 'then') && turnedSaid);
}

/** Whether the clause of a date says that something ended or did not happen. */
function isTurned({ tokens, clauses }: Reading, { from }: Figure): boolean {
  return turns.test(
    tokens
      .filter((_, at) => at < from && clauses[at] === clauses[from])
      .map(({ lower }) => lower)
      .join(' '),
  );
}

function timeOf({ tokens }: Reading, at: number): (typeof times)[string] | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 3); index -= 1) {
    const { lower, kind } = tokens[index]!;
    if (times[lower] !== undefined) return times[lower];
    if (kind === 'mark' || ['to', 'and', 'between', 'of'].includes(lower)) return undefined;
  }
  return undefined;
}

/** "17 of the 96", said as "96 of the 17". */
function isReversed(
  claim: Reading,
  source: Reading,
  said: Figure,
  figures: readonly Figure[],
  others: readonly Figure[],
): boolean {
  return figures.some((next) => {
    if (!isPair(claim, said, next)) return false;
    const [here, there] = [others.filter((found) => agree(found, said)), others.filter((found) => agree(found, next))];
    const isStraight = here.some((one) => there.some((other) => one.to <= other.from));
    return !isStraight && here.some((one) => there.some((other) => isPair(source, other, one)));
  });
}

/** Whether two figures follow one another with nothing but function words between them. */
function isPair({ tokens }: Reading, one: Figure, other: Figure): boolean {
  if (other.from < one.to || other.from - one.to > 4) return false;
  return tokens
    .slice(one.to, other.from)
    .every(({ kind, lower }) => kind === 'function' || kind === 'light' || lower === '–' || lower === '-');
}

/**
 * Whether the words around a figure of the claim stand, in the source, with another figure of its kind. Words that the source has
 * only with the same figure speak for it, words that it has only with another one against it.
 */
function isBoundElsewhere(
  claim: Reading,
  source: Reading,
  { matches }: Alignment,
  said: Figure,
  equal: readonly Figure[],
  others: readonly Figure[],
): boolean {
  const rivals = others.filter(
    (found) =>
      !equal.includes(found) &&
      !equal.some((same) => isPair(source, same, found) || isPair(source, found, same)) &&
      isDate(found) === isDate(said) &&
      (isDate(found) || found.kind === (said as Quantity).kind),
  );
  if (rivals.length === 0) return isOfAnother(claim, source, matches, said, equal);
  const siblings = [...claim.quantities, ...claim.dates].filter(
    (figure) => figure !== said && isDate(figure) === isDate(said),
  );
  const choices = [...equal, ...rivals];
  const first = Math.min(...choices.map(({ from }) => from));
  let [pro, contra, strange] = [0, 0, 0];
  for (const [at, { at: to }] of matches) {
    // A word of the claim belongs to the figure that it is nearest to.
    if (siblings.some((other) => distance(claim, at, other) <= distance(claim, at, said))) continue;
    const { stem } = source.tokens[to]!;
    const places = source.words.filter((index) => source.tokens[index]!.stem === stem);
    const ranked = choices
      .map((figure) => ({ figure, away: Math.min(...places.map((place) => distance(source, place, figure))) }))
      .sort((a, b) => a.away - b.away);
    const [nearest, second] = ranked;
    if (
      nearest === undefined ||
      (second !== undefined &&
        second.away <= nearest.away &&
        equal.includes(second.figure) !== equal.includes(nearest.figure))
    )
      continue;
    // What precedes all figures may be said of each of them.
    const isApart = !equal.some((figure) => isSameSentence(source, to, figure.from));
    const vote =
      (claim.tokens[at]!.kind === 'light' ? 0.5 : 1) *
      (to < first || isApart ? 0.5 : 1) *
      (isApart && to < equal[0]!.from ? 0.5 : 1);
    if (equal.includes(nearest.figure)) pro += vote;
    else if (isSameKind(nearest.figure, said)) contra += vote;
    else if (nearest.away <= 4) strange += vote;
  }
  contra += 3 * strangers(claim, source, matches, said, equal, rivals);
  for (const preposition of leads(claim, said)) {
    const same = others.filter((figure) => leads(source, figure).includes(preposition));
    if (same.length > 0) same.some((figure) => equal.includes(figure)) ? (pro += 1) : (contra += 2);
  }
  return contra > pro || (pro === 0 && strange >= 1);
}

/** Whether the figure is of somebody else: its clause in the source names another, and the one that the claim names is elsewhere. */
function isOfAnother(
  claim: Reading,
  source: Reading,
  matches: Alignment['matches'],
  said: Figure,
  equal: readonly Figure[],
): boolean {
  const names = [...matches].filter(
    ([at, { at: to }]) =>
      claim.isName[at] && source.isName[to] && claim.clauses[at] === claim.clauses[said.from] && at < said.from,
  );
  const isThere = (clause: number | undefined) => names.some(([, { at }]) => source.clauses[at] === clause);
  // A name without a preposition before it, such as a subject.
  const isFree = (at: number) =>
    source.isName[at] === true &&
    ![...matches.values()].some((match) => match.at === at) &&
    !/\b(?:in|at|on|of|to|by|from|for|with|near|under|son|daughter)\b/.test(wordsOf(source.tokens, at - 4, at));
  const hasOther = (from: number) =>
    source.tokens.some((_, at) => at < from && source.clauses[at] === source.clauses[from] && isFree(at));
  return names.length > 0 && equal.every(({ from }) => !isThere(source.clauses[from]) && hasOther(from));
}

/** How many names that stand with a figure of the claim are, in the source, in the clause of another one instead. */
function strangers(
  claim: Reading,
  source: Reading,
  matches: Alignment['matches'],
  said: Figure,
  equal: readonly Figure[],
  rivals: readonly Figure[],
): number {
  let count = 0;
  for (const [at, { at: to }] of matches) {
    if (!claim.isName[at] || !source.isName[to] || at > said.from || claim.clauses[at] !== claim.clauses[said.from])
      continue;
    if ([...claim.quantities, ...claim.dates].some((figure) => figure.from > at && figure.to <= said.from)) continue;
    const clause = source.clauses[to];
    const isWith = (figures: readonly Figure[]) => figures.some(({ from }) => source.clauses[from] === clause);
    const { stem } = source.tokens[to]!;
    const isToo = source.tokens.some(
      (token, index) => token.stem === stem && equal.some(({ from }) => source.clauses[from] === source.clauses[index]),
    );
    if (isWith(rivals.filter((rival) => isSameKind(rival, said))) && !isWith(equal) && !isToo) count += 1;
  }
  return count;
}

function isSameSentence({ tokens }: Reading, one: number, other: number): boolean {
  return !tokens.slice(Math.min(one, other), Math.max(one, other)).some(({ text }) => text === '.');
}

/** "from", "to" and "than" right before a figure decide which one it is. */
function leads({ tokens }: Reading, figure: Figure): string[] {
  const before = tokens[figure.from - 1]?.lower ?? '';
  const word = /[$€£¥]/.test(before) ? (tokens[figure.from - 2]?.lower ?? '') : before;
  return ['from', 'to'].includes(word) ? [word] : [];
}

function isSameKind(found: Figure, said: Figure): boolean {
  if (isDate(said) || isDate(found)) return isDate(said) && isDate(found);
  return (
    found.kind === said.kind && (found.dimension === said.dimension || found.dimension === '' || said.dimension === '')
  );
}

/** Tokens between a word and a figure; another clause is far away. */
function distance({ clauses, tokens }: Reading, at: number, figure: Figure): number {
  const away = at < figure.from ? figure.from - at : at - figure.to + 1;
  const [low, high] = at < figure.from ? [at, figure.from] : [figure.to, at];
  let commas = 0;
  for (let index = low; index < high; index += 1)
    if (/^(?:,|and|but|or|while)$/.test(tokens[index]!.lower)) commas += 1;
  return away + 30 * Math.abs(clauses[at]! - clauses[figure.from]!) + 6 * commas;
}
