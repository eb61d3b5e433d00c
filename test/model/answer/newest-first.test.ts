import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

const document = (file: string, title: string, text: string): Omit<Source, 'n'> => ({
  snapshot: file,
  start: 0,
  title,
  headings: title,
  url: `file:///club/${file}`,
  score: 1,
  corpusSize: 'small',
  text: `# ${title}\n\n${text}`,
});
const ask = (question: string, ...sources: Omit<Source, 'n'>[]) =>
  answer(
    question,
    sources.map((source, at) => ({ ...source, n: at + 1 })),
  );

const old = document(
  'minutes-2024.md',
  'Minutes of the annual meeting, 12 January 2024',
  '- Treasurer: Dev Patel\n- Secretary: Ben Hughes\n\nThe annual fee was set at 95 euros.',
);
const recent = document(
  'minutes-2026.md',
  'Minutes of the annual meeting, 10 January 2026',
  '- Treasurer: Carys Moon\n- Secretary: Ben Hughes\n\nThe annual fee was set at 110 euros.',
);

describe('of documents with dates that say different things', () => {
  it.each([
    ['Who is the treasurer?', 'Treasurer: Carys Moon. [2]'],
    ['How much is the annual fee?', 'The annual fee was set at 110 euros. [2]'],
  ])('the newest of a series answers: %s', (question, expected) => {
    expect(ask(question, old, recent).pieces.join('')).toBe(expected);
  });

  it('one of a year that is asked for answers', () => {
    expect(ask('Who was the treasurer in 2024?', old, recent).pieces.join('')).toContain('Dev Patel');
  });

  it('both are shown, the newest first, if they are not of one series', () => {
    const board = document('board-2025-03-01.md', 'Board of the club, March 2025', '- Treasurer: Ada Collins');
    const { pieces, status } = ask('Who is the treasurer?', old, board);
    expect(pieces.join('')).toMatch(/Ada Collins.*Treasurer: Dev Patel/s);
    expect(status).toBe('conflicting');
  });

  it('a document without a date stays where it is', () => {
    const notice = document('notice.md', 'Notice', '- Treasurer: Ada Collins');
    expect(ask('Who is the treasurer?', notice, recent).status).toBeUndefined();
  });

  it('the date may be in German, or in the name of the file', () => {
    const one = document('protokoll-a.md', 'Protokoll vom 10. März 2023', '- Jugendwart: Karl Bender');
    const two = document('protokoll-b.md', 'Protokoll vom 14. März 2025', '- Jugendwart: Nina Sauer');
    expect(ask('Wer ist Jugendwart?', one, two).pieces.join('')).toContain('Nina Sauer');
    const named = [2023, 2025].map((year) =>
      document(`plan-${year}.md`, 'Plan', `- Trainer: ${year === 2023 ? 'Kim' : 'Noor'} Berg`),
    );
    expect(ask('Who is the trainer?', ...named).pieces.join('')).toContain('Noor');
  });

  describe('and of tables with the same rows', () => {
    const rows = (service: string, puncture: string) =>
      `| Service | Price |\n|---|---|\n| Full service | ${service} |\n| Puncture | ${puncture} |`;
    const inOne = document(
      'prices.md',
      'Workshop prices',
      `## Prices 2024\n\n${rows('£85', '£12')}\n\n## Prices 2025\n\n${rows('£92', '£14')}`,
    );
    const apart = [
      document('prices-2025.md', 'Prices 2025', rows('£92', '£14')),
      document('prices-2024.md', 'Prices 2024', rows('£85', '£12')),
    ];

    it.each([
      ['How much is a full service?', '£92', '£85'],
      ['What is the cheapest service?', '£14', '£12'],
      ['Which service was the cheapest in 2024?', '£12', '£14'],
    ])('the newest answers, or that of the year in question: %s', (question, price, other) => {
      for (const sources of [[inOne], apart]) {
        const written = ask(question, ...sources).pieces.join('');
        expect(written).toContain(price);
        expect(written).not.toContain(other);
      }
    });
  });
});
