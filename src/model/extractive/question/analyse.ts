/**
 * Analyses a prompt: its terms and their weights, the kind of answer it asks for, the names in it. Instructions about the
 * form of the answer are removed first (clean-prompt.ts). Any text counts as a question: a statement or a few keywords have terms
 * and the kind `none`. Work is bounded: at most 48 terms, however long the prompt.
 */

import { initialsOf } from '../../../base/text/initials.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { functionWords } from '../../../base/text/stop-words.ts';
import { estimateLikelihood, type TermTraits } from '../match/term-likelihood.ts';
import { weights } from '../rank/weights.ts';
import { readWords, stemOf, type Word } from '../text/words.ts';
import { hourQuestion } from './asked/asked-value.ts';
import { emptySpans, isChinese } from './asked/chinese.ts';
import { cleanPrompt } from './clean-prompt.ts';
import { isElliptical, splitContext } from './context.ts';
import { type ForeignQuestion, readForeignQuestion } from './foreign.ts';
import type { QuestionKind } from './question-kinds.ts';

export interface Term extends TermTraits {
  /** Index among all words of the question. */
  readonly at: number;
  /** The word itself if it may be the initials of a name, `NYC`. */
  readonly initials: string | undefined;
  /** Probability that the sentence with the answer, or its page, has the word. */
  readonly likelihoodInUnit: number;
  readonly likelihoodOnPage: number;
}

export interface AnalysedQuestion {
  /** The prompt without instructions about the form of the answer. */
  readonly text: string;
  /** The same without the question before it, which `text` has if it is its context. */
  readonly asked: string;
  /** If it is in a language with stems of its own; its evidence is read with them, too. */
  readonly language: StemmedLanguage | undefined;
  readonly kind: QuestionKind;
  /** In the order of the text. */
  readonly terms: readonly Term[];
  readonly byStem: ReadonlyMap<string, Term>;
  /** Stems of what is asked for: "city" of "Which city …", "year" of "In what year …". */
  readonly focus: readonly string[];
  /** Quoted phrases and runs of capitalised words as written, at most 12. */
  readonly names: readonly string[];
  /** Stems of adjacent words, joined by a space. */
  readonly pairs: ReadonlySet<string>;
  /** Stems of all words in order. */
  readonly sequence: readonly string[];
  readonly stems: ReadonlySet<string>;
}

/** Set by hand: questions have fewer, and the cost of ranking grows with the terms. */
const maxTerms = 48;
/** What the terms of the context weigh where something of it is replaced. Set by hand. */
const replacedShare = 0.25;
/** What a Chinese sign weighs; no frequencies of theirs are known. Set by hand. */
const signWeight = 0.5;
/** Characters of a prompt that terms are read from. */
const maxAnalysed = 4000;

/** Analyses a prompt of any length and content; `inEnglish` reads any language with the stems of English. */
export function analyse(prompt: string, inEnglish = false): AnalysedQuestion {
  const [asked, context] = splitContext(prompt).map(cleanPrompt) as [string, string];
  const text = context === '' ? asked : `${asked} ${context}`;
  const foreign = readForeignQuestion(text);
  const language = inEnglish ? undefined : foreign?.language;
  const words = readWords(text.slice(0, maxAnalysed), language);
  const { kind, focus } = foreign === undefined ? kindOf(text, words) : { kind: foreign.kind, focus: [] };
  const replacedAt = isElliptical(asked) ? asked.length : text.length;
  const weigh = (at: number) => (at < replacedAt ? 1 : replacedShare);
  const terms = readTerms(text, words, focus, foreign, weigh);
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < words.length; i += 1) {
    if (!stopStems.has(words[i]!.stem) || !stopStems.has(words[i + 1]!.stem))
      pairs.add(`${words[i]!.stem} ${words[i + 1]!.stem}`);
  }
  return {
    text,
    asked,
    language,
    kind,
    focus,
    terms,
    byStem: new Map(terms.map((term) => [term.stem, term])),
    names: namesIn(text, words).filter((name) => foreign?.language !== 'de' || /\s/.test(name)),
    pairs,
    sequence: words.map(({ stem }) => stem),
    stems: new Set(words.map(({ stem }) => stem)),
  };
}

