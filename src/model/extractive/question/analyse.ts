/**
 * What a prompt asks: the words to look for and their weight, the kind of thing that would answer it, the names in it.
 * Instructions about the answer ("in one sentence", "please") are taken off first. Any text is a question here: a
 * statement or a few keywords have terms and no kind. Work is bounded: at most 48 terms, however long the prompt.
 */

import { initialsOf } from '../../../base/text/initials.ts';
import { functionWords } from '../../../base/text/stop-words.ts';
import { expectOf, type TermTraits } from '../match/term-likelihood.ts';
import { weights } from '../rank/weights.ts';
import { readWords, stemOf, type Word } from '../text/words.ts';

export const kinds = [
  'person',
  'place',
  'date',
  'year',
  'count',
  'amount',
  'which',
  'what',
  'reason',
  'manner',
  'yesno',
  'define',
  'none',
] as const;
export type Kind = (typeof kinds)[number];

export interface Term extends TermTraits {
  /** Its place among all words of the question. */
  readonly at: number;
  /** The word itself where it may be the initials of a name, `NYC`. */
  readonly initials: string | undefined;
  /** How likely the sentence that answers, and its page, are to have the word. */
  readonly expectOwn: number;
  readonly expectPage: number;
}

export interface Question {
  readonly text: string;
  readonly kind: Kind;
  readonly terms: readonly Term[];
  readonly byStem: ReadonlyMap<string, Term>;
  /** What is asked for, as stems: "city" of "Which city …", "year" of "In what year …". */
  readonly focus: readonly string[];
  /** Runs of capitalised words and quoted phrases, as written. */
  readonly names: readonly string[];
  /** Adjacent words, as stems joined by a space. */
  readonly pairs: ReadonlySet<string>;
  /** Every word, as stems. */
  readonly sequence: readonly string[];
  readonly stems: ReadonlySet<string>;
}

const maxTerms = 48;

export function analyse(prompt: string): Question {
  const text = cleanPrompt(prompt);
  const words = readWords(text.slice(0, 4000));
  const { kind, focus } = kindOf(text, words);
  const terms = readTerms(text, words, focus);
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < words.length; i += 1) {
    if (!stopStems.has(words[i]!.stem) || !stopStems.has(words[i + 1]!.stem))
      pairs.add(`${words[i]!.stem} ${words[i + 1]!.stem}`);
  }
  return {
    text,
    kind,
    focus,
    terms,
    byStem: new Map(terms.map((term) => [term.stem, term])),
    names: namesIn(text, words),
    pairs,
    sequence: words.map(({ stem }) => stem),
    stems: new Set(words.map(({ stem }) => stem)),
  };
}

function readTerms(text: string, words: readonly Word[], focus: readonly string[]): Term[] {
  const found = new Map<string, Pick<Term, 'stem' | 'weight' | 'name' | 'digits' | 'at' | 'initials'>>();
  words.forEach((word, at) => {
    for (const stem of [word.stem, ...word.parts]) {
      if (found.has(stem) || (stopStems.has(stem) && !keepsCapital(text, word, at))) continue;
      const initials = initialsOf(text.slice(word.start, word.end));
      found.set(stem, {
        stem,
        weight: weightOf(stem),
        name: word.capital && at > 0,
        digits: word.digits,
        at,
        initials,
      });
    }
  });
  const telling = [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, maxTerms);
  return telling
    .sort((a, b) => a.at - b.at)
    .map((term, i) => {
      const place = { position: i / telling.length, last: i === telling.length - 1, focus: focus.includes(term.stem) };
      const traits = { ...term, ...place };
      const expected = expectOf(traits);
      return { ...traits, expectOwn: expected.own, expectPage: expected.page };
    });
}

/** Rarity in general text, 0 to 1. */
export function weightOf(stem: string): number {
  return (weights.common.get(stem) ?? (stem.length === 1 ? 30 : 100)) / 100;
}

