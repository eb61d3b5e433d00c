/**
 * A claim in another language than its source has few words in common with it. Numbers, dates and names are the same in
 * every language. They must all agree, and there must be enough of them to mean something. Common words are translated:
 * those that agree count as well; opposites, and negations on one side only, contradict.
 */
import { entailsDate, type FoundDate } from './reading/dates.ts';
import { isTranslated, meaningsOf } from './reading/foreign-words.ts';
import type { Quantity } from './reading/quantities.ts';
import { entails } from './reading/quantity-entailment.ts';
import type { Reading } from './reading/reading.ts';
import { relate } from './reading/word-relations.ts';

export interface ForeignCheck {
  /** `agree`: enough agrees to cite it as unclear; `conflict`: a number or date differs; `open`: too little to say anything. */
  readonly result: 'agree' | 'conflict' | 'open';
  /** The share of the claim's names, numbers and dates that agree, 0 to 1. */
  readonly score: number;
  /** Of each date and number of the claim, whether the sentences give it, whatever they say of it. */
  readonly given: readonly boolean[];
}

/** How many agreeing things make a claim worth citing; a full date counts twice. Set by hand. */
const minAnchors = 2;
/**
 * How many common words turn one name or number into a fact, and how many, with none missing, are a fact by themselves. Set
 * by hand.
 */
const minAgreed = { anchored: 1, alone: 3 };
/** The weight of a word that the source does not have, or that has no translation: the list is short. */
const missingWorth = 0.5;

/** Languages that write "2.140" for 2140 and "2,140" for 2.14. */
const pointLanguages: ReadonlySet<string> = new Set(['de', 'es', 'fr', 'it', 'nl', 'pt', 'sv', 'el']);
/** Languages whose negations are read. */
const negatedLanguages: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']);

/** Compares a claim in a language with the sentences of its source, in another one, that share most with it. */
export function compareForeign(
  claim: Reading,
  source: Reading,
  language: string,
  sourceLanguage: string | undefined,
): ForeignCheck {
  const isEnglish = language === 'en';
  const said = [...claim.dates, ...claim.quantities.filter(({ isVague, kind }) => !isVague && kind !== 'ordinal')];
  const figures = said.map((figure) =>
    'kind' in figure
      ? compareQuantity(readingsOf(figure, claim, language), source, sourceLanguage)
      : compareDate(figure, source),
  );
  const given = figures.map(({ isGiven }) => isGiven);
  const different = figures.find(({ agrees }) => !agrees);
  if (different !== undefined)
    return { result: different.isGiven || different.isAlone ? 'open' : 'conflict', score: 0, given };
  let anchors = figures.reduce((sum, { worth }) => sum + worth, 0);
  let wanted = anchors;
  const known = new Set(source.tokens.filter(({ kind }) => kind === 'content').map(({ lower }) => lower));
  for (const run of nameRuns(claim)) {
    const shared = run.filter((word) => known.has(word)).length;
    // German writes all nouns with a capital, so one unknown word says nothing; an unknown full name does.
    if (shared === 0 && run.length === 1) continue;
    wanted += 1;
    if (shared > 0) anchors += 1;
    else if (sameScript(claim, source)) return { result: 'open', score: 0, given };
  }
  for (const at of claim.words) {
    const token = claim.tokens[at]!;
    if (!claim.isName[at] && token.kind === 'content' && token.lower.length > 3 && known.has(token.lower))
      anchors += 0.5;
  }
  const { agreed, missing, unknown, opposed, places } = compareWords(claim, source, isEnglish);
  const isDenied = isNegated(claim, undefined) !== isNegated(source, places);
  if (anchors + agreed >= 1 && (opposed || isDenied)) {
    // A negation in a language whose negations are not known says nothing of the other side.
    const isRead = opposed || [language, sourceLanguage ?? ''].every((each) => negatedLanguages.has(each));
    return { result: isRead ? 'conflict' : 'open', score: 0, given };
  }
  const isAlone = wanted === 0 && missing + unknown === 0 && agreed >= minAgreed.alone;
  const score = isAlone ? 1 : wanted === 0 ? 0 : Math.min(1, anchors / wanted);
  const isEnough =
    isAlone ||
    (anchors + agreed >= minAnchors &&
      anchors >= 1 &&
      agreed >= missingWorth * (missing + unknown) &&
      (hasFact(claim) || agreed >= minAgreed.anchored));
  return { result: isEnough && score >= 0.5 ? 'agree' : 'open', score, given };
}

interface FoundFigure {
  readonly agrees: boolean;
  /** Whether the sentences have the number at all. */
  readonly isGiven: boolean;
  /** Whether they have no figure of its kind that could differ from it. */
  readonly isAlone: boolean;
  readonly worth: number;
}

function compareDate(said: FoundDate, source: Reading): FoundFigure {
  const agrees =
    source.dates.some((found) => entailsDate(found, said)) || (isYear(said) && hasNumber(source, said.year!));
  const worth = said.day !== undefined && said.year !== undefined ? 2 : 1;
  return { agrees, isGiven: agrees, isAlone: source.dates.length === 0, worth };
}

/** Compares the ways to read a number of a claim with the numbers of its source. */
function compareQuantity(said: readonly Quantity[], source: Reading, sourceLanguage: string | undefined): FoundFigure {
  const found = source.quantities.flatMap((quantity) => readingsOf(quantity, source, sourceLanguage));
  const agrees = said.some((one) => found.some((other) => isEqual(other, one)));
  // The names of months are known in few languages: "3 мая 1887" is a number and a year.
  const isInDate = said.some(
    ({ dimension, digits }) =>
      dimension === '' && source.dates.some(({ day, year }) => digits === day || digits === year),
  );
  return { agrees, isGiven: agrees || isInDate, isAlone: found.length === 0, worth: 1 };
}