function readTerms(
  text: string,
  words: readonly Word[],
  focus: readonly string[],
  foreign: ForeignQuestion | undefined,
  weigh: (at: number) => number,
): Term[] {
  const found = new Map<string, Pick<Term, 'stem' | 'weight' | 'name' | 'digits' | 'at' | 'initials'>>();
  // German nouns are capitalised.
  const hasNames = foreign?.language !== 'de';
  const hours = foreign === undefined ? [] : hourSpans(text);
  const isIn = (spans: typeof hours, { start }: Word) => spans.some(([from, to]) => start >= from && start < to);
  // "À quelle heure ?" alone asks for whatever has an hour.
  const isMore = words.some(
    (word) => !isIn(hours, word) && foreign?.stopWords.has(text.slice(word.start, word.end).toLowerCase()) === false,
  );
  const empty = [...emptySpans(text), ...(isMore ? hours : [])];
  words.forEach((word, at) => {
    if (isIn(empty, word)) return;
    if (foreign?.stopWords.has(text.slice(word.start, word.end).toLowerCase())) return;
    for (const stem of [word.stem, ...word.parts]) {
      if (found.has(stem) || (stopStems.has(stem) && !keepsCapital(text, word, at))) continue;
      const initials = initialsOf(text.slice(word.start, word.end));
      found.set(stem, {
        stem,
        weight: (isChinese(stem) ? signWeight : weightOf(stem)) * weigh(word.start),
        name: word.capital && at > 0 && hasNames,
        digits: word.digits,
        at,
        initials,
      });
    }
  });
  const heaviest = [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, maxTerms);
  return heaviest
    .sort((a, b) => a.at - b.at)
    .map((term, i) => {
      const place = {
        position: i / heaviest.length,
        last: i === heaviest.length - 1,
        focus: focus.includes(term.stem),
      };
      const traits = { ...term, ...place };
      const { inUnit, onPage } = estimateLikelihood(traits);
      return { ...traits, likelihoodInUnit: inUnit, likelihoodOnPage: onPage };
    });
}

/** "À quelle heure" asks for no text about an hour: the offsets of such words. */
const asksForHour = new RegExp(String.raw`(?<!\p{L})(?:${hourQuestion})(?!\p{L})`, 'giu');

function hourSpans(text: string): readonly (readonly [start: number, end: number])[] {
  return [...text.matchAll(asksForHour)].map(({ index, 0: found }) => [index, index + found.length] as const);
}

/** Inverse document frequency of a stem in general English, 0 to 1; 1 for an unknown one, 0.3 for a single letter. */
export function weightOf(stem: string): number {
  return (weights.idf.get(stem) ?? (stem.length === 1 ? 30 : 100)) / 100;
}

/**
 * Whether a stop word is a name: "US" or "IT" in the middle of a question that is not all in capitals, or "Ames", which only has
 * the stem of one.
 */
function keepsCapital(text: string, word: Word, at: number): boolean {
  const written = text.slice(word.start, word.end);
  if (at === 0 || written.length < 2 || text === text.toUpperCase()) return false;
  return (
    (written === written.toUpperCase() && /\p{Lu}/u.test(written)) ||
    // A part of a name, "My" of "MySQL", is not a name.
    (/^\p{Lu}\p{Ll}{3,}$/u.test(written) && !stopWordsAsWritten.has(written.toLowerCase()))
  );
}

/** What a question that is answered by yes or no begins with. */
const yesNoStart = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s/;
const questionWord = /\b(who|whom|whose|when|where|why|which|what|how)\b/i;

