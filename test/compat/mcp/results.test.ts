/** Results of tools for searches that ended without an answer. */
import { describe, expect, it } from 'vitest';
import type { SearchEventOf } from '../../../protocol/index.ts';
import { AppError } from '../../../src/base/errors.ts';
import { answerResult, errorResult } from '../../../src/compat/mcp/results.ts';

describe('the result of a search that was cancelled', () => {
  const textOf = (by: SearchEventOf<'search.cancelled'>['by']) => {
    const terminal = { type: 'search.cancelled', by } as SearchEventOf<'search.cancelled'>;
    return answerResult('s_1', { terminal, warnings: [] });
  };

  it('says who cancelled it', () => {
    const text = 'upstream_error: The search was cancelled (by client) before it had an answer.';
    expect(textOf('client')).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
      _meta: { code: 'upstream_error' },
    });
  });

  it('says that the server shut down, and when to try again', () => {
    const text = 'server_shutdown: The server shut down before the search had an answer.\nTry again in 1 s.';
    const _meta = { code: 'server_shutdown', retry_after_ms: 1000 };
    expect(textOf('admin')).toEqual({ content: [{ type: 'text', text }], isError: true, _meta });
  });
});

describe('the result of a call that was refused', () => {
  const textOf = (error: AppError) => (errorResult(error, 'r').content[0] as { text: string }).text;

  it('names each wrong field once', () => {
    const issues = ['prompt', 'effort'].map((field) => ({
      loc: ['body', field],
      msg: 'expected x',
      type: 'enum' as const,
    }));
    const error = new AppError('validation_error', 'body.prompt: expected x', { issues });
    expect(textOf(error)).toBe('validation_error: prompt: expected x\n- effort: expected x');
  });

  it('does not call the arguments a body', () => {
    const whole = { loc: ['body'], msg: 'expected one list, not both', type: 'value_error' as const };
    const error = new AppError('validation_error', 'body: expected one list, not both', { issues: [whole, whole] });
    expect(textOf(error)).toBe('validation_error: expected one list, not both\n- expected one list, not both');
  });

  it('says once when to try again', () => {
    const limited = new AppError('rate_limited', 'Too many; try again in 57.3 s.', { retry_after_ms: 57_300 });
    expect(textOf(limited)).toBe('rate_limited: Too many; try again in 57.3 s.');
    const busy = new AppError('overloaded', 'Try again in a moment.', { retry_after_ms: 1_000 });
    expect(textOf(busy)).toBe('overloaded: Try again in a moment.\nTry again in 1 s.');
  });
});
