/** The fields of invalid requests by the names that a client knows. */
import { expect, it } from 'vitest';
import { type AppError, invalid, invalidAt } from '../../src/base/errors.ts';
import { namedBy } from '../../src/compat/error-text.ts';
import { openaiError, perplexityError, responseError } from '../../src/compat/openai/errors.ts';
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

it('are the dates of Perplexity, at its door and at that of OpenAI', () => {
  for (const [field, param] of [
    ['from', 'search_after_date_filter'],
    ['to', 'search_before_date_filter'],
  ]) {
    const error = invalid(['body', field!], 'expected a date', 'value_error');
    expect(openaiError(error).body.error).toMatchObject({ param });
    expect(perplexityError(error).body.error).toMatchObject({ param });
  }
});

it('are those of the call, where a door has others elsewhere', async () => {
  const failing = Promise.reject(invalid(['body', 'collections', 0], 'expected a name', 'value_error'));
  const error = await namedBy({ prompt: 'query' }, failing).catch((caught: AppError) => caught as never);
  expect(perplexityError(error).body.error).toMatchObject({ param: 'collections.0' });
  const unnamed = invalidAt([{ loc: ['body', 'prompt'], msg: 'expected a text', type: 'string_type' }]);
  await expect(namedBy({ prompt: 'query' }, Promise.reject(unnamed))).rejects.toThrow(/^body\.query: expected a text$/);
});

it('call an earlier search what the client does', () => {
  const msg = 'expected the id of one of your searches; got "s_1"';
  const error = invalid(['body', 'previous_search_id'], msg, 'value_error');
  expect(responseError(error).body.error).toMatchObject({
    param: 'previous_response_id',
    message: 'previous_response_id: expected the id of one of your responses; got "resp_s_1"',
  });
  expect(errorOf(error, 'r').message).toBe(
    'body.previous_interaction_id: expected the id of one of your task runs; got "trun_s_1"',
  );
  expect(errorOf(error, 'r').detail).toMatchObject({ issues: [{ msg: expect.stringContaining('"trun_s_1"') }] });
});

it('are none where the whole request is invalid', () => {
  const error = invalid(['body'], 'expected an object', 'value_error');
  expect(errorOf(error, 'r').message).toBe('body: expected an object');
  expect(openaiError(error).body.error).toMatchObject({ param: null, message: 'body: expected an object' });
});

const numberOf = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);
