/**
 * How much of an answer no citation covers: of its sentences that say something, in prose, lists and rows of tables. Headings,
 * code, questions, announcements ("The steps are:"), courtesies and statements about the evidence itself need no source.
 */
import type { Citation } from '../../../protocol/index.ts';

export interface Coverage {
  /** Sentences that need a source. */
  readonly sentences: number;
  /** Those of them that no citation covers. */
  readonly uncited: number;
  /** Whether something is said of the evidence itself: that it does not answer the question. */
  readonly deniesEvidence: boolean;
}

/** Words that a sentence must have to say something, unless there is a number in it; set by hand. */
const minWords = 3;
const chatter =
  /^(?:sure|certainly|of course|okay|ok|hello|hi|thanks?|thank you|great|good question|here(?:['’]s| is| are)\b.{0,60}|i hope\b.*|let me know\b.*|feel free\b.*|in (?:short|summary|conclusion)|hier ist\b.{0,60}|voici\b.{0,60}|aquí (?:está|tienes)\b.{0,60})[\s.!,:]*$/i;
const about = `(?:evidence|sources?|passages?|documents?|pages?|information|context|texts?|results?|quellen?|belege?|seiten?|informationen|preuves?|documents?|fuentes?|páginas?|fonti|bronnen)`;
const absent = String.raw`(?:not|no|none|n['’]t|without|lacks?|missing|unclear|unknown|nicht|kein\w*|nichts|pas|aucune?|ningun[ao]?|non|nessun\w*|niet|geen)`;
const onEvidence = new RegExp(
  String.raw`\b${about}\b.{0,80}\b${absent}\b|\b${absent}\b.{0,40}\b${about}\b|n['’]t (?:say|state|mention|give|specify)`,
  'i',
);
const sentenceEnd = /[.!?…]["'”’)\]*_]{0,4}(?:\s*\[\d+\])*\s+(?=\S)|[。！？](?:\s*\[\d+\])*/g;

/** What of `text` the spans of `citations` cover. */
export function coverageOf(text: string, citations: readonly Pick<Citation, 'start' | 'end'>[]): Coverage {
  let sentences = 0;
  let uncited = 0;
  for (const { start, end } of statementsIn(text)) {
    sentences += 1;
    if (!citations.some((citation) => citation.start < end && citation.end > start)) uncited += 1;
  }
  return { sentences, uncited, deniesEvidence: onEvidence.test(text) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function* statementsIn(text: string): Generator<Span> {
  let fence: string | undefined;
  let at = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const start = at;
    at += line.length + 1;
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marks !== undefined) {
      if (fence === undefined) fence = marks;
      else if (marks.startsWith(fence)) fence = undefined;
      continue;
    }
    const isHeader =
      line.includes('|') && /^[\s|:-]+$/.test(lines[index + 1] ?? '') && (lines[index + 1] ?? '').includes('-');
    if (fence !== undefined || isHeader || /^\s*#|^\s*\*\*[^*]{1,80}\*\*:?\s*$|^[\s|:-]*$/.test(line)) continue;
    yield* sentencesOf(line, start);
  }
}

function* sentencesOf(line: string, offset: number): Generator<Span> {
  let from = 0;
  // A row of a table is one statement.
  const ends = line.trimStart().startsWith('|') ? [] : [...line.matchAll(sentenceEnd)];
  for (const end of [...ends.map((gap) => gap.index + gap[0].length), line.length]) {
    if (saysSomething(line.slice(from, end))) yield { start: offset + from, end: offset + end };
    from = end;
  }
}

function saysSomething(sentence: string): boolean {
  const bare = sentence
    .replace(/\[\d+\]/g, '')
    .replace(/^[\s>*+|#-]*(?:\d+[.)]\s)?/, '')
    .trim();
  if (/[:：?？]["'”’)*_]{0,3}$/.test(bare) || chatter.test(bare) || onEvidence.test(bare)) return false;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{5}/u.test(bare)) return true;
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= minWords || (words.length > 1 && /\d/.test(bare));
}
