/**
 * Labels: units that say what the units after them are about, as a heading does, and answer nothing themselves. They are the bold
 * words that a paragraph begins with ("**Playground.** The inspector …"), the questions that "Yes" or "No" follows, and short lines
 * without an end mark, such as the terms of a list of definitions.
 */
import { isNamedValue } from '../../../base/text/lines/plain-lines.ts';
import type { Candidate } from './features.ts';

/** Words of a label; longer lines say something themselves. Set by hand. */
const maxWords = 8;
/** Words of a note; a shorter line at the end of a paragraph may be a name below a letter. Set by hand. */
const minNoteWords = 3;

/** "一、停车。" */
const chineseLabel = /^[一二三四五六七八九十]+、\p{Script=Han}{1,8}[。：]$/u;

/** For each unit, in order, the index of the unit that labels it; undefined for a label and where there is none. */
export function readLabels(candidates: readonly Candidate[]): (number | undefined)[] {
  let open: number | undefined;
  return candidates.map((candidate, at) => {
    if (isLabel(candidate)) {
      open = at;
      return undefined;
    }
    if (open !== undefined && !isBelowSameHeading(candidates[open]!, candidate)) open = undefined;
    return open;
  });
}

/** Whether a unit labels the one after it. */
export function isLabel({ unit, source, passage, index }: Candidate): boolean {
  const next = passage.units[index + 1];
  if (next === undefined || next.section !== unit.section || next.kind === 'row') return false;
  if (unit.kind === 'sentence' && unit.text.endsWith('?') && isYesOrNo(next.text)) return true;
  if (unit.kind !== 'sentence' || unit.words.length > maxWords) return false;
  // The last of several notes says something itself.
  const before = passage.units[index - 1];
  const isLast = before?.block === unit.block && isShortLine(before) && unit.words.length >= minNoteWords;
  if (next.block !== unit.block) return !isLast && isShortLine(unit) && !isShortLine(next);
  const written = source.text.slice(unit.start, unit.end);
  if (chineseLabel.test(written)) return true;
  return /^(?:\*\*|__)/.test(written) && /[.:?](?:\*\*|__)?$/.test(written);
}

/** Whether a sentence answers the question before it, and says nothing without it: "Yes, in the café.", "A: No." */
export function isYesOrNo(text: string): boolean {
  return /^(?:A[.:] ?)?(?:yes|no(?!\. ?(?:\d|of\b))|ja|nein|oui|non|sí|si|nee|sim|não)(?:[,.:;!]|\s?[–—]|\s-\s)/i.test(
    text,
  );
}

function isShortLine({ text, kind, words }: Candidate['unit']): boolean {
  return kind === 'sentence' && words.length <= maxWords && !/[.!?:;,]$/.test(text) && !isNamedValue(text);
}

function isBelowSameHeading(one: Candidate, other: Candidate): boolean {
  return one.source === other.source && one.unit.section === other.unit.section;
}