function kindOf(text: string, words: readonly Word[]): { kind: QuestionKind; focus: string[] } {
  const first = questionWord.exec(text);
  const lower = text.toLowerCase();
  if (first === null) {
    return { kind: yesNoStart.test(lower) ? 'yesno' : 'none', focus: [] };
  }
  const word = first[1]!.toLowerCase();
  const after = words.filter(({ start }) => start > first.index);
  const noun = focusAfter(after);
  const rest = lower.slice(first.index);
  if (yesNoStart.test(lower) && word !== 'how') return { kind: 'yesno', focus: [] };
  if (word.startsWith('who')) return { kind: 'person', focus: [] };
  if (word === 'when') return { kind: 'date', focus: [] };
  if (word === 'where') return { kind: 'place', focus: [] };
  if (word === 'why') return { kind: 'reason', focus: [] };
  if (word === 'how') {
    if (/^how (?:many|often|few)\b/.test(rest)) return { kind: 'count', focus: focusAfter(after.slice(1)) };
    if (/^how (?:much|long|far|old|tall|large|big|high|deep|fast|wide|heavy|big|small|late|early)\b/.test(rest))
      return { kind: 'amount', focus: focusAfter(after.slice(1)) };
    return { kind: 'manner', focus: [] };
  }
  const head = noun.join(' ');
  if (/\b(?:year|decad|centuri)\b/.test(head)) return { kind: 'year', focus: noun };
  if (/\b(?:date|dai|month|time)\b/.test(head)) return { kind: 'date', focus: noun };
  if (/\b(?:citi|countri|state|place|locat|town|contin|region|river|island|street)\b/.test(head))
    return { kind: 'place', focus: noun };
  if (
    /\b(?:percentag|percent|amount|number|popul|cost|price|size|height|length|rate|ag|distanc|temperatur|speed)\b/.test(
      head,
    )
  )
    return { kind: 'amount', focus: noun };
  if (
    /\b(?:person|man|woman|actor|actress|singer|author|presid|king|queen|leader|director|artist|player|politician|scientist|philosoph)\b/.test(
      head,
    )
  )
    return { kind: 'person', focus: noun };
  if (word === 'what' && /^what (?:is|are|was|were) (?:an? |the )?[\w-]+(?: [\w-]+)?\s*\??$/.test(rest))
    return { kind: 'define', focus: [] };
  return { kind: word === 'which' ? 'which' : 'what', focus: noun };
}

/**
 * Stems after the question word up to the next stop word, at most 3: "American football team" of "Which American football team in
 * …".
 */
function focusAfter(after: readonly Word[]): string[] {
  const focus: string[] = [];
  for (const word of after) {
    if (stopStems.has(word.stem)) {
      if (
        focus.length === 0 &&
        /^(?:is|are|was|were|the|a|an|of|his|her|its|their|kind|type|sort|name)$/.test(word.stem)
      )
        continue;
      break;
    }
    focus.push(word.stem);
    if (focus.length === 3) break;
  }
  return focus;
}

function namesIn(text: string, words: readonly Word[]): string[] {
  const names: string[] = [];
  for (const match of text.matchAll(/["“]([^"“”]{2,80})["”]|[‘']([^‘’']{3,80})[’'](?!\p{L})/gu))
    names.push((match[1] ?? match[2])!);
  let run: Word[] = [];
  const close = () => {
    const last = run.at(-1);
    if (last !== undefined) names.push(text.slice(run[0]!.start, last.end).replace(/['’]s$/, ''));
    run = [];
  };
  for (const [at, word] of words.entries()) {
    const joined =
      run.length === 0 ||
      /^[\s.,&'’-]{1,3}$|^ (?:of|the|and|de|van|von|of the) $/.test(text.slice(run.at(-1)!.end, word.start));
    if (!joined) close();
    const small = run.length > 0 && /^(?:of|the|and|de|van|von|in|for)$/.test(text.slice(word.start, word.end));
    if ((word.capital && (at > 0 || !stopStems.has(word.stem))) || (word.digits && run.length > 0)) run.push(word);
    else if (!small) close();
  }
  close();
  return [...new Set(names)].slice(0, 12);
}

/** Words that no question is about, besides the function words of base/text/stop-words.ts. */
const moreStopWords = 'another dont didnt doesnt eg ie isnt per re wasnt'.split(' ');
const stopWords = [...functionWords, ...moreStopWords];

const stopWordsAsWritten: ReadonlySet<string> = new Set(stopWords);

/** Stop words as written and as stems; the stem of "born" is "bear", which a question may well be about. */
export const stopStems: ReadonlySet<string> = new Set(
  [...stopWords, ...stopWords.map(stemOf)].filter((stem) => stem !== 'bear'),
);
