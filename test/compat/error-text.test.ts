/** The fields of invalid requests by the names that a client knows. */
import { expect, it } from 'vitest';
import { invalid } from '../../src/base/errors.ts';
import { openaiError } from '../../src/compat/openai/errors.ts';
import { errorOf } from '../../src/compat/parallel/errors.ts';
import { tavilyError } from '../../src/compat/tavily/errors.ts';

it.each([
  [['body', 'source_blacklist', 0], 'source_policy.exclude_domains.0', 'exclude_domains.0', 'search_domain_filter.0'],
  [['body', 'max', 'seconds'], 'max.seconds', 'max.seconds', 'max.seconds'],
  // A name that every object inherits.
  [['body', 'constructor'], 'constructor', 'constructor', 'constructor'],
])('are named at each door: %j', (loc, parallel, tavily, param) => {
  const error = invalid(loc, 'expected nothing', 'value_error');
  expect(errorOf(error, 'r')).toMatchObject({ message: `body.${parallel}: expected nothing` });
  expect(errorOf(error, 'r').detail).toMatchObject({
    issues: [{ loc: ['body', ...parallel.split('.').map(numberOf)] }],
  });
  expect(tavilyError(error).body).toEqual({ detail: { error: `body.${tavily}: expected nothing` } });
  expect(openaiError(error).body.error).toMatchObject({ param, message: `${param}: expected nothing` });
});

it('are none where the whole request is invalid', () => {
  const error = invalid(['body'], 'expected an object', 'value_error');
  expect(errorOf(error, 'r').message).toBe('body: expected an object');
  expect(openaiError(error).body.error).toMatchObject({ param: null, message: 'body: expected an object' });
});

const numberOf = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);
