/** What a site asks for beside the page: its cookies back, and time. */
import { afterEach, describe, expect, it } from 'vitest';
import { createCookies } from '../../../src/web/fetch/cookies.ts';
import { createFetcher, type Fetcher } from '../../../src/web/fetch/fetch.ts';
import { serveSite, type TestSite } from '../serve.ts';

const signal = AbortSignal.timeout(60_000);
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function start(listener: Parameters<typeof serveSite>[0]): Promise<{ site: TestSite; fetcher: Fetcher }> {
  const site = await serveSite(listener);
  const fetcher = createFetcher({ allowHosts: [`127.0.0.1:${site.port}`] });
  opened.push(site, fetcher);
  return { site, fetcher };
}

describe('a fetch', () => {
  it('gives a host its cookies back on the way to the page, and forgets them afterwards', async () => {
    const sent: (string | undefined)[] = [];
    const { site, fetcher } = await start((request, response) => {
      sent.push(request.headers.cookie);
      if (request.headers.cookie === undefined)
        response.writeHead(302, { location: request.url, 'set-cookie': ['seen=1; Path=/', 'lang=en'] }).end();
      else response.end('The page.');
    });
    const page = await fetcher.fetch({ url: `${site.base}/a` }, signal);
    expect(page.body.toString()).toBe('The page.');
    await fetcher.fetch({ url: `${site.base}/a` }, signal);
    expect(sent).toEqual([undefined, 'seen=1; lang=en', undefined, 'seen=1; lang=en']);
  });

  it.each([
    [429, '7', 7_000],
    [503, '2', 2_000],
    [404, '2', undefined],
  ])(
    'that is answered %d with Retry-After says how long the site asks to be left alone',
    async (status, after, expected) => {
      const { site, fetcher } = await start((_, response) => {
        response.writeHead(status, { 'retry-after': after }).end();
      });
      await expect(fetcher.fetch({ url: site.base }, signal)).rejects.toMatchObject({ retryAfterMs: expected });
    },
  );
});

describe('the cookies of a fetch', () => {
  const url = new URL('https://a.example/x');
  it('are those of the host, without what was deleted or cannot be sent', () => {
    const cookies = createCookies();
    cookies.take(url, ['a=1; Secure', 'b=2', 'c=\u00e9', `d=${'x'.repeat(3_000)}`, 'no cookie']);
    cookies.take(url, 'b=; Max-Age=0');
    expect(cookies.headers(url)).toEqual({ cookie: 'a=1' });
    expect(cookies.headers(new URL('https://b.example/'))).toEqual({});
  });
});
