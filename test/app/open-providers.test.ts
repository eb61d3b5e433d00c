/** What is said of a search API that is not described as it should be. */
import { expect, it } from 'vitest';
import { openProviders } from '../../src/app/parts/open-providers.ts';
import { readConfig } from '../../src/base/config.ts';

it.each([
  ['{}', 'url to be a URL with {query}'],
  ['{"url":"https://a.example"}', 'url to be a URL with {query}'],
  [
    '{"url":"https://a.example/{query}","headers":{"a b":"secret"}}',
    'headers to be an object of HTTP headers and their values',
  ],
  ['[]', 'an object with the fields url, name, headers, results and fields'],
  [
    '{"url":"https://a.example/{query}","secret":1}',
    'an object with the fields url, name, headers, results and fields',
  ],
])('says what SEARCH_HTTP should be instead of %s', (SEARCH_HTTP, expected) => {
  const { providers } = readConfig({ SEARCH_HTTP });
  expect(() => openProviders(providers, () => fetch)).toThrow(
    new Error(`SEARCH_HTTP: expected ${expected}; got another value, not shown here.`),
  );
});
