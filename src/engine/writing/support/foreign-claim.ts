/**
 * A claim in another language than its source has few words in common with it. What must be the same in every language is: numbers,
 * dates and names. They must all agree, and there must be enough of them to mean something. Common words are translated: those that
 * agree count as well, opposites and negations of one side alone contradict.
 */
import { entailsDate, type FoundDate } from './reading/dates.ts';
import { meaningsOf } from './reading/foreign-words.ts';
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
/** How many common words make a fact of one name or number. Set by hand. */
const minAgreed = 1;

/** Compares a claim with the sentences of its source that share most with it. */
export function compareForeign(claim: Reading, source: Reading): ForeignCheck {
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
  const { agreed, missing, opposed } = compareWords(claim, source);
  if (anchors > 0 && (opposed || isNegated(claim) !== isNegated(source))) return { result: 'conflict', score: 0 };
  const score = wanted === 0 ? 0 : Math.min(1, anchors / wanted);
  const isEnough =
    anchors + agreed >= minAnchors && anchors >= 1 && agreed >= missing && (hasFact(claim) || agreed >= minAgreed);
  return { result: isEnough && score >= 0.5 ? 'agree' : 'open', score };
}

/** How many common words of a claim the source says in its language and how many not, and whether it says the opposite of one. */
function compareWords(claim: Reading, source: Reading): { agreed: number; missing: number; opposed: boolean } {
  const found = new Set(source.tokens.flatMap((token) => englishOf(token.lower, token.stem)));
  const own = new Set(source.tokens.map(({ stem }) => stem));
  let agreed = 0;
  let missing = 0;
  let opposed = false;
  for (const [at, { lower, stem, kind }] of claim.tokens.entries()) {
    if (kind === 'mark' || kind === 'number' || (claim.isName[at] && own.has(stem))) continue;
    const meanings = [...englishOf(lower, stem)];
    // A word that is the same in both languages was counted with the names.
    if (meanings.length <= 1 && meaningsOf(lower).size === 0) continue;
    if (meanings.some((meaning) => found.has(meaning))) agreed += 1;
    else if (meanings.some((meaning) => [...found].some((word) => relate(meaning, word) === 'opposite')))
      opposed = true;
    else if (!meanings.some((meaning) => [...found].some((word) => relate(meaning, word) !== undefined))) missing += 1;
  }
  return { agreed, missing, opposed };
}

function englishOf(lower: string, stem: string): string[] {
  return [...meaningsOf(lower), stem];
}

/** Whether words deny something: two in a row do so once in Romance languages. */
function isNegated({ negations }: Reading): boolean {
  return negations.some(({ by }) => by === 'particle');
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

/** Two names alone are no fact: some number or date, or two full names, must agree. */
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
