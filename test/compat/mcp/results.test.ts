/** Results of tools for searches that ended without an answer. */
import { describe, expect, it } from 'vitest';
import type { SearchEventOf } from '../../../protocol/index.ts';
import { answerResult } from '../../../src/compat/mcp/results.ts';

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
