/** Pages that a request names itself. */
import { describe, expect, it } from 'vitest';
import { everySource, SearchRequest } from '../../../protocol/index.ts';
import { hitsNamedBy } from '../../../src/engine/research/hits.ts';

const named = (request: object) =>
  hitsNamedBy(SearchRequest.parse({ prompt: 'x', ...request }), everySource).map(({ url }) => url);

describe('the pages that a request names', () => {
  it('finds the addresses in a prompt, without the punctuation after them, and the full ones in the whitelist', () => {
    const prompt = 'What do https://a.example/one, (https://a.example/two) and "https://a.example/three"?! say?';
    const source_whitelist = ['https://b.example/four', 'b.example', 'b.example/five'];
    expect(named({ prompt, source_whitelist }).sort()).toEqual([
      'https://a.example/one',
      'https://a.example/three',
      'https://a.example/two',
      'https://b.example/four',
    ]);
  });

  it('finds addresses with parentheses and apostrophes, in a prompt and in the whitelist', () => {
    const prompt = [
      "Summarise https://a.example/Mercury_(planet), (https://a.example/Moore's_law), and",
      "'https://a.example/quoted', (see https://a.example/Io_(moon)/x_(y)). [It](https://a.example/linked)(so).",
    ].join(' ');
    expect(named({ prompt }).sort()).toEqual([
      'https://a.example/Io_(moon)/x_(y)',
      'https://a.example/Mercury_(planet)',
      "https://a.example/Moore's_law",
      'https://a.example/linked',
      'https://a.example/quoted',
    ]);
    const source_whitelist = [
      'https://b.example/Python_(language)',
      "https://b.example/Moore's_(law",
      'https://b.example/a)b',
    ];
    expect(named({ source_whitelist }).sort()).toEqual([...source_whitelist].sort());
  });

  it('finds the addresses in a prompt whose text goes on after a mark without a space', () => {
    const prompt =
      '总结https://a.example/one，以及「https://a.example/two」（见https://a.example/three）。لخص https://a.example/four، الآن';
    expect(named({ prompt }).sort()).toEqual(
      ['four', 'one', 'three', 'two'].map((page) => `https://a.example/${page}`),
    );
  });

  it.each(['(', '()', '(a', "'a", '(a)'])('reads an address with tens of thousands of %j in one pass', (part) => {
    const address = `https://a.example/${part.repeat(Math.floor(39_000 / part.length))}`;
    expect(named({ prompt: address })).toEqual([address]);
  });

  it('reads an address that is followed by tens of thousands of dots', () => {
    const dots = '.'.repeat(39_000);
    expect(named({ prompt: `https://a.example/${dots}x` })).toEqual([`https://a.example/${dots}x`]);
  });
});
