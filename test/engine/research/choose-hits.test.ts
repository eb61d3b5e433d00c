/** Which of the pages that were found are opened. */
import { describe, expect, it } from 'vitest';
import { everySource } from '../../../protocol/index.ts';
import type { Hit } from '../../../src/engine/ports/web.ts';
import { chooseHits } from '../../../src/engine/research/choose-hits.ts';

const scope = { rules: everySource };
const hit = (
  path: string,
  title: string,
  snippet = 'Read more about it on this page.',
  published_at?: string,
): Hit => ({
  url: `https://a.example/${path}`,
  title,
  snippet,
  ...(published_at === undefined ? {} : { published_at }),
});
const paths = (hits: readonly Hit[]) => hits.map(({ url }) => new URL(url).pathname.slice(1));

describe('the pages that are opened', () => {
  const bridges = Array.from({ length: 8 }, (_, at) => hit(`other${at}`, `Other${at} Crossing`));
  const named = [
    hit('one', 'Jarotell Crossing'),
    hit('two', 'Postcards', 'The first carts rolled over Jarotell in spring.'),
  ];

  it('are those about the subject, in their order, and a few others', () => {
    const hits = [bridges[0]!, named[0]!, ...bridges.slice(1, 5), named[1]!, ...bridges.slice(5)];
    const chosen = paths(chooseHits(hits, ['When was Jarotell Crossing opened?'], scope, 10));
    expect(chosen.slice(0, 2)).toEqual(['one', 'two']);
    expect(chosen).toEqual(['one', 'two', 'other0', 'other1']);
  });

  it('are all of them where no hit is about the subject, or no name is asked for', () => {
    expect(paths(chooseHits(bridges, ['Jarotell viaduct'], scope, 10))).toEqual(paths(bridges));
    const pumps = [
      hit('a', 'Heat pumps'),
      hit('b', 'Pumps in cold weather'),
      hit('c', 'What a pump costs'),
      hit('d', 'Cold'),
    ];
    const more = [...pumps, hit('e', 'How heat moves'), hit('f', 'Do they work?')];
    expect(paths(chooseHits(more, ['how do heat pumps work when it is cold'], scope, 10)).slice(0, 2)).toEqual([
      'a',
      'b',
    ]);
  });

  it('include those of which nothing is known but the address', () => {
    const bare = Array.from({ length: 6 }, (_, at) => hit(`bare${at}`, '', ''));
    expect(paths(chooseHits([...named, ...bare], ['Jarotell Crossing'], scope, 10))).toHaveLength(8);
  });

  it('are about the subject of any query', () => {
    const hits = [...named, hit('tree', 'The old tree of Velmora'), hit('mill', 'Mills'), ...bridges];
    expect(paths(chooseHits(hits, ['Jarotell Crossing', 'Velmora tree'], scope, 10)).slice(0, 3)).toEqual([
      'one',
      'two',
      'tree',
    ]);
  });

  it('are not the pages outside the dates, unless there are no others', () => {
    const dated = { rules: everySource, from: '2025-01-01', to: '2025-12-31' };
    const old = hit('old', 'Jarotell Crossing', 'Jarotell Crossing then', '2019-05-20');
    const now = hit('now', 'Jarotell Crossing', 'Jarotell Crossing now', '2025-05-20');
    const undated = hit('undated', 'Jarotell Crossing', 'Jarotell Crossing at any time');
    expect(paths(chooseHits([old, now, undated], ['Jarotell'], dated, 10))).toEqual(['now', 'undated']);
    expect(paths(chooseHits([old], ['Jarotell'], dated, 10))).toEqual(['old']);
    expect(paths(chooseHits([old], ['Jarotell'], dated, 10, true))).toEqual([]);
  });

  it('are at most as many as the limit', () => {
    const hits = Array.from({ length: 20 }, (_, at) => hit(`p${at}`, `Jarotell ${at}`));
    expect(chooseHits(hits, ['Jarotell'], scope, 7)).toHaveLength(7);
    expect(chooseHits(hits, ['Jarotell'], scope, 0)).toEqual([]);
  });

  it('match names in scripts without upper case, and with marks', () => {
    const hits = [
      hit('other', '別の橋について'),
      hit('tokyo', '東京タワーの高さ'),
      hit('sao', 'São Jorge, a cidade'),
      ...bridges,
    ];
    expect(paths(chooseHits(hits, ['東京タワー'], scope, 10))[0]).toBe('tokyo');
    expect(paths(chooseHits(hits, ['Sao Jorge castle'], scope, 10))[0]).toBe('sao');
  });
});
