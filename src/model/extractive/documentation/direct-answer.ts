/**
 * Answers that documentation gives in so many words: below a heading that is the question itself, as in a list of questions
 * and answers, and in the sentence, row or item that defines what is asked for. Both are found by rules, since they leave
 * nothing to weigh.
 */
import type { WritablePiece } from '../answer/write-pieces.ts';
import { closeSynonyms } from '../match/synonyms.ts';
import { type AnalysedQuestion, analyse, type Term } from '../question/analyse.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { splitSentences } from '../text/sentences.ts';
import { countWords, readWords } from '../text/words.ts';

/** Words of prose that an answer takes in; about two sentences, as other answers do. */
const maxWords = 40;
/** What a term counts that a heading says in another word, where the same word counts 1. Set by hand. */
const synonymStrength = 0.6;
/**
 * Shares of what is asked, where a word of it is missing, and of a heading that the other must have. Set by hand: "How do I remove
 * a depot?" and "How do I make a depot?" share half.
 */
const minAsked = 0.75;
const minSaid = 0.5;
/** Words of code that is quoted after the sentence that announces it. Set by hand. */
const maxCodeWords = 60;
/** What is asked for in "What is a snapshot?", "What does snapshot mean?", "Define snapshot". */
const asksForDefinition =
  /^(?:(?:what|who) (?:is|are|was|were)\s+(?:an?\s+|the\s+)?(.{1,60}?)|what (?:does|do)\s+(?:an?\s+|the\s+)?(.{1,60}?)\s+mean|define\s+(?:an?\s+|the\s+)?(.{1,60}?))\s*\??$/i;
/** After the name: "is a library", but not "is kept as long as". */
const defines =
  /^(?:is|are|was|were)\s(?:an?|the(?! only| same)|one|any|some|each|what|how|where|when|who|your|our|its?|their)\b/;
const explains = /^(?:means?|refers? to|denotes?|stands for)\s/;
/** The subject that is named after what is asked for: "a ticket in Citewire". */
const namedSubject = /^(.+?)\s+(?:in|of)\s+(\S+)$/i;

/** The beginning of the section whose heading asks the same, if there is one: in the same words before synonyms. */
export function quoteAskedSection(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const found = sources.flatMap((source) => {
    const { units } = readPassage(source);
    return units.flatMap(({ section, sectionStems }, at) => {
      if (section === units[at - 1]?.section || !section.endsWith('?')) return [];
      // Looking is cheaper than analysing the heading, and few have a word of the question.
      if (!question.terms.some(({ stem }) => sectionStems.has(stem))) return [];
      const likeness = likenessOf(question, analyse(section), source);
      return likeness === 0 ? [] : [{ source, units, at, likeness }];
    });
  });
  const best = found.sort((a, b) => b.likeness - a.likeness)[0];
  return best === undefined ? undefined : { source: best.source, units: beginningOf(best.units, best.at) };
}

/**
 * How alike a question and a heading are, 0 to 1: the share of their terms, by weight, that the other has in the same word or in a
 * synonym. 0 where much of either is missing, or nothing is the same word. The name of what the page is about does not count.
 */
function likenessOf(question: AnalysedQuestion, heading: AnalysedQuestion, { title }: Source): number {
  if (!asksForTheSameKind(question.kind, heading.kind)) return 0;
  const subject = subjectOf(title);
  const asked = question.terms.filter(({ stem }) => stem !== subject);
  const said = heading.terms.filter(({ stem }) => stem !== subject);
  if (asked.length === 0) return question.terms.length > 0 && said.length === 0 ? 1 : 0;
  // In synonyms alone, two questions may well differ in what they are about.
  if (!asked.some((term) => strengthIn(said, term) === 1)) return 0;
  const [ofAsked, ofSaid] = [shareOf(asked, said), shareOf(said, asked)];
  const isWhole = asked.every((term) => strengthIn(said, term) > 0);
  return ofAsked >= (isWhole ? 0 : minAsked) && ofSaid >= minSaid ? (ofAsked + ofSaid) / 2 : 0;
}

/** The share of some terms, by weight, that others have. */
function shareOf(terms: readonly Term[], others: readonly Term[]): number {
  const sum = (weightOf: (term: Term) => number) => terms.reduce((total, term) => total + weightOf(term), 0);
  return (
    sum((term) => term.weight * strengthIn(others, term)) /
    Math.max(
      1e-6,
      sum(({ weight }) => weight),
    )
  );
}

function strengthIn(others: readonly Term[], { stem }: Term): number {
  if (others.some((other) => other.stem === stem)) return 1;
  return others.some((other) => closeSynonyms.get(stem)?.has(other.stem)) ? synonymStrength : 0;
}

