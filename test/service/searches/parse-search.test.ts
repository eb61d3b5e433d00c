/** A call as the search that it asks for, and what an idempotency key stands for. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SearchCall, SearchInput } from '../../../src/service/calls.ts';
import { hashSearch, type ParsedSearch, parseSearch } from '../../../src/service/searches/parse-search.ts';

const native = (body: object) => parseSearch({ body: async () => body } as unknown as SearchCall);
const foreign = (input: SearchInput) => parseSearch({ input: async () => input } as unknown as SearchCall);
const sha256 = (content: object) => createHash('sha256').update(JSON.stringify(content)).digest('base64url');
const effort = 'fast' as const;
const both = { request: { prompt: 'Why?', effort, source_whitelist: ['a.org'] }, excluded: ['b.a.org'] };

describe('what is excluded beside a whitelist', () => {
  it('is the blacklist of the request, which restarts of any version heed', async () => {
    expect(await foreign(both)).toEqual({ request: { ...both.request, source_blacklist: ['b.a.org'] } });
  });

  it('is validated', async () => {
    const issues = [{ loc: ['body', 'source_blacklist', 0] }];
    await expect(foreign({ ...both, excluded: ['not a domain'] })).rejects.toMatchObject({ details: { issues } });
  });

  it('is refused in a native request', async () => {
    await expect(native({ ...both.request, source_blacklist: both.excluded })).rejects.toMatchObject({
      details: { issues: [{ type: 'mutually_exclusive' }] },
    });
  });
});

describe('the hashes of a request', () => {
  const echoed = { metadata: { ticket: '1' } };
  const run = { name: { api_stub: 'facts' }, inputs: { more: 'x' }, background: true, at: ['body'] };

  it.each<[string, ParsedSearch, object]>([
    [
      'a request',
      { request: { prompt: 'Why?', effort }, instructions: 'Briefly.' },
      { prompt: 'Why?', effort, instructions: 'Briefly.' },
    ],
    [
      'a request with both source lists',
      { request: { ...both.request, source_blacklist: ['b.a.org'] } },
      { prompt: 'Why?', effort, source_whitelist: ['a.org'] },
    ],
    ['a run', { run } as unknown as ParsedSearch, { api_stub: 'facts', inputs: { more: 'x' }, background: true }],
  ])('have the one that earlier versions stored: %s', async (_, search, before) => {
    const { hash, earlierHash } = await hashSearch(search, echoed);
    expect(earlierHash).toBe(sha256(before));
    expect(hash).not.toBe(earlierHash);
    expect((await hashSearch(search, { metadata: { ticket: '2' } })).hash).not.toBe(hash);
  });

  it('are one where nothing is repeated or excluded', async () => {
    const { hash, earlierHash } = await hashSearch(
      { request: { prompt: 'Why?', effort, source_blacklist: ['a.org'] } },
      undefined,
    );
    expect(hash).toBe(earlierHash);
  });
});
