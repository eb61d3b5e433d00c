/**
 * How much of an answer no citation covers: of its sentences that say something, in prose, lists and rows of tables. Headings,
 * code, questions, announcements ("The steps are:"), courtesies, pointers ("See [2].") and statements about the evidence itself
 * need no source.
 */

import type { Citation } from '../../../protocol/index.ts';
import { fenceAfter } from '../../base/text/lines/fences.ts';
import { marker, markerPattern } from '../../base/text/markers.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { isSentenceEnd } from '../../base/text/sentences/sentence-ends.ts';
import type { TextSpan } from './match-quote.ts';
import { isPointerOnly } from './pointer-sentence.ts';

export interface Coverage {
  /** Sentences that need a source. */
  readonly sentences: number;
  /** The sentences among them that no citation covers. */
  readonly uncited: number;
  /** Whether something is said of the evidence itself: that it does not answer the question. */
  readonly deniesEvidence: boolean;
}

/** Words that a sentence must have to say something, unless there is a number in it; set by hand. */
const minWords = 3;
const chatter =
  /^(?:sure|certainly|of course|okay|ok|hello|hi|thanks?|thank you|great|good question|here(?:['’]s| is| are)\b.{0,60}|i hope\b.*|let me know\b.*|feel free\b.*|in (?:short|summary|conclusion)|hier ist\b.{0,60}|voici\b.{0,60}|aquí (?:está|tienes)\b.{0,60})[\s.!,:]*$/i;
/** What an answer says of its evidence, rather than of its subject: "The sources do not say …", "There is no information on …". */
const evidence =
  '(?:evidence|sources?|passages?|documents?|pages?|information|context|texts?|results?|excerpts?|materials?)';
const toSay =
  '(?:say|state|mention|give|specify|contain|include|provide|describe|answer|address|cover|name|list|tell|discuss|indicate|report|show|explain|have|confirm|support|establish|identify|clarify|reveal|directly|explicitly|clearly|actually)';
const said =
  '(?:said|stated|mentioned|given|specified|contained|included|provided|described|answered|addressed|covered|named|listed|discussed|indicated|explained|confirmed|found|available|clear|known)';
const onEvidenceInEnglish = [
  String.raw`\b${evidence}\b.{0,40}\b(?:do|does|did)(?: not|n['’]t)\s.{0,20}\b${toSay}\b`,
  String.raw`^\W*(?:they|it|none of them|neither)\b.{0,10}\b(?:do|does|did)(?: not|n['’]t)\s${toSay}\b`,
  String.raw`\b(?:none|neither) of the\b.{0,20}\b${evidence}\b`,
  String.raw`\b(?:no|not enough|insufficient|not any|lacks?)\b.{0,20}\b(?:evidence|information|mention|details|indication)\b`,
  String.raw`\b(?:not|never|nowhere|cannot be|n['’]t)\b.{0,20}\b(?:${said}|determined|established|verified)\b.{0,20}\b(?:in|from|by|within)\b.{0,20}\b${evidence}\b`,
  String.raw`\b${evidence}\b.{0,30}\b(?:is|are|remains?)\b.{0,20}\b(?:silent|unclear|missing|lacking|insufficient|incomplete|inconclusive)\b`,
  String.raw`\b(?:unclear|unknown|missing)\b.{0,20}\b(?:from|in)\b.{0,20}\b${evidence}\b`,
];
const evidenceElsewhere =
  '(?:quellen?|belege?|seiten?|informationen|texten?|preuves?|documents?|sources?|informations?|fuentes?|páginas?|información|fonti|informazioni|bronnen)';
const absentElsewhere = String.raw`(?:nicht|kein\w*|nichts|pas|aucune?|ningun[ao]?|no|non|nessun\w*|niet|geen)`;
const onEvidence = new RegExp(
  [
    ...onEvidenceInEnglish,
    String.raw`\b(?:die|den|der|les?|las?|los|el|il|gli|de)\s${evidenceElsewhere}\b.{0,80}\b${absentElsewhere}\b`,
    String.raw`\b(?:nicht|kein\w*|nichts|pas|aucune?|ningun[ao]?|nessun\w*|niet|geen)\b.{0,40}\b${evidenceElsewhere}\b`,
  ].join('|'),
  'i',
);
/** Looked for first: most sentences have none of them. */
const denies =
  /n['’]t\b|\b(?:not?|none|neither|never|nowhere|cannot|lacks?|lacking|insufficient|incomplete|inconclusive|unclear|unknown|missing|silent|nicht|kein\w*|nichts|pas|aucune?|ningun[ao]?|non|nessun\w*|niet|geen)\b/i;
const isOnEvidence = (text: string) => denies.test(text) && onEvidence.test(text);
/** A mark with what closes after it, and the markers of the sentence. */
const sentenceEnd = new RegExp(
  String.raw`[.!?…]["'”’)\]*_]{0,4}(?:\s*${marker})*\s+(?=\S)|[。！？](?:\s*${marker})*`,
  'g',
);

/** How much of `text` the spans of `citations` cover. */
export function coverageOf(text: string, citations: readonly Pick<Citation, 'start' | 'end'>[]): Coverage {
  let sentences = 0;
  let uncited = 0;
  for (const { start, end } of statementsIn(text)) {
    sentences += 1;
    if (!citations.some((citation) => citation.start < end && citation.end > start)) uncited += 1;
  }
  return { sentences, uncited, deniesEvidence: isOnEvidence(text) };
}

function* statementsIn(text: string): Generator<TextSpan> {
  let fence: string | undefined;
  let at = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const start = at;
    at += line.length + 1;
    const before = fence;
    fence = fenceAfter(before, line);
    if (before !== fence) continue;
    const isHeader =
      line.includes('|') && /^[\s|:-]+$/.test(lines[index + 1] ?? '') && (lines[index + 1] ?? '').includes('-');
    if (fence !== undefined || isHeader || /^\s*#|^\s*\*\*[^*]{1,80}\*\*:?\s*$|^[\s|:-]*$/.test(line)) continue;
    yield* statementsOfLine(line, start);
  }
}

function* statementsOfLine(line: string, offset: number): Generator<TextSpan> {
  let from = 0;
  // A row of a table is one statement.
  const ends = line.trimStart().startsWith('|') ? [] : [...line.matchAll(sentenceEnd)];
  for (const { index, 0: mark } of [...ends, { index: line.length, 0: '' }]) {
    const end = index + mark.length;
    // Markers end a sentence whatever the mark before them may abbreviate: what follows them is not covered by them.
    if (!mark.includes('[') && !isSentenceEnd(line, from, index, end, line.length)) continue;
    if (saysSomething(line.slice(from, end))) yield { start: offset + from, end: offset + end };
    from = end;
  }
}

function saysSomething(sentence: string): boolean {
  const bare = sentence
    .replace(markerPattern, '')
    .replace(/^[\s>*+|#-]*(?:\d+[.)]\s)?/, '')
    .trim();
  if (/[:：?？]["'”’)*_]{0,3}$/.test(bare) || chatter.test(bare) || isOnEvidence(bare) || isPointerOnly(bare))
    return false;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{5}/u.test(bare)) return true;
  const words = plainWordsIn(bare);
  return words.length >= minWords || (words.length > 1 && /\d/.test(bare));
}
