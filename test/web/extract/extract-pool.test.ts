/** The threads that extract pages: they give way to the event loop, and one that fails is replaced. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createExtractPool } from '../../../src/web/extract/extract-pool.ts';
import { createReader } from '../../../src/web/reader.ts';

const source = { contentType: 'text/html', url: 'https://a.org/' };

/** A page, new each time: a pool may take its memory over. */
type Make = () => Buffer;

/** The threads of this process that extract pages: those with a lower priority. */
function countThreads(): number {
  // The 17th field after the name in a thread's stat is its nice value.
  const niceOf = (thread: string | number) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]);
  const own = niceOf(process.pid);
  return readdirSync('/proc/self/task').filter((thread) => niceOf(thread) === Math.min(19, own + 10)).length;
}

describe('extraction', () => {
  it.runIf(process.platform === 'linux')(
    'reads pages in threads with a lower priority than the event loop',
    async () => {
      const reader = createReader();
      await reader.extractFile(Buffer.from('<p>warm</p>'), source, AbortSignal.timeout(30_000));
      // A thread that was just started does so before its first page.
      await expect.poll(countThreads).toBeGreaterThanOrEqual(1);
      await reader.close();
    },
  );

  it.runIf(process.platform === 'linux')('ends threads that are idle, and starts one for the next page', async () => {
    const pool = createExtractPool({ threadIdleMs: 200 });
    const soon = () => AbortSignal.timeout(30_000);
    const extract = () => pool.extract(Buffer.from('<p>Light as a feather.</p>'), source, [], soon());
    for (let round = 0; round < 2; round += 1) {
      const pages = await Promise.all([extract(), extract()]);
      expect(pages.map(({ extraction }) => extraction.text)).toEqual(Array(2).fill('Light as a feather.'));
      await expect.poll(countThreads).toBe(0);
    }
    await pool.close();
  });

  it('hands the memory of a page over instead of copying it, and copies what shares its memory with others', async () => {
    const pool = createExtractPool({ threads: 1 });
    const html = '<p>Light as a feather.</p>';
    const own = new Uint8Array(Buffer.from(html));
    const all = new Uint8Array(Buffer.from(`${html}<p>Not of this page.</p>`));
    for (const bytes of [own, all.subarray(0, html.length)]) {
      const { extraction } = await pool.extract(bytes, source, [], AbortSignal.timeout(30_000));
      expect(extraction.text).toBe('Light as a feather.');
    }
    expect([own.byteLength, all.byteLength]).toEqual([0, html.length + '<p>Not of this page.</p>'.length]);
    await pool.close();
  });

  const row = '<p class="a b">Words and <a href="/x">links</a> in rows. </p>';
  /** For a thread, and for a process. */
  const [heavy, large] = [17_000, 60_000].map((rows) => () => Buffer.from(row.repeat(rows))) as [Make, Make];
  const patience = () => AbortSignal.timeout(50_000);

  it.each([
    ['a thread', heavy, { threads: 1, memoryMb: 40, deadlineMs: 40_000 }],
    ['a process', large, { threads: 1, processMemoryMb: 40, deadlineMs: 40_000 }],
  ])('fails a page that exceeds the memory of %s, and reads the next page', async (_, makePage, extraction) => {
    const tight = createReader({ extraction });
    const light = async () =>
      (await tight.extractFile(Buffer.from('<p>Light as a feather.</p>'), source, patience())).text;
    expect(await light()).toBe('Light as a feather.');
    await expect(tight.extractFile(makePage(), source, patience())).rejects.toMatchObject({
      name: 'PageError',
      code: 'parse_failed',
    });
    expect(await light()).toBe('Light as a feather.');
    await tight.close();
  });

  it.each([
    ['a thread', heavy],
    ['a process', large],
  ])(
    'ends a page at its deadline in %s, to which the time that this takes to load does not count',
    async (_, makePage) => {
      const hasty = createReader({ extraction: { threads: 1, deadlineMs: 1 } });
      const error = { name: 'PageError', code: 'timeout' };
      await expect(hasty.extractFile(makePage(), source, patience())).rejects.toMatchObject(error);
      await hasty.close();
      const patient = createReader({ extraction: { threads: 1, deadlineMs: 30_000 } });
      expect((await patient.extractFile(makePage(), source, patience())).words).toBeGreaterThan(0);
      await patient.close();
    },
  );

  it('extracts large pages without growing this process', async () => {
    const pool = createExtractPool({ deadlineMs: 60_000 });
    const soon = () => AbortSignal.timeout(90_000);
    const extract = (page: Buffer) => pool.extract(page, source, [], soon());
    await Promise.all(Array.from({ length: 3 }, () => extract(Buffer.from('<p>warm</p>'))));
    const before = process.memoryUsage.rss();
    // No page of this size takes more memory than one of many elements with text around them.
    const page = Buffer.from('<p>One <b>two</b> three</p>'.repeat(160_000));
    const pages = await Promise.all(Array.from({ length: 4 }, () => extract(page)));
    expect(pages.every(({ extraction }) => extraction.words > 0)).toBe(true);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
    await pool.close();
  }, 120_000);
});
