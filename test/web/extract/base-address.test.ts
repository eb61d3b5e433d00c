/** The address that a page's links begin at. */
import { describe, expect, it } from 'vitest';
import { extractHtml } from '../../../src/web/extract/extract-html.ts';

const words = 'The harbour has three cranes, and each of them lifts forty tonnes in a minute. '.repeat(5);
const page = (head: string) =>
  `<html><head>${head}<link rel="canonical" href="cranes"></head><body><main><p>${words}</p><p>See <a href="list">the list of cranes</a> for what each of them has lifted.</p></main></body></html>`;

describe('the links and the canonical URL of a page', () => {
  it.each([
    ['', 'https://a.test/x/'],
    ['<base href="/manual/">', 'https://a.test/manual/'],
    ['<base target="_top"><base href="https://b.test/docs/">', 'https://b.test/docs/'],
    ['<base href="javascript:alert(1)">', 'https://a.test/x/'],
  ])('with %s begin at %s', (head, base) => {
    const { links, text, canonical_url } = extractHtml(page(head), 'https://a.test/x/page');
    expect(links.map(({ url }) => url)).toEqual([`${base}list`]);
    expect(text).toContain(`](${base}list)`);
    expect(canonical_url).toBe(`${base}cranes`);
  });
});
