/** The pages of one call: how much of them an answer holds, and what happens to the rest. */
import { describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { readPages } from '../../src/compat/read-pages.ts';
import type { ReadablePage } from '../../src/service/contents.ts';

const call = {
  request_id: 'a',
  from: { api_key: undefined, address: '' },
  signal: neverAborted,
  onCharged: () => {},
  body: async () => ({}),
};
const megabyte = 1024 * 1024;

/** Every page has as many characters as its address says. */
const service = {
  async page({ body }: { body: () => Promise<unknown> }) {
    const { url } = (await body()) as { url: string };
    return { response: 'a'.repeat(Number(url)), info: {} } as unknown as ReadablePage;
  },
};

describe('pages of one call', () => {
  it('are returned in order, up to 4 MiB together; later ones that fit are returned too', async () => {
    const sizes = [3 * megabyte, 2 * megabyte, megabyte, 1, 0, 5];
    const pages = await readPages(service, call, sizes.map(String));
    expect(pages.map(({ contents }) => contents?.response.length)).toEqual([
      3 * megabyte,
      undefined,
      megabyte,
      undefined,
      0,
      undefined,
    ]);
    expect(pages[1]!.error).toMatchObject({ code: 'too_large', message: expect.stringContaining('4194304') });
  });

  it('are returned whatever their size where there is one, or where only their passages are shown', async () => {
    const sizes = [String(6 * megabyte)];
    expect((await readPages(service, call, sizes))[0]!.contents).toBeDefined();
    const found = await readPages(service, call, [...sizes, ...sizes], { query: 'tides' });
    expect(found.every(({ contents }) => contents !== undefined)).toBe(true);
  });
});
