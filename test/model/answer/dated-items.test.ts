/** The first or the last item of a list by its dates. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument as document } from './small-documents.ts';

const concerts = document(
  'Concerts 2026',
  `# Concerts 2026

- Saturday 14 March, 7.30 pm: St Mary's Church, Requiem
- Sunday 17 May, 4 pm: Town Hall, songs for spring
- Friday 18 December, 7 pm: St Mary's Church, carols`,
);
const programme = document(
  'Programme',
  `# Programme

- 14 March 2026: Spring concert, St Mary's
- 17 May 2026: Fête on the lawn
- 11 October 2026: Harvest concert, Library
- 18 December 2026: Party

Meetings: 3 February, 12 May, 8 September`,
);
const season = document('Fixtures', '# Fixtures\n\n- 14 September: Wexcombe\n- 2 November: Lyde\n- 8 February: Hythe');
const termine = document(
  'Konzerte 2026',
  '# Konzerte 2026\n\n- 14. März: Frühlingskonzert, Kirche\n- 17. Mai: Singen im Park\n- 11. Oktober: Herbstkonzert',
);
const fechas = document(
  'Conciertos',
  '# Conciertos\n\n- 14 de marzo: iglesia\n- 17 de mayo: parque\n- 11 de octubre: teatro',
);
const minutes = document(
  'Minutes',
  '# Minutes\n\n- Anna orders the pump by 15 March.\n- Next meeting: 8 April, 19:00.',
);
const matches = document(
  'matches.csv',
  '| Date | Home | Away |\n|---|---|---|\n| 07.09.2025 | Lyde | Hythe |\n| 23.11.2025 | Marsh | Lyde |',
);

const said = (question: string, source: Source) => answer(question, [source]).pieces.join('');

describe('of a list with dates', () => {
  it.each([
    ['When is the last concert?', concerts, '18 December', '14 March'],
    ['Where is the first concert?', concerts, '14 March', '18 December'],
    ['When is the last concert?', programme, '11 October', '18 December'],
    ['What is the last event?', programme, '18 December', '11 October'],
    ['When is the last match of the season?', season, '8 February', '2 November'],
    ['Wann ist das letzte Konzert?', termine, '11. Oktober', '14. März'],
    ['¿Cuándo es el primer concierto?', fechas, '14 de marzo', '11 de octubre'],
    ['When is the last match?', matches, '23.11.2025', '07.09.2025'],
  ])('the first or last item is quoted: %s', (question, source, words, others) => {
    expect(said(question, source)).toContain(words);
    expect(said(question, source)).not.toContain(others);
  });

  it('all items are quoted for the next one, as the day is not known', () => {
    expect(said('When is the next concert?', programme)).toMatch(/14 March[\s\S]*11 October/);
    expect(said('When is the next concert?', programme)).not.toContain('Party');
  });

  it('what says itself which is the next one is quoted alone', () => {
    expect(said('When is the next meeting?', minutes)).not.toContain('15 March');
    expect(said('When is the next meeting?', minutes)).toContain('8 April');
  });

  it('when the next one is due is not when the last one was', () => {
    const boiler = document(
      'House',
      '# House\n\n## Heating\n\nThe boiler is a Vaillant. It was serviced on 12 March 2025 by Jens Falk. The next service is due in May 2026.',
    );
    expect(said('When is the next boiler service?', boiler)).toContain('May 2026');
    expect(said('When was the boiler serviced?', boiler)).toContain('12 March 2025');
  });
});
