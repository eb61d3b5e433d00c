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

/** Compares a claim, in English or not, with the sentences of its source that share most with it. */
export function compareForeign(claim: Reading, source: Reading, isEnglish: boolean): ForeignCheck {
  let [anchors, wanted] = [0, 0];
  for (const said of claim.dates) {
    const value = said.day !== undefined && said.year !== undefined ? 2 : 1;
    wanted += value;
    if (source.dates.some((found) => entailsDate(found, said)) || (isYear(said) && hasNumber(source, said.year!)))
      anchors += value;
    else return { result: source.dates.length > 0 ? 'conflict' : 'open', score: 0 };
  }
  for (const said of claim.quantities) {
    if (said.isVague || said.kind === 'ordinal') continue;
    wanted += 1;
    if (source.quantities.some((found) => isEqual(found, said))) anchors += 1;
    else return { result: source.quantities.length > 0 ? 'conflict' : 'open', score: 0 };
  }
  const known = new Set(source.tokens.filter(({ kind }) => kind === 'content').map(({ lower }) => lower));
  for (const run of nameRuns(claim)) {
    const shared = run.filter((word) => known.has(word)).length;
    // German writes all nouns with a capital, so one unknown word says nothing; an unknown full name does.
    if (shared === 0 && run.length === 1) continue;
    wanted += 1;
    if (shared > 0) anchors += 1;
    else if (sameScript(claim, source)) return { result: 'open', score: 0 };
  }
  for (const at of claim.words) {
    const token = claim.tokens[at]!;
    if (!claim.isName[at] && token.kind === 'content' && token.lower.length > 3 && known.has(token.lower))
      anchors += 0.5;
  }
  const { agreed, missing, unknown, opposed, places } = compareWords(claim, source, isEnglish);
  const isDenied = isNegated(claim, undefined) !== isNegated(source, places);
  if (anchors + agreed >= 1 && (opposed || isDenied)) return { result: 'conflict', score: 0 };
  const isAlone = wanted === 0 && missing + unknown === 0 && agreed >= minAgreed.alone;
  const score = isAlone ? 1 : wanted === 0 ? 0 : Math.min(1, anchors / wanted);
  const isEnough =
    isAlone ||
    (anchors + agreed >= minAnchors &&
      anchors >= 1 &&
      agreed >= missingWorth * (missing + unknown) &&
      (hasFact(claim) || agreed >= minAgreed.anchored));
  return { result: isEnough && score >= 0.5 ? 'agree' : 'open', score };
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
