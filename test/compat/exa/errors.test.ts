/** Why a page could not be read, in the words of Exa. */
import { expect, it } from 'vitest';
import { pageError } from '../../../src/compat/exa/errors.ts';
import { PageError } from '../../../src/web/page-error.ts';

it.each([
  [401, 'SOURCE_NOT_AVAILABLE'],
  [403, 'SOURCE_NOT_AVAILABLE'],
  [404, 'CRAWL_NOT_FOUND'],
  [410, 'CRAWL_NOT_FOUND'],
  [429, 'CRAWL_UNKNOWN_ERROR'],
  [503, 'CRAWL_UNKNOWN_ERROR'],
])('of a page whose server answers %s is named with that status: %s', (status, tag) => {
  const message = `The page's server answered ${status}.`;
  expect(pageError(new PageError('http_status', message, { status }))).toEqual({
    tag,
    httpStatusCode: status,
    message,
  });
});

it('of a page that was not asked for has the status of the error', () => {
  const error = new PageError('robots_denied', 'No.');
  expect(pageError(error)).toMatchObject({ tag: 'SOURCE_NOT_AVAILABLE', httpStatusCode: error.status });
});
