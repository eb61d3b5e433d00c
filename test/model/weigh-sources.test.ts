/** The extractive model shows both sides where pages differ, the better source first, and only the newest where that is asked. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const filler = 'A market is held in spring. Visitors find a small museum with a garden.';
const page = (n: number, title: string, text: string, places = 0): Source => ({
  n,
  snapshot: `${n}`,
  start: 0,
  title,
  headings: '',
  text: `${text} ${filler}`,
  score: 10 - n,
  url: `https://example.org/${n}`,
  places,
});
const others = ['Harrow', 'Tamsel', 'Wick', 'Oster', 'Linden', 'Varn'].map((name, at) =>
  page(
    10 + at,
    `${name} Bridge`,
    `${name} Bridge was opened on ${at + 2} May 19${60 + at}. It cost ${at + 3},000 crowns.`,
  ),
);
const ask = (prompt: string, ...pages: Source[]) => {
  const { pieces, status } = answer(prompt, [...pages, ...others]);
  return { text: pieces.join(''), status };
};

describe('an answer from pages that differ', () => {
  const guide = (places = 0) => page(1, 'Morrel Bridge', 'Morrel Bridge was opened on 4 June 1971.', places);
  const history = (places = 0) =>
    page(2, 'Morrel Bridge – a history', 'Morrel Bridge was opened on 9 July 1974.', places);
  const when = 'When was Morrel Bridge opened?';

  it('has both sides, and says that they differ', () => {
    expect(ask(when, guide(), history())).toEqual({
      text: 'Morrel Bridge was opened on 4 June 1971. [1] Morrel Bridge was opened on 9 July 1974. [2]',
      status: 'conflicting',
    });
  });

  it('has both sides where they say it in the same words, which are not those of the question', () => {
    const carts = (n: number, date: string) =>
      page(n, 'Morrel Bridge', `The first carts rolled over Morrel Bridge on ${date}.`);
    expect(ask(when, carts(1, '15 July 1971'), { ...carts(2, '10 April 1984'), title: 'Bridges' }).status).toBe(
      'conflicting',
    );
  });

  it('begins with the better source', () => {
    expect(ask(when, guide(-4), history()).text).toMatch(/1974\. \[2\].*1971\. \[1\]$/);
  });

  it('has one where they agree', () => {
    const same = page(2, 'Morrel Bridge – a history', 'The opening of Morrel Bridge took place on 4 June 1971.');
    expect(ask(when, guide(), same)).toEqual({
      text: 'Morrel Bridge was opened on 4 June 1971. [1]',
      status: undefined,
    });
  });

  it('has one where the other only says less precisely when it was', () => {
    const short = page(
      2,
      'Morrel Bridge – a history',
      'Morrel Bridge (opened in 1971) was the third bridge of the town.',
    );
    expect(ask(when, guide(), short)).toEqual({
      text: 'Morrel Bridge was opened on 4 June 1971. [1]',
      status: undefined,
    });
  });

  it('has one where the other page counts something else of the same place', () => {
    const lakes = page(1, 'Varn', 'There are at least 3,223 named lakes in Varn, among them Linden Lake.');
    const rivers = page(
      2,
      'Varn – rivers',
      'Varn has many named rivers, 450 miles of which are known for their trout.',
    );
    expect(ask('How many named lakes are there in Varn?', lakes, rivers)).toEqual({
      text: 'There are at least 3,223 named lakes in Varn, among them Linden Lake. [1]',
      status: undefined,
    });
  });

  it('has one where the other page only gives a date to something else', () => {
    const born = page(1, 'Mira Solvay', 'Mira Solvay was born on 8 June 1877 in Wick.');
    const crowned = page(2, 'Mira Solvay – awards', 'On 16 May 1908, Mira Solvay was named engineer of the year.');
    const opened = page(3, 'Solvay Hall', 'On 2 March 1910, Mira Solvay opened the hall that has her name.');
    expect(ask("When is Mira Solvay's birthday?", born, crowned, opened)).toEqual({
      text: 'Mira Solvay was born on 8 June 1877 in Wick. [1]',
      status: undefined,
    });
  });

  it('takes no word of a name for what is asked of it', () => {
    const arts = page(1, 'Varn City', 'Varn City has more than 500 art galleries of all sizes.');
    const people = page(2, 'Varn City – people', 'Approximately 37% of the people of Varn City were born elsewhere.');
    expect(ask('Approximately how many galleries of art are in Varn City?', arts, people)).toEqual({
      text: 'Varn City has more than 500 art galleries of all sizes. [1]',
      status: undefined,
    });
  });

  it('has the newest alone where it is asked what holds now', () => {
    const report = (n: number, staff: string, places: number) =>
      page(n, 'News from Orm Optics', `Orm Optics employs ${staff} people.`, places);
    const own = page(1, 'Orm Optics', 'In 2015, Orm Optics employed 222 people.', -12);
    const { text, status } = ask(
      'How many people does Orm Optics employ today?',
      own,
      report(2, '300', -20),
      report(3, '410', -2),
    );
    expect({ text, status }).toEqual({ text: 'Orm Optics employs 410 people. [3]', status: undefined });
  });
});

describe('a question for several things', () => {
  it('has one sentence where the others are not of the kind that is asked for', () => {
    const first = page(1, 'Orm', 'The teachings on patience are regarded as central to Orm.');
    const more = [
      page(2, 'Orm', 'One important idea of Orm, in Wick, was that patience must be practised.'),
      page(3, 'Orm', 'Devotion is the most important part of Orm in Varn and Linden.'),
    ];
    expect(ask('What teachings are the most important to Orm?', first, ...more).text.match(/\[\d\]/g)).toHaveLength(1);
  });
});

describe('a question whose page does not say it', () => {
  it('is refused, although other pages say it of other things', () => {
    const own = page(1, 'Morrel Bridge', 'Morrel Bridge is 300 metres long. Morrel Bridge was opened on 4 June 1971.');
    expect(ask('How many crowns did Morrel Bridge cost?', own).text).toBe('');
    expect(ask('How many crowns did Harrow Bridge cost?', own).text).toContain('It cost 3,000 crowns.');
  });
});
