import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { detach } from '../../../src/base/text/detach.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes that are kept of a hundred pages of 200 kB when only their first words are, as `keep` makes them. */
function keptOf(keep: (word: string) => string): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const words = Array.from({ length: 100 }, (_, page) => {
    const text = Buffer.alloc(200_000, `internationalization ${page} `).toString('latin1');
    return keep(/\w+/.exec(text)![0]);
  });
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  expect(words).toHaveLength(100);
  return kept;
}

it('keeps a word without the page that it was read in', () => {
  expect(keptOf(detach)).toBeLessThan(1_000_000);
  expect(keptOf((word) => word)).toBeGreaterThan(10_000_000);
});

it('changes nothing', () => {
  for (const word of ['', 'a', 'internationalization', '“Zürich”', '\ud800']) expect(detach(word)).toBe(word);
});
