/**
 * Decides whether the best unit of a small corpus answers: by how much of the question it covers, which terms are missing, and
 * whether it has what is asked for. Trained by tools/training/small/train-small.ts.
 */
import { runMlp } from '../../../../base/learned/mlp.ts';
import { coverage, heaviestMissing, mergeInto, shareFound } from '../../match/coverage.ts';
import { answerStrength } from '../../match/everyday.ts';
import { synonyms } from '../../match/synonyms.ts';
import type { Strengths } from '../../match/term-matcher.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { isNumber, preciseTypes } from '../../question/asked/asked-value.ts';
import { stemOf } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import { focusTermsOf } from './features.ts';
import type { FewPages } from './few-pages.ts';
import { isAboutUnmentioned } from './unmentioned.ts';
import { fewPagesWeights } from './weights.ts';

/** Words after a number among which is what it counts: "three large eggs". Set by hand. */
const countedWithin = 3;

/** Log odds that the evidence answers. `ranked` is not empty and begins with the best unit; `general` are the general odds. */
export function oddsOfFewPages(
  question: AnalysedQuestion,
  ranked: readonly (Candidate & { readonly probability: number })[],
  pages: FewPages,
  general: number,
): number {
  if (isBestDisqualified(ranked, pages)) return Number.NEGATIVE_INFINITY;
  if (asksForOnlyNumber.test(question.asked) && isOnlyValue(ranked, pages)) return Number.POSITIVE_INFINITY;
  if (isContactOfAsked(question, ranked[0]!, pages)) return Number.POSITIVE_INFINITY;
  const everywhere = foundAnywhere(question, ranked, pages);
  if (isAboutUnmentioned(question, everywhere, ranked[0]!.unit)) return Number.NEGATIVE_INFINITY;
  if (isOnlyAboutTitle(question, ranked, pages, everywhere)) return Number.NEGATIVE_INFINITY;
  return runMlp(fewPagesWeights.answerability, fewPagesFeatures(question, ranked, pages, general, everywhere));
}

