/**
 * The section that a question asks for: its heading is the question, as in a list of questions and answers, or the topic of
 * the question, and what the question has besides is in its first paragraph. Found by rules, in the same words before
 * synonyms.
 */
import { LRUCache } from 'lru-cache';
import type { WritablePiece } from '../answer/write-pieces.ts';
import { closeSynonyms } from '../match/synonyms.ts';
import { type AnalysedQuestion, analyse, type Term } from '../question/analyse.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { plainStems, readWords, stemOf } from '../text/words.ts';
import { beginningOf } from './beginning.ts';
import { subjectOf } from './definition.ts';
import { withoutNumber } from './heading-number.ts';
import { softwareSynonyms } from './software-synonyms.ts';

// Set by hand.
/** What a term counts that a heading says in another word, where the same word counts 1. */
const synonymStrength = 0.6;
/**
 * Shares of what is asked, where a word of it is missing, and of a heading that the other must have: "How do I remove
 * a depot?" and "How do I make a depot?" share half.
 */
const minAsked = 0.75;
/** Less where the heading has nothing that is not asked: "What happens when the connection drops?", of a question "… during a search?". */
const minAskedOfWhole = 0.6;
const minSaid = 0.5;
/** The same of a heading that is no question, which says less: all of it has to be asked for, and this much of the question is it. */
const minTopic = 0.45;
/** What the likeness of such a heading counts: "How do I stop or cancel a search?" answers before the entry `search.cancel`. */
const topicShare = 0.8;

/** What a question has beside its subject: "Is there …", "Does it support …", "How do I use …". */
const fillers: ReadonlySet<string> = new Set(
  `available possible support use work need want way example happen help please explain tell show thing get does
    handle accept process read understand later now still`
    .split(/\s+/)
    .map(stemOf),
);

/** The beginning of a section. */
export interface AskedSection extends WritablePiece {
  readonly units: readonly ReadUnit[];
  /** 0 to 1. */
  readonly likeness: number;
  /** Whether its heading is the question itself; otherwise it is only about what is asked. */
  readonly isAsked: boolean;
  /** Whether its heading has the form of a question. */
  readonly isQuestion: boolean;
}

/** The beginning of the section that the question asks for, if there is one. */
export function findAskedSection(question: AnalysedQuestion, sources: readonly Source[]): AskedSection | undefined {
  const stems = question.terms.flatMap(({ stem }) => [stem, ...linkedWith(stem)]);
  const found = sources.flatMap((source) => {
    const { units } = readPassage(source);
    return units.flatMap(({ section, sectionStems }, at): AskedSection[] => {
      if (section === units[at - 1]?.section || section === '') return [];
      // Looking is cheaper than comparing the heading, and few have a word of the question.
      if (!stems.some((stem) => sectionStems.has(stem))) return [];
      const asks = questionsIn(section).map((each) => likenessOf(question, { section: each, source, units, at }));
      const { likeness, isAsked } = asks.sort(byLikeness)[0]!;
      const isQuestion = section.endsWith('?');
      return likeness === 0 ? [] : [{ source, units: beginningOf(units, at), likeness, isAsked, isQuestion }];
    });
  });
  const rankOf = ({ likeness, isQuestion }: AskedSection) => likeness * (isQuestion ? 1 : topicShare);
  return found.sort((a, b) => Number(b.isAsked) - Number(a.isAsked) || rankOf(b) - rankOf(a))[0];
}

type Likeness = Pick<AskedSection, 'likeness' | 'isAsked'>;
const unlike: Likeness = { likeness: 0, isAsked: false };

function byLikeness(a: Likeness, b: Likeness): number {
  return Number(b.isAsked) - Number(a.isAsked) || b.likeness - a.likeness;
}

/** What joins two questions in one heading: "What is a template, and how do I get JSON?" */
const joined = /,? and (?=(?:under |in |for )?(?:how|why|what|when|where|which|who|whose|is|are|can|may|do|does)\b)/iu;

/** The questions of a heading that asks two; a heading that is not a question, or only one, as it is. */
function questionsIn(section: string): string[] {
  if (!section.endsWith('?') || section.length > maxHeading) return [section];
  const [first = section, ...others] = section.split(joined);
  return others.length === 0 ? [section] : [`${first}?`, ...others];
}

interface Section {
  readonly section: string;
  readonly source: Source;
  /** Those of its passage, and the index of its first. */
  readonly units: readonly ReadUnit[];
  readonly at: number;
}

