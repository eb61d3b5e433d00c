/** The description of the search engine escapes what a request says about its host. */
import { expect, it } from 'vitest';
import { openSearchDescription } from '../../../src/transport/http/opensearch.ts';

it('escapes the base URL, which comes from the request', () => {
  const xml = openSearchDescription(`http://a"/><script>&'`);
  expect(xml).toContain('template="http://a&#34;/&#62;&#60;script&#62;&#38;&#39;/?q={searchTerms}"');
  expect(xml).not.toContain('<script');
});
