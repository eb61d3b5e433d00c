/** Notes of a deep search: what of them is believed, what is shown, and how much fits. */
import { describe, expect, it } from 'vitest';
import type { Evidence, Passage } from '../../../../src/engine/ports/snapshot.ts';
import { fitToPrompt, mergeEvidence } from '../../../../src/engine/research/evidence/merge-evidence.ts';
import { createNotebook } from '../../../../src/engine/research/evidence/notebook.ts';

const bridge = 'The bridge was opened on 14 May 1931. It was built by Odo Brandt, who lived in Marlow.';
const passage = (snapshot: string, text = bridge): Passage => ({
  snapshot,
  url: `https://${snapshot}.example/`,
  title: 'The bridge of Marlow',
  headings: '',
  text,
  start: 0,
  end: text.length,
  score: 1,
});
const note = (evidence: number, quote: string, fact = '') => ({ evidence, quote, fact });
const quotesIn = (piece: Evidence | undefined) => piece?.notes?.map(({ start, end }) => piece.text.slice(start, end));

describe('a notebook', () => {
  it('keeps a note by the words of the page, and drops one whose words the page does not have', () => {
    const notebook = createNotebook();
    const shown = notebook.show([passage('a')]);
    const kept = notebook.take(shown, [
      note(1, 'built by  Odo Brandt', 'Odo Brandt built the bridge of Marlow.'),
      note(1, 'designed by Ada Holt'),
      note(7, 'built by Odo Brandt'),
    ]);
    expect(kept).toBe(1);
    const [piece] = notebook.pieces([]);
    expect(quotesIn(piece)).toEqual(['built by Odo Brandt']);
    expect(piece?.notes?.[0]?.fact).toBe('Odo Brandt built the bridge of Marlow.');
    expect(piece?.text).toBe(bridge);
  });

  it('keeps the words of the page alone where the fact says otherwise', () => {
    const notebook = createNotebook();
    notebook.take(notebook.show([passage('a')]), [
      note(1, 'The bridge was opened on 14 May 1931.', 'The bridge was opened on 15 May 1931.'),
    ]);
    expect(notebook.pieces([])[0]?.notes).toEqual([{ start: 0, end: 37 }]);
  });

  it('shows what was noted instead of the passage, until another query finds the passage again', () => {
    const notebook = createNotebook();
    notebook.take(notebook.show([passage('a'), passage('b')]), [note(1, 'built by Odo Brandt')]);
    const later = notebook.show([passage('c')]);
    expect(later.map(({ snapshot, n }) => [snapshot, n])).toEqual([
      ['a', 1],
      ['c', 2],
    ]);
    expect(quotesIn(later[0])).toEqual(['built by Odo Brandt']);
    expect([notebook.isRead(passage('b')), notebook.isRead(passage('c'))]).toEqual([true, false]);
    const again = notebook.show([passage('a')]);
    expect(again.map(({ snapshot, notes }) => [snapshot, notes])).toEqual([['a', undefined]]);
    notebook.take(again, [note(1, 'opened on 14 May 1931')]);
    expect(quotesIn(notebook.pieces([])[0])).toEqual(['opened on 14 May 1931', 'built by Odo Brandt']);
  });
});

describe('the evidence of several lines', () => {
  const noted = (snapshot: string, quote: string): Evidence => {
    const start = bridge.indexOf(quote);
    return { ...passage(snapshot), n: 1, notes: [{ start, end: start + quote.length }] };
  };

  it('has each passage once, with the notes of all lines', () => {
    const pieces = mergeEvidence([[{ ...passage('b'), n: 1 }, noted('a', 'Odo Brandt')], [noted('a', '14 May 1931')]]);
    expect(pieces.map(({ snapshot, n }) => [snapshot, n])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(quotesIn(pieces[0])).toEqual(['14 May 1931', 'Odo Brandt']);
  });

  it('is shown whole as long as it is short, and as notes when it is long', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => noted(`p${at}`, 'Odo Brandt'));
    const rest = Array.from({ length: 30 }, (_, at) => ({ ...passage(`q${at}`), n: 1 }));
    const short = fitToPrompt([...many(20), ...rest]);
    expect(short).toHaveLength(40);
    expect(short.filter(({ notes }) => notes !== undefined)).toEqual([]);
    const long = fitToPrompt([...many(100), ...rest]);
    expect(long.slice(0, 100).every(({ notes }) => notes !== undefined)).toBe(true);
    expect(long.slice(100).map(({ notes }) => notes)).toEqual(Array.from({ length: 8 }, () => undefined));
    expect(long.map(({ n }) => n)).toEqual(long.map((_, at) => at + 1));
  });
});
