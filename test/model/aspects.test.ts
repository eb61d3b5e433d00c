/** The parts that a question has by its form, and the answers in parts that are made from them. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import { aspectsOf } from '../../src/model/extractive/question/aspects.ts';
import { planSearch } from '../../src/model/extractive/question/plan.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const source = (n: number, title: string, text: string): Source => ({
  n,
  snapshot: `s${n}`,
  start: 0,
  title,
  headings: '',
  text,
  score: 20 - n,
  url: `https://example${n}.org/`,
});

describe('the parts of a question', () => {
  it.each<[string, [string, string][]]>([
    [
      'Which is longer, Marlow Bridge or Eastness Crossing, and how long is each?',
      [
        ['Marlow Bridge', 'how long is Marlow Bridge?'],
        ['Eastness Crossing', 'how long is Eastness Crossing?'],
      ],
    ],
    [
      'Which lake is deeper, Lake Baikal or Lake Tanganyika?',
      [
        ['Lake Baikal', 'How deep is Lake Baikal?'],
        ['Lake Tanganyika', 'How deep is Lake Tanganyika?'],
      ],
    ],
    [
      'Compare the Quarkle reactor, the Vimble tower and the Drostel canal.',
      [
        ['Quarkle reactor', 'Quarkle reactor'],
        ['Vimble tower', 'Vimble tower'],
        ['Drostel canal', 'Drostel canal'],
      ],
    ],
    [
      'How did the number of people employed by Osist Glass change from 2015 to 2025?',
      [
        ['2015', 'What was the number of people employed by Osist Glass in 2015?'],
        ['2025', 'What was the number of people employed by Osist Glass in 2025?'],
      ],
    ],
    [
      'Write a report on Marlow: when it was founded, and who its mayor is.',
      [
        ['When Marlow was founded', 'When Marlow was founded?'],
        ['Who Marlow’s mayor is', 'Who Marlow’s mayor is?'],
      ],
    ],
  ])('of %s', (question, parts) => {
    expect(aspectsOf(question).map(({ label, question: text }) => [label, text])).toEqual(parts);
  });

  it.each([
    'When was the Marlow Bridge opened?',
    'What is the difference between HTTP and WebSocket?',
    'Were Scott Derrickson and Ed Wood of the same nationality?',
    'Who wrote Trade and Industry?',
    `${'A, '.repeat(20_000)}B?`,
  ])('are none of %s', (question) => {
    expect(aspectsOf(question)).toEqual([]);
  });

  it('have the years between, where pages name them with the subject', () => {
    const pages = ['In 2010, Marlow had 9 inhabitants.', 'In 2012, Eastness had 8 inhabitants.'];
    const parts = aspectsOf('How did the population of Marlow change from 2005 to 2025?', pages);
    expect(parts.map(({ label }) => label)).toEqual(['2005', '2010', '2025']);
  });

  it('are searched for, all of them if the search is deep', () => {
    const names = ['Ahlen', 'Bedlam', 'Cavell', 'Dorset', 'Elmira', 'Farrow'].map((name) => `${name} Bridge`);
    const question = `Which is the longest of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}, and how long is each of them?`;
    expect(planSearch(question).queries).toHaveLength(4);
    const { queries } = planSearch(question, question, true);
    for (const name of names) expect(queries).toContain(`how long is ${name}?`);
  });
});

describe('an answer in parts', () => {
  const filler = 'A market is held on the first days of the month. The archive holds boxes of papers.';
  const bridges = [
    source(1, 'Marlow Bridge', `Marlow Bridge was opened in 1931. Marlow Bridge is 310 metres long. ${filler}`),
    source(2, 'Eastness Crossing', `Eastness Crossing is 720 metres long. Eastness Crossing cost 9 crowns. ${filler}`),
    source(3, 'Hotels', `Listed here: Marlow Bridge, Eastness Crossing. ${filler}`),
  ];
  const question = 'Which is longer, Marlow Bridge or Eastness Crossing, and how long is each?';

  it('has a sentence for each thing that is compared', () => {
    expect(answer(question, bridges).pieces.join('')).toBe(
      'Marlow Bridge is 310 metres long. [1] Eastness Crossing is 720 metres long. [2]',
    );
  });

  it('has a heading for each of them in a deep search', () => {
    expect(answer(question, bridges, { deep: true }).pieces.join('')).toBe(
      '## Marlow Bridge\n\nMarlow Bridge is 310 metres long. [1]\n\n## Eastness Crossing\n\nEastness Crossing is 720 metres long. [2]',
    );
  });
});