/** Analysed headings: the same come back with every question about their page. The number is set by hand. */
const headings = new LRUCache<string, Pick<AnalysedQuestion, 'terms' | 'kind'>>({ max: 500 });

function analyseHeading(section: string): Pick<AnalysedQuestion, 'terms' | 'kind'> {
  const known = headings.get(section);
  if (known !== undefined) return known;
  const { terms, kind } = analyse(withoutNumber(section));
  headings.set(section, { terms, kind });
  return { terms, kind };
}

/**
 * How alike a question and a section are, 0 to 1: the share of their terms, by weight, that the other has in the same word or in a
 * synonym. 0 where much of either is missing, or nothing is the same word. The name of what the page is about does not count.
 */
function likenessOf(question: AnalysedQuestion, place: Section): Likeness {
  const { section, source } = place;
  const heading = analyseHeading(section);
  const subject = subjectOf(source.title);
  const [asked, said] = withoutFillers(
    question.terms.filter(({ stem }) => stem !== subject),
    heading.terms.filter(({ stem }) => stem !== subject),
  );
  const isQuestion = section.endsWith('?');
  if (asked.length === 0) {
    const isAll = question.terms.length > 0 && said.length === 0;
    const isSame = isAll && isQuestion && asksForTheSameKind(question.kind, heading.kind);
    return isSame ? { likeness: 1, isAsked: true } : unlike;
  }
  // In synonyms alone, two questions may well differ in what they are about.
  if (!asked.some((term) => hasWord(said, term))) return unlike;
  const [ofAsked, ofSaid] = [shareOf(asked, said), shareOf(withoutAlternatives(section, said, asked), asked)];
  const likeness = (ofAsked + ofSaid) / 2;
  if (ofSaid < minSaid) return unlike;
  if (isNamedAlone(question, asked, said)) return { likeness: 1, isAsked: true };
  const isWhole = asked.every((term) => strengthIn(said, term) > 0);
  const isNothingElse = said.length > 1 && ofSaid === 1;
  const isNear = isWhole || ofAsked >= (isNothingElse ? minAskedOfWhole : minAsked);
  if (isQuestion && isNear && asksForTheSameKind(question.kind, heading.kind)) return { likeness, isAsked: true };
  if (isQuestion && isNothingElse && isSame(asked, said) && asksWhat.has(question.kind) && asksWhat.has(heading.kind))
    return { likeness, isAsked: true };
  if (isQuestion && !mayAnswer(question.kind, heading.kind)) return unlike;
  if (!isToldBelow(question, asked, said, place)) return unlike;
  // A heading that says in other words all that is asked and no more, is the question without its mark.
  return { likeness, isAsked: isWhole && said.length > 1 && said.every((term) => strengthIn(asked, term) > 0) };
}

/** What is asked and said besides the fillers that only one of them has, if anything is left. */
function withoutFillers(asked: readonly Term[], said: readonly Term[]): [readonly Term[], readonly Term[]] {
  const without = (terms: readonly Term[], others: readonly Term[]) => {
    const left = terms.filter((term) => !fillers.has(term.stem) || strengthIn(others, term) > 0);
    return left.length === 0 ? terms : left;
  };
  return [without(asked, said), without(said, asked)];
}

/** Characters of a heading that are read for alternatives; a longer one is a text, which could take long. */
const maxHeading = 200;
/** What joins alternatives: "Windows or macOS", "a page, a PDF or another file". */
const alternatives = /(?:[\p{L}\p{N}.+-]+, (?:an? )?)*[\p{L}\p{N}.+-]+,? or (?:an? |another )*[\p{L}\p{N}.+-]+/giu;

/** The terms of a heading without the alternatives to one that is asked: "Does it run on Windows or macOS?" asks for each. */
function withoutAlternatives(section: string, said: readonly Term[], asked: readonly Term[]): readonly Term[] {
  let left = said;
  for (const [joined] of section.slice(0, maxHeading).matchAll(alternatives)) {
    const among = new Set(readWords(joined).map(({ stem }) => stem));
    const group = left.filter(({ stem }) => among.has(stem));
    if (!group.some((term) => strengthIn(asked, term) > 0)) continue;
    left = left.filter((term) => !group.includes(term) || strengthIn(asked, term) > 0);
  }
  return left;
}