/** The prompt without what it says about the form of the answer. Never empty for a prompt that is not. */
export function cleanPrompt(prompt: string): string {
  const whole = prompt.replace(/\s+/g, ' ').trim().slice(0, 8000);
  const sentences = whole.match(/[^.?!]+(?:[.?!]+(?=\s|$)|[.?!](?=\S)[^.?!]*)*[.?!]*/g) ?? [whole];
  const asks = sentences.filter((sentence) => !formOnly.test(sentence.trim()));
  const kept = (asks.length > 0 ? asks : sentences).join(' ').replace(/\s+/g, ' ').trim();
  const bare = kept
    .replace(leadIn, '')
    .replace(tail, '$1')
    .replace(/[.!]+$/, '')
    .trim();
  return bare === '' ? whole : bare;
}

const formOnly =
  /^(?:please\s+)?(?:(?:answer|respond|reply|write|keep|format|return|limit|be|make|cite|include|use|do not|don't|only|no)\b[^?]*\b(?:sentences?|words?|paragraphs?|bullets?|json|markdown|table|concise|brief|short|detailed|sources?|citations?|cited|english|language|answers?|format|facts?)\b[^?]*|thanks?(?: you)?|please|hi|hello)[.!]*$/i;
const leadIn =
  /^(?:(?:please|hi|hello|hey)[,!]?\s+)*(?:(?:can|could|would) you (?:please )?(?:tell me|explain|find(?: out)?|say|give me|show me)\s+|(?:tell me|i(?:'d| would) like to know|i want to know|do you know|find out|let me know)[,:]?\s+(?:about\s+)?)?/i;
const tail =
  /[,;]?\s*(?:\b(?:please|briefly|concisely|in (?:one|two|three|a few|\d+) (?:short )?(?:sentences?|words?|paragraphs?|lines?|bullet points?)|in (?:short|detail|brief)|step by step|with sources|with citations)\b[,\s]*)+([?.!]*)$/i;

/** "US", "IT" and "Who" in the middle of a question are names. */
function keepsCapital(text: string, word: Word, at: number): boolean {
  const written = text.slice(word.start, word.end);
  return (
    at > 0 &&
    written.length > 1 &&
    written === written.toUpperCase() &&
    /\p{Lu}/u.test(written) &&
    text !== text.toUpperCase()
  );
}

const asked = /\b(who|whom|whose|when|where|why|which|what|how)\b/i;

function kindOf(text: string, words: readonly Word[]): { kind: Kind; focus: string[] } {
  const first = asked.exec(text);
  const lower = text.toLowerCase();
  if (first === null) {
    const yesno = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s/.test(lower);
    return { kind: yesno ? 'yesno' : 'none', focus: [] };
  }
  const ask = first[1]!.toLowerCase();
  const after = words.filter((word) => word.start > first.index);
  const noun = focusAfter(after);
  const rest = lower.slice(first.index);
  if (/^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s/.test(lower) && ask !== 'how')
    return { kind: 'yesno', focus: [] };
  if (ask.startsWith('who')) return { kind: 'person', focus: [] };
  if (ask === 'when') return { kind: 'date', focus: [] };
  if (ask === 'where') return { kind: 'place', focus: [] };
  if (ask === 'why') return { kind: 'reason', focus: [] };
  if (ask === 'how') {
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
  if (ask === 'what' && /^what (?:is|are|was|were) (?:an? |the )?[\w-]+(?: [\w-]+)?\s*\??$/.test(rest))
    return { kind: 'define', focus: [] };
  return { kind: ask === 'which' ? 'which' : 'what', focus: noun };
}

/** The words after the question word up to the first verb-like or small word: "American football team" of "Which American football team won". */
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

/** Stop words as written and as stems; the stem of "born" is "bear", which a question may well be about. */
export const stopStems: ReadonlySet<string> = new Set(
  [...stopWords, ...stopWords.map(stemOf)].filter((stem) => stem !== 'bear'),
);
