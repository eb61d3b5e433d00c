/**
 * The evidence of several branches of research as one list: in turns, each passage once, with the notes of all. As long as
 * it is short, passages are shown whole; a long one has notes instead, and with them room for many more pages.
 */
import { passageKey } from '../../../base/snapshot-id.ts';
import type { Evidence, PassageNote } from '../../ports/snapshot.ts';
import { numberEvidence, withoutNotes } from './notebook.ts';

/** Passages that are shown whole: about 12,000 tokens. Set by hand. */
const maxWhole = 40;
/**
 * Passages with notes, which are shown instead of their text and take about as many tokens; and passages without notes that
 * are shown beside them. Set by hand.
 */
const maxNoted = 160;
export const maxBeside = 8;

/** The pieces of all lists, numbered from 1: those with notes first. */
export function mergeEvidence(lists: readonly (readonly Evidence[])[]): Evidence[] {
  const found = new Map<string, Evidence>();
  for (let at = 0; lists.some((list) => at < list.length); at += 1) {
    for (const list of lists) {
      const piece = list[at];
      if (piece === undefined) continue;
      const known = found.get(passageKey(piece));
      const notes = together(known?.notes, piece.notes);
      found.set(passageKey(piece), { ...(known ?? piece), ...(notes === undefined ? {} : { notes }) });
    }
  }
  const pieces = [...found.values()];
  return numberEvidence([...pieces.filter(hasNotes), ...pieces.filter((piece) => !hasNotes(piece))]);
}

/** As many of them as fit into a prompt: whole if the ones with notes are few, and otherwise as notes. Numbered from 1. */
export function fitToPrompt(pieces: readonly Evidence[]): Evidence[] {
  const noted = pieces.filter(hasNotes);
  const others = pieces.filter((piece) => !hasNotes(piece));
  if (noted.length <= maxWhole) return numberEvidence([...noted, ...others].slice(0, maxWhole).map(withoutNotes));
  return numberEvidence([...noted.slice(0, maxNoted), ...others.slice(0, maxBeside)]);
}

function hasNotes({ notes }: Evidence): boolean {
  return notes !== undefined;
}

function together(
  a: readonly PassageNote[] | undefined,
  b: readonly PassageNote[] | undefined,
): readonly PassageNote[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isNew = (note: PassageNote) => !a.some(({ start, end }) => start <= note.start && note.end <= end);
  return [...a, ...b.filter(isNew)].sort((x, y) => x.start - y.start);
}
