/** Pages of every kind, written for this test: what must be kept stands in the text, what must be gone does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extract } from '../../src/web/extract/extract.ts';

interface Expectation {
  readonly page: string;
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}

const folder = new URL('./pages/', import.meta.url);
const expectations: Expectation[] = JSON.parse(readFileSync(new URL('expectations.json', folder), 'utf8'));

describe('pages of our own', () => {
  it('has at least forty pages of our own, each with something to keep', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.html'));
    expect(files.map((name) => name.replace('.html', '')).sort()).toEqual(expectations.map(({ page }) => page).sort());
    expect(files.length).toBeGreaterThanOrEqual(40);
    expect(expectations.every(({ keep }) => keep.length > 0)).toBe(true);
  });

  for (const { page, keep, drop } of expectations) {
    it(`extracts the content of a page and nothing else: ${page}`, async () => {
      const bytes = readFileSync(new URL(`${page}.html`, folder));
      const { text } = (await extract(bytes, { contentType: 'text/html', url: `https://pages.test/${page}` }))!;
      for (const words of keep) expect(text).toContain(words);
      for (const words of drop) expect(text).not.toContain(words);
    });
  }
});
