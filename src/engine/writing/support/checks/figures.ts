/**
 * Numbers and dates: each one of the claim must be in the source, and of the same thing. "12 billion" is not "12 million",
 * "14 May 1931" entails "May 1931", and where a source has two numbers of a kind, each must stand with its own words: "8
 * crowns for adults and 4 for children".
 */
import { excludesDate } from '../reading/dates.ts';
import { phraseOf, type Reading } from '../reading/reading.ts';
import { isOfOtherNoun, isOfOtherPeriod } from './counted.ts';
import { isDerived, isRelative } from './derived-figures.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';
import { agree, type Figure, isDate, isPair } from './figure.ts';
import { isBoundElsewhere } from './figures-elsewhere.ts';
import { isLimitReversed, isRangeReversed } from './limits.ts';

/** Compares the quantities and dates of a claim with those of its source. */
export const checkFigures: Check = (claim, source, alignment) => {
  const faults: Fault[] = [];
  const figures: readonly Figure[] = [...claim.quantities, ...claim.dates];
  const others: readonly Figure[] = [...source.quantities, ...source.dates];
  for (const said of figures) {
    const shown = phraseOf(claim.tokens, said.from, said.to);
    const equal = others.filter((found) => agree(found, said));
    if (equal.length > 0) {
      if (!equal.some((found) => hasSameTime(claim, source, said, found)))
        faults.push(contradicted('time of figure', `time of ${shown}`));
      else if (isRangeReversed(claim, source, said, figures, others))
        faults.push(contradicted('range reversed', `${shown} ends what it begins`));
      else if (isReversed(claim, source, said, figures, others) || isOfOtherNoun(claim, source, said, equal, others))
        faults.push(contradicted('order of figures', `order of ${shown}`));
      else if (isOfOtherPeriod(claim, source, said, equal))
        faults.push(contradicted('figure differs', `${shown} is given for another time`));
      else if (isBoundElsewhere(claim, source, alignment, said, equal, others))
        faults.push(contradicted('figure elsewhere', `${shown} is said of something else`));
      continue;
    }
    if ('isVague' in said && said.isVague && (!hasRival(said, others) || isMultiple(claim, source, said))) continue;
    if (!isDate(said) && isDerived(claim, said, others)) continue;
    if (isDate(said) ? isDerived(claim, said, others) : isRelative(source, said)) {
      faults.push(unsupported('figure derived', `${shown} follows from two others`));
      continue;
    }
    if (isLimitReversed(claim, source, alignment, said)) {
      faults.push(contradicted('limit reversed', `${shown} is the other limit`));
      continue;
    }
    faults.push(
      hasRival(said, others)
        ? contradicted('figure differs', `${shown} differs`)
        : unsupported('figure missing', `${shown} is not there`),
    );
  }
  return faults;
};

/** Whether the source gives another value of the same kind. */
function hasRival(said: Figure, others: readonly Figure[]): boolean {
  return others.some((found) => {
    if (isDate(said)) return isDate(found) && excludesDate(found, said);
    if (isDate(found)) return false;
    return found.kind === said.kind && (found.dimension === said.dimension || found.digits === said.digits);
  });
}

/** "Twice as many" of what was doubled. */
function isMultiple({ tokens }: Reading, source: Reading, { from }: Figure): boolean {
  return tokens[from]!.lower === 'twice' && source.tokens.some(({ stem }) => stem === 'doubl');
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
  // "Closed from 1992 to 1997" is not closed since 1992.
  if (
    isDate(said) &&
    wordBefore(claim, said) === 'since' &&
    wordBefore(source, found) === 'from' &&
    isEnded(source, found)
  )
    return false;
  if (one === undefined || other === undefined || one === other) return true;
  if (!clashes.has(`${one} ${other}`) && !clashes.has(`${other} ${one}`)) return true;
  const [deniedSaid, deniedFound] = [isEndedOrDenied(claim, said), isEndedOrDenied(source, found)];
  return deniedSaid !== deniedFound || ((one === 'then' || other === 'then') && deniedSaid);
}

function wordBefore({ tokens }: Reading, { from }: Figure): string | undefined {
  return tokens[from - 1]?.lower;
}

/** Whether another date follows as the end of what began with this one. */
function isEnded({ tokens, dates }: Reading, { to }: Figure): boolean {
  return /^(?:to|until|till|-|–)$/.test(tokens[to]?.lower ?? '') && dates.some(({ from }) => from === to + 1);
}

/** Whether the clause of a date says that something ended or did not happen. */
function isEndedOrDenied({ tokens, clauses }: Reading, { from }: Figure): boolean {
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
