/** Which passages become evidence. */
import { describe, expect, it } from 'vitest';
import { everySource } from '../../../../protocol/index.ts';
import type { Passage } from '../../../../src/engine/ports/snapshot.ts';
import { createRanking } from '../../../../src/engine/research/evidence/ranking.ts';

const scope = { rules: everySource };
const story =
  'The ferry between Marlow and Eastness stops on 3 June, the harbour office said, because the old pier has to be ' +
  'rebuilt before the winter storms. Passengers may use the bridge without a toll until the work is done.';
const passage = (snapshot: string, text: string, published_at?: string): Passage => ({
  snapshot,
  url: `https://${snapshot}.example/story`,
  title: 'Ferry',
  headings: '',
  text,
  start: 0,
  end: text.length,
  score: 1,
  ...(published_at === undefined ? {} : { published_at }),
});
const best = (passages: readonly Passage[], within = scope) => {
  const ranking = createRanking();
  ranking.add(passages, 0);
  return ranking.best({ passages: 10 }, new Map(), 10, within).map(({ snapshot }) => snapshot);
};

describe('the evidence', () => {
  it('has the same story once, whichever sites tell it', () => {
    const retold = story.replace('because the old pier has to be rebuilt', 'as the old pier has to be rebuilt');
    expect(best([passage('courier', story), passage('gazette', retold), passage('herald', story)])).toEqual([
      'courier',
    ]);
  });

  it('has both sides where pages differ in a number or a name', () => {
    const later = story.replace('3 June', '13 June');
    const other = story.replace('Eastness', 'Westness');
    expect(best([passage('courier', story), passage('gazette', later), passage('herald', other)])).toHaveLength(3);
  });

  it('has a longer telling after a shorter one', () => {
    const more = `${story} The mayor, Ada Lindqvist, asked for a second boat, which the council of the town refused twice.`;
    expect(best([passage('courier', story), passage('gazette', more)])).toEqual(['courier', 'gazette']);
    expect(best([passage('gazette', more), passage('courier', story)])).toEqual(['gazette']);
  });

  it('has nothing outside the dates, as long as they hold', () => {
    const old = passage('courier', story, '2019-01-01');
    expect(best([old], { ...scope, from: '2025-01-01' } as typeof scope)).toEqual([]);
    expect(best([old])).toEqual(['courier']);
  });
});
