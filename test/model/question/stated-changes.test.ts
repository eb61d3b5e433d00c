/** Events that a later note moves or cancels, and notes that only look like it. */
import { expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument } from '../answer/small-documents.ts';

const ask = (question: string, text: string, news: string) =>
  answer(question, [
    smallDocument('plan.md', `# Plan\n\n${text}`),
    smallDocument('news.md', `# News\n\n${news}`, { n: 2 }),
  ])
    .pieces.join('')
    .trim();

const party = 'The summer party is on 20 June at 15:00 in the garden.';
const trip = 'The trip starts at 8:00 at the station on 3 May.';
const ausflug = 'Der Ausflug ist am 20. Juni um 9 Uhr am Markt.';

it.each([
  ['When is the summer party?', party, 'The summer party is moved to 27 June 2026.', '27 June'],
  ['When is the summer party?', party, 'Because of rain, the summer party has been moved to 27 June.', '27 June'],
  ['When is the summer party?', party, 'The summer party on 20 June is postponed to 4 July.', '4 July'],
  ['When is the summer party?', party, 'Summer party moved to 4 July.', '4 July'],
  ['Where is the summer party?', party, 'The summer party is cancelled.', 'cancelled'],
  ['Wann ist der Ausflug?', ausflug, 'Der Ausflug wurde abgesagt.', 'abgesagt'],
  ['Wann ist der Ausflug?', ausflug, 'Wegen der Baustelle wird der Ausflug auf den 27. Juni verschoben.', '27. Juni'],
  ['Quand est la fête ?', 'La fête est le 20 juin à 15 h.', 'La fête est reportée au 27 juin.', '27 juin'],
])('%s is answered by the change: %s %s', (question, text, news, expected) => {
  expect(ask(question, text, news)).toContain(expected);
});

it.each([
  ['When is the summer party?', party, 'If it rains, the summer party is cancelled.'],
  ['Where is the summer party?', party, 'The summer party can be cancelled by phone until 1 May.'],
  ['When is the summer party?', party, 'The summer party may be moved to 27 June.'],
  ['When does the trip start?', trip, 'The trip bus was moved to the yard at 9:30 on 4 May.'],
  ['Where does the trip start?', trip, 'The trip to Brek was cancelled in 2019 because of snow.'],
  ['At what time does the trip start?', trip, 'The bus of the trip was moved to the yard at 9:30.'],
  ['When does the trip start?', trip, 'Each trip that is cancelled late costs 30 €.'],
  ['Wann ist der Ausflug?', ausflug, 'Bei Regen wird der Ausflug auf den 27. Juni verschoben.'],
  ['Wann ist der Ausflug?', ausflug, 'Der Bus zum Ausflug wurde auf den 27. Juni verschoben.'],
  ['Quand est la fête ?', 'La fête est le 20 juin à 15 h.', 'La fête est annulée en cas de neige.'],
])('%s is answered by the plan: %s %s', (question, text, news) => {
  expect(ask(question, text, news)).toBe(`${text} [1]`);
});
