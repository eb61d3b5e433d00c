/**
 * Pages made to harm the process that reads them. Each ends soon in a typed error or in text, and the thread pool is intact
 * afterwards. How much the event loop is delayed in the meantime is measured by bench/contents-hostile.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageError } from '../../src/web/page-error.ts';
import { createReader, type Reader } from '../../src/web/reader.ts';
import { hostilePages as pages } from './hostile-pages.ts';
import { serveSite, serveSocket, type TestSite } from './serve.ts';

let site: TestSite;
let reader: Reader;
const totalMs = 2_500;
/** Enough on a machine that is busy with other tests; none of the pages that should be read needs a second alone. */
const deadlineMs = 20_000;

beforeAll(async () => {
  site = await serveSite((request, response) => pages[request.url!.slice(1)]!.answer(response, request));
  reader = createReader({
    allowHosts: [`127.0.0.1:${site.port}`],
    timeouts: { headersMs: 1_500, totalMs },
    extraction: { deadlineMs },
  });
  // The threads start once; what is measured is pages.
  await reader.extractFile(
    Buffer.from('<p>warm</p>'),
    { contentType: 'text/html', url: 'https://a.org/' },
    AbortSignal.timeout(30_000),
  );
}, 60_000);

afterAll(async () => {
  await Promise.all([reader.close(), site.close()]);
});

describe('hostile pages', () => {
  it('has at least forty hostile pages', () => {
    expect(Object.keys(pages).length).toBeGreaterThanOrEqual(40);
  });

  for (const [name, { ends }] of Object.entries(pages)) {
    it(`ends the reading of a hostile page as expected: ${name}`, async () => {
      // The page's own bounds must end it: the signal's reason is no PageError.
      const patience = AbortSignal.timeout(totalMs + deadlineMs + 20_000);
      const ended = await reader.read(`${site.base}/${name}`, {}, patience).then(
        ({ snapshot }) => {
          expect(snapshot.text).toBe(snapshot.text.toWellFormed());
          expect(snapshot.text).not.toMatch(/[\0\u200b\u202e\u2066]/);
          return 'read';
        },
        (error) => {
          expect(error).toBeInstanceOf(PageError);
          expect(error.message).toMatch(/^\S.{10,300}\.$/);
          return error.code as string;
        },
      );
      expect(ended).toMatch(ends);
    }, 60_000);
  }

  it.runIf(process.platform === 'linux')(
    'reads pages in threads with a lower priority than the event loop',
    async () => {
      // The 17th field after the name in a thread's stat is its nice value.
      const niceOf = (thread: string | number) =>
        Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]);
      const own = niceOf(process.pid);
      const standBack = (thread: string) => niceOf(thread) === Math.min(19, own + 10);
      // A thread that was just started does so before its first page.
      await expect.poll(() => readdirSync('/proc/self/task').filter(standBack).length).toBeGreaterThanOrEqual(2);
    },
  );

  it('has a thread pool that still works after all hostile pages', async () => {
    const read = () =>
      reader.extractFile(
        Buffer.from('<p>Still here.</p>'),
        { contentType: 'text/html', url: 'https://a.org/' },
        AbortSignal.timeout(20_000),
      );
    const texts = await Promise.all(Array.from({ length: 6 }, read));
    expect(texts.map(({ text }) => text)).toEqual(Array(6).fill('Still here.'));
  });

  it('ends with a typed error when a page exceeds a thread’s deadline or memory, and reads the next page', async () => {
    const source = { contentType: 'text/html', url: 'https://a.org/' };
    const heavy = Buffer.from('<p class="a b">Words and <a href="/x">links</a> in rows. </p>'.repeat(60_000));
    for (const [extraction, code] of [
      [{ threads: 1, deadlineMs: 1_000 }, 'timeout'],
      [{ threads: 1, memoryMb: 40 }, 'parse_failed'],
    ] as const) {
      const tight = createReader({ extraction });
      const patience = () => AbortSignal.timeout(25_000);
      const light = async () =>
        (await tight.extractFile(Buffer.from('<p>Light as a feather.</p>'), source, patience())).text;
      // The time that a thread takes to load is not the page's.
      expect(await light()).toBe('Light as a feather.');
      await expect(tight.extractFile(heavy, source, patience())).rejects.toMatchObject({ name: 'PageError', code });
      expect(await light()).toBe('Light as a feather.');
      await tight.close();
    }
  }, 60_000);

  it('refuses a page whose server does not speak HTTP', async () => {
    const garbage = await serveSocket((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const odd = createReader({ allowHosts: ['127.0.0.1'] });
    await expect(odd.read(`${garbage.base}/`, {}, AbortSignal.timeout(20_000))).rejects.toMatchObject({
      name: 'PageError',
      code: 'unreachable',
    });
    await Promise.all([odd.close(), garbage.close()]);
  });
});