/** A number, and what it is where a point separates thousands. */
function readingsOf(quantity: Quantity, { tokens }: Reading, language: string | undefined): Quantity[] {
  const written = tokens[quantity.from]?.stem ?? '';
  if (!pointLanguages.has(language ?? '') || !/^\d{1,3}[.,]\d{3}$/.test(written)) return [quantity];
  const factor = written.includes('.') ? 1000 : 1 / 1000;
  return [quantity, { ...quantity, digits: quantity.digits * factor, value: quantity.value * factor }];
}

interface Words {
  /** How many common words of a claim the source says in its language, and how many it does not. */
  readonly agreed: number;
  readonly missing: number;
  /** How many words of an English claim the list does not translate. */
  readonly unknown: number;
  /** Whether it says the opposite of one. */
  readonly opposed: boolean;
  /** The tokens of the source that say one. */
  readonly places: readonly number[];
}

function compareWords(claim: Reading, source: Reading, isEnglish: boolean): Words {
  const found = source.tokens.flatMap(({ lower, stem, kind }, at) =>
    kind === 'mark' || kind === 'number' ? [] : [...meaningsOf(lower), stem].map((meaning) => ({ meaning, at })),
  );
  const own = new Set(source.tokens.map(({ stem }) => stem));
  const places: number[] = [];
  let [agreed, missing, unknown, opposed] = [0, 0, 0, false];
  for (const [at, { lower, stem, kind }] of claim.tokens.entries()) {
    if (
      kind === 'mark' ||
      kind === 'number' ||
      (claim.isName[at] && own.has(stem)) ||
      (claim.isFigure[at] && !isTranslated(stem))
    )
      continue;
    // A word that is the same in both languages was counted with the names.
    const meanings = isEnglish
      ? isTranslated(stem)
        ? [stem]
        : []
      : meaningsOf(lower).size > 0
        ? [...meaningsOf(lower), stem]
        : [];
    if (isEnglish && meanings.length === 0 && kind === 'content' && !own.has(stem)) unknown += 1;
    if (meanings.length === 0) continue;
    const relations = found.map((each) => ({
      ...each,
      relation: meanings.map((meaning) => relate(meaning, each.meaning)).find((relation) => relation !== undefined),
    }));
    const same = relations.filter(({ relation }) => relation === 'same' || relation === 'wider');
    if (same.length > 0) {
      agreed += 1;
      places.push(...same.map((each) => each.at));
    } else if (isPolar(stem)) continue;
    else if (relations.some(({ relation }) => relation === 'opposite')) opposed = true;
    else if (relations.every(({ relation }) => relation === undefined)) missing += 1;
  }
  return { agreed, missing, unknown, opposed, places };
}

/** "Forbidden" is "not allowed": such words are compared as negations. */
function isPolar(stem: string): boolean {
  return relate('forbid', stem) === 'same' || relate('allow', stem) === 'same';
}

/**
 * Whether an odd number of words denies or forbids something, in the parts between commas that have one of these tokens; in all parts if there
 * are none.
 */
function isNegated({ negations, tokens }: Reading, places: readonly number[] | undefined): boolean {
  const partOf = (at: number) => tokens.slice(0, at).filter(({ text }) => /^[,;:.()]$/.test(text)).length;
  const parts = new Set(places?.map(partOf));
  const isNear = (at: number) => parts.size === 0 || parts.has(partOf(at));
  const isDenied = negations.some(({ at, by }) => by === 'particle' && isNear(at));
  const isForbidden = tokens.some(
    ({ lower, stem }, at) =>
      isNear(at) && [...meaningsOf(lower), stem].some((word) => relate('forbid', word) === 'same'),
  );
  return isDenied !== isForbidden;
}

function isYear({ year, month, span }: FoundDate): boolean {
  return year !== undefined && month === undefined && span === undefined;
}

function hasNumber({ quantities }: Reading, value: number): boolean {
  return quantities.some((quantity) => quantity.digits === value);
}

/** Units have other names in other languages: a number without one agrees with any. */
function isEqual(found: Quantity, said: Quantity): boolean {
  return entails(found, said) || ((found.dimension === '' || said.dimension === '') && found.digits === said.digits);
}

/** Two names alone are not a fact: some number or date, or two full names, must agree. */
function hasFact(claim: Reading): boolean {
  return (
    claim.dates.length + claim.quantities.filter(({ isVague }) => !isVague).length > 0 ||
    nameRuns(claim).filter((run) => run.length > 1).length > 1
  );
}

function nameRuns({ tokens, isName }: Reading): string[][] {
  const runs: string[][] = [];
  for (const [at, token] of tokens.entries()) {
    if (!isName[at]) continue;
    const last = runs.at(-1);
    if (last !== undefined && (isName[at - 1] || (tokens[at - 1]?.text === '-' && isName[at - 2])))
      last.push(token.lower);
    else runs.push([token.lower]);
  }
  return runs;
}

function sameScript(claim: Reading, source: Reading): boolean {
  const isLatin = ({ tokens }: Reading) =>
    tokens.filter(({ text }) => /\p{Script=Latin}/u.test(text)).length > tokens.length / 3;
  return isLatin(claim) === isLatin(source);
}
