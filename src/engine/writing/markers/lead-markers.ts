/**
 * Markers that come before what they cite: "According to [1], the bridge is old." and "[1] states that the bridge is old." become
 * "The bridge is old. [1]", so that the marker follows its claim as everywhere else. Text is held back only
 * at the start of a sentence that may begin like this, and at its end. Code stays as it is.
 */

import { createFenceReader } from '../../../base/text/lines/fences.ts';
import { charactersAfter, sentenceEnds } from '../../../base/text/sentences/sentence-ends.ts';
import { numbersIn } from './marker-numbers.ts';

export interface LeadMarkers {
  /** Takes a piece and returns the text to pass on, with what was held back before it. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
}

const marker = String.raw`(?:\\?\[\[?[^[\]\n]{0,16}\d[^[\]\n]{0,16}\]?\\?\]|【[^】\n]{0,8}\d[^】\n]{0,24}】|［\d{1,3}］|\(\d{1,3}\)|\^\d{1,3}\^?)`;
const nouns =
  'source|sources|evidence|passage|passages|document|documents|article|page|reference|quelle|fuente|fonte'.split('|');
const noun = `(?:(?:the |this )?(?:${nouns.join('|')}) )?`;
const markers = String.raw`${marker}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*|\s*)${noun}${marker}){0,5}`;
const everyMarker = new RegExp(marker, 'g');
const openers = [
  ...['according to', 'as per', 'per', 'based on', 'from', 'in', 'as stated in', 'as noted in', 'as reported in'],
  ...['as described in', 'as mentioned in', 'as stated by', 'as reported by', 'as noted by', 'as shown in'],
  ...['laut', 'gemäß', 'selon', "d'après", 'd’après', 'según', 'secondo', 'volgens', 'segundo'],
];
const verbs =
  'says states notes mentions reports explains indicates confirms adds shows writes claims agrees say state note mention report explain indicate confirm add show write claim agree'.split(
    ' ',
  );
const verbPhrases = verbs.flatMap((verb) =>
  ['', 'also ', 'both ', 'all '].flatMap((also) => [`${also}${verb} that`, `${also}${verb}:`]),
);
const lead = new RegExp(
  String.raw`^(?:(?:${openers.join('|')}) ${noun}(${markers})\s*[,:]|as ${noun}(?<noted>${markers}) (?:also )?(?:${verbs.join('|')}),|${noun}(${markers}) (?:also |both |all )?(${verbs.join('|')})(?: that\b|:))\s*(?=\S)`,
  'i',
);
/** At the start of a paragraph or an item: "[1]: The bridge is old.", "[1] - The bridge is old." */
const front = new RegExp(String.raw`^(?!\(|\^)(${markers})(?:\s*:|[ \t]+[-–—])?\s+(?=["“‘*_]{0,2}[\p{Lu}\p{Lo}])`, 'u');
/** The same at the start of any line, where the colon tells it from a marker of the line above: "[2]: It is high." */
const label = new RegExp(String.raw`^(?!\(|\^)(${markers}):[ \t]+(?=["“‘*_]{0,2}[\p{Lu}\p{Lo}])`, 'u');
const begun = new RegExp(`^(?:(${openers.join('|')}|as) )?${noun}${markers}(.*)$`, 'i');
/** All that may come before the marker of a lead, in lower case. */
const beginnings = [...[...openers, 'as'].map((opener) => `${opener} `), ''].flatMap((opener) =>
  ['', 'the ', 'this '].flatMap((article) =>
    ['', ...nouns.map((word) => `${word} `)]
      .filter((word) => article === '' || word !== '')
      .map((word) => opener + article + word),
  ),
);
/** Characters of the longest lead that is waited for, and of the longest marker; set by hand. */
const maxLead = 120;
const maxMarker = 40;
/** A sentence that is longer than this gets no marker; set by hand. */
const maxSentence = 2_000;

/** The end of a sentence or of a line. */
const boundary = /\n|[.!?…]["'”’»)\]*_]{0,4}[ \t]+|[。！？][」』”]?/;
const mark = /[.!?…。！？\n]/;
const stopAtEnd = /[.!?…]["'”’»)\]*_]{0,4}$/;
const decoration = /^[ \t]*(?:(?:>|[-*+•]|\d{1,3}[.)])[ \t]+)*/;
const markerAfter = /^(?:\\?\[|\\$|【|［|[(^](?:\d|$))/;
const markerAtEnd = new RegExp(String.raw`${marker}[\s.!?…*_]*$`);

/** A filter for one answer. */
export function createLeadMarkers(): LeadMarkers {
  let waiting = '';
  let place: 'line' | 'sentence' | 'inside' = 'line';
  /** Whether what was passed on ends with a full stop or its like. */
  let hasStopped = false;
  const fences = createFenceReader();
  /** Whether the line has text, and whether it begins a paragraph. */
  let hasText = false;
  let isFresh = true;
  /** Whether the line above began like this, too. */
  let isLabelled = false;
  /** The markers of the lead that was left out of this sentence. */
  let moved: string | undefined;

  /** The end of the sentence that waits; undefined while more text decides. */
  function endOfSentence(isLast: boolean): number | undefined {
    const newline = waiting.indexOf('\n');
    const to = newline === -1 ? waiting.length : newline;
    for (const end of sentenceEnds(waiting, 0, to)) {
      const next = waiting.slice(end, to).trimStart();
      const isCertain = isLast || newline !== -1 || next.length >= charactersAfter(waiting.slice(0, end));
      if (end < to && isCertain) return end;
    }
    return newline !== -1 || isLast || waiting.length > maxSentence ? to : undefined;
  }

  function moveMarkers(end: number): string {
    const sentence = waiting.slice(0, end).trimEnd();
    waiting = waiting.slice(sentence.length);
    fences.push(sentence);
    const hasOwn = markerAfter.test(/^[ \t]*(\S*)/.exec(waiting)![1]!) || markerAtEnd.test(sentence);
    const shown = hasOwn || sentence.length > maxSentence ? '' : ` ${moved}`;
    moved = undefined;
    hasText = true;
    place = 'inside';
    hasStopped = true;
    return sentence + shown;
  }

  /** Passes text on up to the next place where a sentence may begin. */
  function passInside(): string {
    const found = hasStopped ? /^[ \t]+/.exec(waiting) : null;
    const next = found ?? boundary.exec(waiting);
    const text = next === null ? waiting : waiting.slice(0, next.index + next[0].length);
    waiting = waiting.slice(text.length);
    fences.push(text);
    hasText ||= text.trim() !== '';
    if (text.endsWith('\n')) {
      isFresh = !hasText;
      hasText = false;
    }
    if (next !== null) place = text.endsWith('\n') ? 'line' : 'sentence';
    hasStopped = next === null && stopAtEnd.test(text);
    return text;
  }

  function read(isLast: boolean): string {
    let text = '';
    while (waiting !== '') {
      if (moved !== undefined) {
        if (!isLast && !mark.test(waiting) && waiting.length <= maxSentence) break;
        const end = endOfSentence(isLast);
        if (end === undefined) break;
        text += moveMarkers(end);
        continue;
      }
      if (place === 'line') {
        if (!isLast && /^ {0,3}(?:`{1,2}|~{1,2})$/.test(waiting)) break;
        if (/^ {0,3}(?:```|~~~)/.test(waiting)) {
          place = 'inside';
          continue;
        }
        const before = decoration.exec(waiting)![0];
        if (!fences.isOpen() && !isLast && /^[ \t>*+•\d.)-]{0,12}$/.test(waiting)) break;
        fences.push(before);
        text += before;
        waiting = waiting.slice(before.length);
        isFresh ||= /\S/.test(before);
      }
      if (place !== 'inside' && !fences.isOpen()) {
        const found =
          leadOf(waiting) ?? (place === 'line' ? (isFresh || isLabelled ? front : label).exec(waiting) : null);
        moved = found === null ? undefined : plainMarkers((found[1] ?? found.groups?.noted ?? found[3])!);
        if (place === 'line' && (found !== null || isLast || !mayBegin(waiting))) isLabelled = found !== null;
        if (found !== null && moved !== undefined) {
          waiting = upperFirst(waiting.slice(found[0].length));
          continue;
        }
        if (!isLast && found === null && mayBegin(waiting)) break;
      }
      place = 'inside';
      text += passInside();
    }
    return text;
  }

  return {
    push(piece) {
      if (waiting === '' && place === 'inside' && !hasStopped && moved === undefined && !mark.test(piece)) {
        fences.push(piece);
        return piece;
      }
      waiting += piece;
      return read(false);
    },
    finish: () => read(true),
  };
}

/** A lead at the beginning of a text. "[1] Note: …" has none: its marker ends the sentence before it, and a label follows. */
function leadOf(text: string): RegExpExecArray | null {
  const found = lead.exec(text);
  return found?.[4] !== undefined && /^\p{Lu}/u.test(found[4]) ? null : found;
}

/** Whether more text may make a lead of this. */
function mayBegin(text: string): boolean {
  if (text.length > maxLead || text.includes('\n')) return false;
  const [, opener, rest] = begun.exec(text) ?? [];
  if (rest !== undefined) {
    if (/^[\s,&]*(?:and\s*)?(?:\\?\[|【|［|\(|\^)[^\]】）)\n]{0,30}$|^\s*(?:,\s*|&\s*|a|an|and\s*)?$/i.test(rest))
      return true;
    if (/^\s*(?:,|&|and)\s*(?:(?:the|this)\s)?[a-z]{0,10}\s?(?:\\?\[[^\]\n]{0,30})?$/i.test(rest)) return true;
    if (opener?.toLowerCase() === 'as') return verbs.some((verb) => `${verb},`.startsWith(rest.trim()));
    if (opener !== undefined) return /^\s*[,:]\s*$/.test(rest);
    if (/^\s*[:–—-]?\s*["“‘*_]{0,2}$/.test(rest)) return true;
    const words = rest.trimStart().toLowerCase();
    return verbPhrases.some((phrase) => phrase.startsWith(words) || words === `${phrase} `);
  }
  const lower = text.toLowerCase();
  return beginnings.some(
    (words) =>
      words.startsWith(lower) ||
      (lower.startsWith(words) && markerAfter.test(text.slice(words.length)) && text.length < words.length + maxMarker),
  );
}

/** "[1][2]" for markers in any style; undefined if one of them is not a marker: "[1931]". */
function plainMarkers(written: string): string | undefined {
  const numbers = written.match(everyMarker)!.map((each) => numbersIn(each.replace(/[\\[\]【】［］()^]/g, '')));
  return numbers.includes(undefined) ? undefined : numbers.flatMap((named) => named!.map((n) => `[${n}]`)).join('');
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