/** "What is her phone number?" shares no word with the number, but is answered by the only one that there is. */
const asksForOnlyNumber =
  /^\W*what(?:'s|’s| is) (?:the|your|her|his|their) (?:(?:phone|telephone|mobile|cell) number|e-?mail(?: address)?)\W*$/i;

function isOnlyValue(ranked: readonly Candidate[], { details }: FewPages): boolean {
  const [best, ...others] = ranked.map((each) => details.get(each)!.values > 0);
  return best === true && !others.includes(true);
}

const contactStems: ReadonlySet<string> = new Set(
  'phone telephone mobile cell number email mail address contact'.split(' ').map(stemOf),
);

/** "Customer service: 0800 555 0176" for "What is the phone number of the service?": a number is seldom called one. */
function isContactOfAsked({ terms }: AnalysedQuestion, best: Candidate, { type, details }: FewPages): boolean {
  const { wide, label, values } = details.get(best)!;
  if (type !== 'contact' || values === 0) return false;
  const owners = terms.flatMap(({ stem }, term) => (contactStems.has(stem) ? [] : [term]));
  return owners.length > 0 && owners.every((term) => wide[term]! > answerStrength || label[term]! > answerStrength);
}

/** Whether the best unit lacks what any answer must have, a price for "how much": then no odds are needed. */
export function isBestDisqualified(ranked: readonly Candidate[], { details }: FewPages): boolean {
  return details.get(ranked[0]!)!.isDisqualified;
}

/** The input of the odds. `everywhere` is how strongly each term is found in any unit. */
export function fewPagesFeatures(
  question: AnalysedQuestion,
  ranked: readonly (Candidate & { readonly probability: number })[],
  pages: FewPages,
  general: number,
  everywhere: Strengths = foundAnywhere(question, ranked, pages),
): number[] {
  const { type, weights: termWeights, details } = pages;
  const best = ranked[0]!;
  const { wide, above, beside, values } = details.get(best)!;
  const cover = coverage(termWeights);
  const termWeightsPlain = question.terms.map(({ weight }) => weight);
  const plain = coverage(termWeightsPlain);
  const names = question.terms.flatMap(({ name, digits }, term) => (name || digits ? [term] : []));
  const focus = focusTermsOf(question);
  const isPrecise = type !== undefined && preciseTypes.has(type);
  const has = values > 0;
  const anyValue = [...details.values()].some((each) => each.values > 0);
  const next = ranked[1]?.probability ?? 0;
  return [
    Math.max(-8, Math.min(8, general)),
    best.probability,
    best.probability - next,
    plain(wide),
    plain(wide, above),
    plain(wide, above, beside),
    plain(everywhere),
    cover(wide),
    cover(wide, above),
    cover(best.own),
    plain(best.own, best.around),
    heaviestMissing(termWeightsPlain, everywhere),
    heaviestMissing(termWeightsPlain, wide, above),
    heaviestMissing(termWeightsPlain, mergeInto(above.slice(), wide), beside),
    shareFound(names, wide, above),
    shareFound(names, everywhere),
    names.length === 0 ? 1 : 0,
    Math.min(1, question.terms.length / 12),
    isPrecise && has ? 1 : 0,
    isPrecise && !has ? 1 : 0,
    isPrecise && !anyValue ? 1 : 0,
    type === 'money' && !has ? 1 : 0,
    type === 'count' && !has ? 1 : 0,
    type === 'person' ? (has ? 1 : -1) : 0,
    type === 'place' ? (has ? 1 : -1) : 0,
    type === 'reason' ? (has ? 1 : -1) : 0,
    type === 'permission' ? (has ? 1 : -1) : 0,
    type === undefined ? 1 : 0,
    best.features.typedAmong,
    best.features.phrases,
    best.features.close,
    best.features.localWithTitle,
    best.features.surprise,
    best.features.surpriseNear,
    best.unit.kind === 'row' ? 1 : 0,
    Math.min(1, best.unit.words.length / 40),
    type === 'count' ? shareFound(focus, wide, above) : 0.5,
    type === undefined && focus.length > 0 ? shareFound(focus, wide, above) : 0.5,
    focus.length > 0 ? shareFound(focus, everywhere) : 0.5,
    type === 'count' ? (countsFocus(question, best) ? 1 : -1) : 0,
    // Synonyms are English: in another language, less of a question is covered by its answer.
    question.language === undefined ? 0 : 1,
    question.language === undefined ? 0 : plain(wide, above),
  ];
}

/**
 * "Who is the curator of the museum?": whether the best unit has no word of the question but what its page is about, and another word is
 * nowhere. Any page names people who have to do with what it is about.
 */
function isOnlyAboutTitle(
  { terms }: AnalysedQuestion,
  ranked: readonly Candidate[],
  pages: FewPages,
  everywhere: Strengths,
): boolean {
  if (pages.type !== 'person') return false;
  const [best] = ranked as [Candidate];
  const { wide } = pages.details.get(best)!;
  const title = new Set(best.passage.titleStems);
  return (
    terms.some(({ stem }) => title.has(stem)) &&
    terms.some((_, term) => everywhere[term] === 0) &&
    terms.every(({ stem }, term) => title.has(stem) || wide[term] === 0)
  );
}

/** How strongly each term is found in any unit or above it. */
function foundAnywhere({ terms }: AnalysedQuestion, ranked: readonly Candidate[], { details }: FewPages): Float32Array {
  const everywhere = new Float32Array(terms.length);
  for (const each of ranked) {
    const detail = details.get(each)!;
    mergeInto(mergeInto(everywhere, detail.wide), detail.above);
  }
  return everywhere;
}

/** Whether a unit has a number of what is asked for: "twelve dumplings" of "How many dumplings …". */
function countsFocus({ focus }: AnalysedQuestion, { unit }: Candidate): boolean {
  const isCounted = (stem: string) => focus.some((asked) => asked === stem || synonyms.get(asked)?.has(stem) === true);
  return unit.words.some(
    ({ length }, at) =>
      isNumber(unit.text.slice(unit.startOf(at), unit.startOf(at) + length)) &&
      unit.words.slice(at + 1, at + 1 + countedWithin).some(({ stem }) => isCounted(stem)),
  );
}