/** Whether "Can I …?" and "How do I …?" have the same answer: both want to know how. */
function asksForTheSameKind(asked: QuestionKind, said: QuestionKind): boolean {
  const isDoing = (kind: QuestionKind) => kind === 'manner' || kind === 'yesno';
  return asked === said || (isDoing(asked) && isDoing(said));
}

/** The units of a section from `from` on that fit: whole sentences of its first paragraph, and the code it announces. */
function beginningOf(units: readonly ReadUnit[], from: number): ReadUnit[] {
  const first = units[from]!;
  const taken = [first];
  let words = countWords(first.text);
  for (const unit of units.slice(from + 1)) {
    if (unit.section !== first.section) break;
    if (unit.kind === 'code') {
      if (taken.at(-1)!.text.endsWith(':') && countWords(unit.text) <= maxCodeWords) taken.push(unit);
      break;
    }
    words += countWords(unit.text);
    if (words > maxWords || (unit.block !== first.block && !taken.at(-1)!.text.endsWith(':'))) break;
    taken.push(unit);
  }
  return taken;
}

/** The unit that defines what the question asks for, if it asks for a definition. */
export function quoteDefinition({ text }: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const asked = asksForDefinition.exec(text.trim())?.slice(1).find(Boolean);
  if (asked === undefined) return undefined;
  const [, rest = '', subject = ''] = namedSubject.exec(asked) ?? [];
  const about = sources.filter(({ title }) => subject !== '' && subjectOf(title) === nameOf(subject));
  const name = nameOf(about.length > 0 ? rest : asked);
  if (name === '') return undefined;
  const found = (about.length > 0 ? about : sources).flatMap((source) => {
    const passage = readPassage(source);
    return passage.units.flatMap((unit, place) => {
      const rank = definitionRank(name, unit, { passage, source, place });
      return rank === 0 ? [] : [{ source, unit, rank }];
    });
  });
  const best = found.sort((a, b) => b.rank - a.rank)[0];
  return best === undefined ? undefined : { source: best.source, units: [shownDefinition(best.unit)] };
}

/** Of a row of a glossary, the term and the first sentence of its meaning. */
function shownDefinition(unit: ReadUnit): WritablePiece['units'][number] {
  if (unit.kind !== 'row') return unit;
  const [term, meaning = ''] = unit.text.split(' | ');
  const [[start, end] = [0, 0]] = splitSentences(meaning, 0, meaning.length);
  return { ...unit, kind: 'sentence', header: '', text: `${term}: ${meaning.slice(start, end)}` };
}

/** 0 for a unit that does not define the name; higher is better. Sources come in the order of their rank. */
function definitionRank(
  name: string,
  { kind, text, section }: ReadUnit,
  { passage, source, place }: { passage: ReadPassage; source: Source; place: number },
): number {
  const isSubject = subjectOf(source.title) === name || nameOf(source.title) === name;
  const bonus = isSubject ? 1 : 0;
  if (kind === 'row') {
    const [first = '', second = ''] = text.split(' | ');
    return nameOf(first) === name && countWords(second) >= 4 ? 2 + bonus : 0;
  }
  if (kind === 'code' || text.endsWith('?')) return 0;
  const lead = leadOf(text, name);
  if (lead !== undefined && defines.test(lead)) return 4 + bonus;
  if (lead !== undefined && explains.test(lead)) return 2;
  if (lead !== undefined && kind === 'item' && /^(?:[:–—-]|\([^)]*\):)\s/.test(lead)) return 2 + bonus;
  const isTop = isSubject && source.start === 0 && passage.units.findIndex(({ kind }) => kind !== 'code') === place;
  return isTop && nameOf(section) === name && countWords(text) >= 4 ? 3 : 0;
}

/** What follows the name at the beginning of a text, "is a library …"; undefined if it begins with something else. */
function leadOf(text: string, name: string): string | undefined {
  const bare = text.replace(/^(?:(?:an?|the)\s+)?/i, '');
  const words = readWords(bare.slice(0, 200));
  const count = name.split(' ').length;
  const last = words[count - 1];
  if (last === undefined || stemsOf(words.slice(0, count)) !== name) return undefined;
  return bare.slice(last.end).replace(/^[`"”’*_)\]]*\s*/, '');
}

/** The package that a page is about, "undici" of "undici › Client", as a name. */
function subjectOf(title: string): string {
  return nameOf(title.replace(/ › .*/, ''));
}

/** The stems of a name, joined by spaces. */
function nameOf(text: string): string {
  return stemsOf(readWords(text.slice(0, 100)));
}

function stemsOf(words: readonly { readonly stem: string }[]): string {
  return words.map(({ stem }) => stem).join(' ');
}
