import { describe, expect, it } from 'vitest';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import { countValues, valueAskedBy } from '../../src/model/extractive/question/asked-value.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const ferry: Source = {
  n: 1,
  snapshot: 'ferry',
  start: 0,
  title: 'Ferry to Varnay',
  headings: '',
  url: 'https://a.example/ferry',
  score: 3,
  text: `# Ferry to Varnay

The crossing takes 40 minutes. Boarding ends ten minutes before departure. A page has 50 rows (max. 200) at the counter.

## Fares

| Passenger | Fare |
|---|---|
| Adult | 86 kr |
| Bicycle | 25 kr |

Dogs travel on the car deck. Smoking is forbidden on board, because the deck is made of wood.`,
};

const ask = (question: string) => answer(question, [ferry]).pieces.join('');

describe('an answer from a document or two', () => {
  it('finds a price in a table whose words are other ones', () => {
    expect(ask('What does it cost to bring my bike?')).toContain('25 kr');
  });

  it('finds a duration, a place and a reason asked for in other words', () => {
    expect(ask('How long is the trip?')).toContain('40 minutes');
    expect(ask('Where must my pet stay?')).toContain('car deck');
    expect(ask('Why may I not smoke?')).toContain('made of wood');
  });

  it('refuses what the document does not say about its own subject', () => {
    expect(ask('What does a berth in a cabin cost?')).toBe('');
    expect(ask('Which company insures the boats?')).toBe('');
  });

  it('keeps a sentence with an abbreviation whole', () => {
    expect(ask('How many rows has a page at the counter?')).toContain('(max. 200) at the counter.');
  });
});

describe('the value that a question asks for', () => {
  it.each([
    ['How much is a ticket?', 'money', 'A ticket: 4.20.'],
    ['Was kostet der Parkplatz?', 'money', 'Der Stellplatz kostet 30 Euro.'],
    ['À quelle heure ouvre la piscine ?', 'clock', 'Mercredi | 10 h – 18 h'],
    ['Combien de temps dure un prêt ?', 'duration', 'Le prêt dure trois semaines.'],
    ['Wie oft wird geputzt?', 'frequency', 'Das Treppenhaus wird wöchentlich geputzt.'],
    ['When is the rubbish collected?', 'day', 'The bin is emptied on Thursdays.'],
    ['Who runs the kitchen?', 'person', 'Our chef is Noémie Castan.'],
    ['Which number do I call?', 'contact', 'Ring 01 44 55 66.'],
    ['May I bring a dog?', 'permission', 'Dogs are not allowed.'],
    ['I lost my card. Why was it blocked? It is green.', 'reason', 'It is blocked because it expired.'],
  ])('is read from %s', (question, type, stated) => {
    expect(valueAskedBy(question)).toBe(type);
    expect(countValues(valueAskedBy(question)!, stated, question)).toBeGreaterThan(0);
  });

  it('is not the one that the question has itself', () => {
    expect(countValues('duration', 'The fee covers two weeks.', 'How long are the two weeks of holiday?')).toBe(0);
  });
});
