import { describe, expect, it } from 'vitest';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import { cleanPrompt } from '../../src/model/extractive/question/analyse.ts';
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

const pump: Source = {
  ...ferry,
  snapshot: 'pump',
  title: 'Pump manual',
  url: 'https://a.example/pump',
  text: `# Pump manual

The pump moves 40 litres a minute. The guarantee runs for two years.

## Fault codes

| Code | Meaning |
|---|---|
| E41 | The inlet filter is blocked. Clean it and restart the pump. |
| E52 | The motor is too hot. Wait 20 minutes. |`,
};
const log = `2025-11-03T08:12:44Z INFO  boot: firmware 3.2.1
2025-11-03T08:13:01Z WARN  sensor: reading below 0.3 bar
2025-11-03T08:13:32Z ERROR pump: stopped with E41 (retry in 60 s)
    at Controller.run (/opt/pump/controller.js:118:9)`;

describe('a long prompt', () => {
  it('is read for the error of a pasted log and for what is asked beside it', () => {
    expect(cleanPrompt(`${log}\n\nWhat should I do?`)).toBe('What should I do? pump: stopped with E41 (retry in 60 s)');
    expect(answer(log, [pump]).pieces.join('')).toContain('The inlet filter is blocked');
  });

  it('is read for the question at its end, with the sentence that it refers to', () => {
    const story =
      'We moved the pump to the shed last week, and everybody liked how it looked there in the sun. '.repeat(5);
    expect(cleanPrompt(`${story}How long does the guarantee run?`)).toBe('How long does the guarantee run?');
    expect(cleanPrompt(`${story}The display shows E52. What does this mean?`)).toBe(
      'The display shows E52. What does this mean?',
    );
    expect(answer(`${story}How long does the guarantee run?`, [pump]).pieces.join('')).toContain('two years');
  });

  it('is read in linear time', () => {
    for (const hostile of ['at '.repeat(20_000), '?'.repeat(60_000), 'a. '.repeat(20_000), '\n at x'.repeat(10_000)])
      expect(cleanPrompt(hostile)).not.toBe('');
  });
});

describe('a question with two parts', () => {
  const rules: Source = {
    ...ferry,
    snapshot: 'rules',
    title: 'Hausordnung',
    url: 'https://a.example/rules',
    text: '# Hausordnung\n\nDie Waschküche ist bis 21 Uhr geöffnet. Ein Stellplatz kostet 35 Euro im Monat. Hunde sind im Hof anzuleinen.',
  };

  it('is answered in both, in German as well', () => {
    const written = answer('Bis wann ist die Waschküche geöffnet und was kostet ein Stellplatz?', [rules]).pieces.join(
      '',
    );
    expect(written).toContain('21 Uhr');
    expect(written).toContain('35 Euro');
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
