/** How sources are weighed by their kind and date. */
import { describe, expect, it } from 'vitest';
import { everySource } from '../../../../protocol/index.ts';
import { createRanking } from '../../../../src/engine/research/evidence/ranking.ts';
import { sourceKindOf } from '../../../../src/engine/research/evidence/source-kind.ts';
import { createWeigh } from '../../../../src/engine/research/evidence/standing.ts';
import { mergeHits } from '../../../../src/engine/research/hits.ts';

const today = '2026-06-01';
const urlsOf = (question: string, urls: readonly (string | [string, string])[]) => {
  const hits = urls.map((each) => {
    const [url, published_at] = typeof each === 'string' ? [each] : each;
    return { url, title: '', snippet: '', ...(published_at === undefined ? {} : { published_at }) };
  });
  return mergeHits([hits], everySource, createWeigh({ question, today })).map(({ url }) => url);
};

describe('the kind of a source', () => {
  it.each([
    ['https://www.reddit.com/r/heatpumps/comments/1', 'forum'],
    ['https://old.reddit.com/r/heatpumps', 'forum'],
    ['https://forum.example.org/t/1', 'forum'],
    ['http://example.org/forum/12', 'forum'],
    ['https://someone.substack.com/p/1', 'blog'],
    ['https://example.org/en/blog/one', 'blog'],
    ['https://en.wikipedia.org/wiki/Bridge', 'reference'],
    ['https://www.gov.uk/vat', 'official'],
    ['https://www.service-public.gouv.fr/', 'official'],
    ['https://docs.example.org/setup', 'official'],
    ['https://www.bbc.co.uk/sport/1', 'news'],
    ['https://example.org/2025/05/12/story', 'news'],
    ['https://example.org/about', undefined],
    ['file:///home/me/notes/forum/1.md', undefined],
    ['no address', undefined],
  ])('of %s is %s', (url, kind) => {
    expect(sourceKindOf(url)).toBe(kind);
  });

  it('is official for the site that bears a name of the question, and not for its forum', () => {
    const asked = new Set(['northwind']);
    expect(sourceKindOf('https://www.northwind.com/news/2025', asked)).toBe('official');
    expect(sourceKindOf('https://community.northwind.com/t/1', asked)).toBe('forum');
    expect(sourceKindOf('https://northwind-fans.com/', asked)).toBe(undefined);
  });
});

describe('the order of pages', () => {
  it('has the better kind first where their places are close', () => {
    const [forum, plain, official] = [
      'https://www.reddit.com/r/1',
      'https://example.org/1',
      'https://northwind.com/pumps',
    ];
    expect(urlsOf('How loud is the pump of Northwind?', [forum, plain, official])).toEqual([official, plain, forum]);
  });

  it('keeps a page that is far better, whatever its kind', () => {
    const plain = Array.from({ length: 9 }, (_, at) => `https://example${at}.org/`);
    const order = urlsOf('How loud is it?', ['https://www.reddit.com/r/1', ...plain]);
    expect(order.indexOf('https://www.reddit.com/r/1')).toBeLessThan(5);
  });

  it('has the newest first where the question asks for what holds now, and only there', () => {
    const pages: [string, string][] = [
      ['https://a.example/', '2019-01-01'],
      ['https://b.example/', '2024-01-01'],
      ['https://c.example/', '2026-05-01'],
    ];
    const given = pages.map(([url]) => url);
    for (const question of ['Who is the current mayor?', 'Wer ist heute Bürgermeister?', 'Who is mayor in 2026?'])
      expect(urlsOf(question, pages)).toEqual([...given].reverse());
    expect(urlsOf('Who was the first mayor?', pages)).toEqual(given);
  });

  it('is told with the evidence', () => {
    const ranking = createRanking(createWeigh({ question: 'How loud is it?', today }));
    const page = { title: '', headings: '', start: 0, end: 9, score: 1 };
    ranking.add(
      [
        { ...page, snapshot: 'a', url: 'https://forum.example.org/1', text: 'Loud: 40.' },
        { ...page, snapshot: 'b', url: 'https://example.org/1', text: 'Loud: 50.' },
      ],
      0,
    );
    const best = ranking.best({ passages: 5 }, new Map(), 5, { rules: everySource });
    expect(best.map(({ snapshot, standing }) => [snapshot, standing?.kind])).toEqual([
      ['b', undefined],
      ['a', 'forum'],
    ]);
  });
});