/** Whether all that is asked is the heading's own words, as in "encryption?", or in a message that a heading quotes. */
function isNamedAlone({ kind }: AnalysedQuestion, asked: readonly Term[], said: readonly Term[]): boolean {
  return kind === 'none' && isSame(asked, said) && isSame(said, asked);
}

/** Whether others have each of some terms in the same word. */
function isSame(some: readonly Term[], others: readonly Term[]): boolean {
  return some.every((term) => hasWord(others, term));
}

/**
 * Whether a section is about what is asked and its beginning has the rest: each word of the question is in the heading, above it or
 * below it, and a topic is all asked for.
 */
function isToldBelow(
  question: AnalysedQuestion,
  asked: readonly Term[],
  said: readonly Term[],
  { section, source, units, at }: Section,
): boolean {
  const beginning = beginningOf(units, at);
  const [first] = beginning;
  if (first === undefined || first.kind === 'row' || question.kind === 'reason') return false;
  if (needsNumber.has(question.kind) && !beginning.some(({ words }) => words.some(({ digits }) => digits)))
    return false;
  const { titleStems, headingStems } = readPassage(source);
  const above = new Set([...said.map(({ stem }) => stem), ...titleStems, ...headingStems]);
  const below = new Set(beginning.flatMap(({ words }) => plainStems(words)));
  const needed = asked.filter(({ stem }) => !fillers.has(stem));
  if (needed.length === 0 || !needed.every(({ stem }) => hasLinked(above, stem) || hasLinked(below, stem)))
    return false;
  const isAsked = section.endsWith('?') || said.every((term) => strengthIn(asked, term) > 0);
  return isAsked && shareOf(needed, [...above].map(toTerm)) >= minTopic;
}

/** Kinds of questions that no text without a number answers. */
const needsNumber: ReadonlySet<QuestionKind> = new Set(['count', 'amount', 'date', 'year']);

function toTerm(stem: string): Pick<Term, 'stem'> {
  return { stem };
}

/** Whether some stems have this one or one that is linked with it. */
function hasLinked(stems: ReadonlySet<string>, stem: string): boolean {
  return stems.has(stem) || linkedWith(stem).some((other) => stems.has(other));
}

/** By stem; made once, since a heading asks for the links of each of its words. */
const links = new Map(
  [...closeSynonyms.keys(), ...softwareSynonyms.keys()].map((stem) => [
    stem,
    [...(closeSynonyms.get(stem) ?? []), ...(softwareSynonyms.get(stem) ?? [])],
  ]),
);
const noLinks: readonly string[] = [];

function linkedWith(stem: string): readonly string[] {
  return links.get(stem) ?? noLinks;
}

/** The share of some terms, by weight, that others have. */
function shareOf(terms: readonly Term[], others: readonly Pick<Term, 'stem'>[]): number {
  const sum = (weightOf: (term: Term) => number) => terms.reduce((total, term) => total + weightOf(term), 0);
  const whole = sum(({ weight }) => weight);
  return sum((term) => term.weight * strengthIn(others, term)) / Math.max(1e-6, whole);
}

function strengthIn(others: readonly Pick<Term, 'stem'>[], term: Pick<Term, 'stem'>): number {
  if (hasWord(others, term)) return 1;
  const linked = linkedWith(term.stem);
  return others.some(({ stem }) => linked.includes(stem)) ? synonymStrength : 0;
}

function hasWord(terms: readonly Pick<Term, 'stem'>[], { stem }: Pick<Term, 'stem'>): boolean {
  return terms.some((term) => term.stem === stem);
}

/** Whether "Can I …?" and "How do I …?" have the same answer: both want to know how. */
function asksForTheSameKind(asked: QuestionKind, said: QuestionKind): boolean {
  const isDoing = (kind: QuestionKind) => kind === 'manner' || kind === 'yesno' || kind === 'none';
  return asked === said || (isDoing(asked) && isDoing(said));
}

/** Kinds of "What is …?", which depend on the word after it: "What is the rate limit?" and "What are the rate limits?". */
const asksWhat: ReadonlySet<QuestionKind> = new Set(['what', 'which', 'define', 'amount']);

/** Whether what answers "Which …?" or "What …?" answers "Is it …?" and keywords, too, if it has their words. */
function mayAnswer(asked: QuestionKind, said: QuestionKind): boolean {
  const isOpen = asked === 'yesno' || asked === 'none';
  return asksForTheSameKind(asked, said) || (isOpen && (said === 'which' || said === 'what'));
}
