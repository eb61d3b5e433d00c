/**
 * What a branch of a deep search has read for its question. A model that reads a passage notes the facts in it that help, each with
 * the words that say it. From then on the note stands for the passage: many more pages fit into a prompt. The passage stays
 * what is cited, so a citation is checked against the page itself. A note whose words the passage does not have is dropped,
 * as is a fact that the passage contradicts.
 */
import { passageKey } from '../../../base/snapshot-id.ts';
import type { Note } from '../../ports/model.ts';
import type { Evidence, Passage, PassageNote } from '../../ports/snapshot.ts';
import { createQuoteLocator } from '../../writing/locate-quote.ts';

export interface Notebook {
  /** Whether anything was noted. */
  isEmpty(): boolean;
  /** Whether the passage was shown to the model. */
  isRead(passage: Passage): boolean;
  /** What was noted, and after it the passages of `fresh`, which are shown whole; numbered from 1. */
  show(fresh: readonly Passage[]): Evidence[];
  /** Takes what the model noted of the passages that it was shown. Returns how many notes were kept. */
  take(shown: readonly Evidence[], notes: readonly Note[]): number;
  /** What was noted, oldest first, then those of `others` without notes, each once. Numbered from 1. */
  pieces(others: readonly Passage[]): Evidence[];
}

/** Characters of a fact, and notes of one passage; set by hand: a passage has at most 250 words. */
const maxFact = 300;
const maxPerPassage = 8;

/** A notebook that has the notes of `before`, if there are any. */
export function createNotebook(before: readonly Evidence[] = []): Notebook {
  const noted = new Map<string, Evidence>();
  for (const piece of before) if (piece.notes !== undefined) noted.set(passageKey(piece), piece);
  const read = new Set(noted.keys());

  return {
    isEmpty: () => noted.size === 0,
    isRead: (passage) => read.has(passageKey(passage)),

    show(fresh) {
      const whole = new Set(fresh.map(passageKey));
      const known = [...noted.values()].map((piece) => (whole.has(passageKey(piece)) ? withoutNotes(piece) : piece));
      return numberEvidence([...known, ...fresh.filter((passage) => !noted.has(passageKey(passage)))]);
    },

    take(shown, notes) {
      const locator = createQuoteLocator(shown);
      let kept = 0;
      for (const note of notes) {
        const piece = shown[note.evidence - 1];
        const quote = piece && locator.locateQuote(note.quote, piece);
        if (piece === undefined || quote === undefined) continue;
        const key = passageKey(piece);
        const known = noted.get(key)?.notes ?? [];
        const isKnown = known.some(({ start, end }) => start <= quote.start && quote.end <= end);
        if (isKnown || known.length === maxPerPassage) continue;
        const fact = note.fact.replace(/\s+/g, ' ').trim().slice(0, maxFact).toWellFormed();
        const denied = fact !== '' && locator.locateClaim(fact, 0, fact.length, piece)?.verdict === 'contradicted';
        const added: PassageNote = { start: quote.start, end: quote.end, ...(denied || fact === '' ? {} : { fact }) };
        noted.set(key, { ...piece, notes: [...known, added].sort((a, b) => a.start - b.start) });
        kept += 1;
      }
      for (const piece of shown) read.add(passageKey(piece));
      return kept;
    },

    pieces(others) {
      const rest = new Map(others.map((passage) => [passageKey(passage), passage]));
      for (const key of noted.keys()) rest.delete(key);
      return numberEvidence([...noted.values(), ...rest.values()]);
    },
  };
}

/** A piece that is shown whole. */
export function withoutNotes<Piece extends Passage & { readonly notes?: readonly PassageNote[] }>(piece: Piece): Piece {
  const { notes: _notes, ...whole } = piece;
  return whole as Piece;
}

/** Numbered from 1. */
export function numberEvidence(pieces: readonly (Passage & { readonly notes?: readonly PassageNote[] })[]): Evidence[] {
  return pieces.map((piece, at) => ({ ...piece, n: at + 1 }));
}
