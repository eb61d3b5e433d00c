/** The threads that extract pages: they give way to the event loop, and one that fails is replaced. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createReader } from '../../../src/web/reader.ts';

const source = { contentType: 'text/html', url: 'https://a.org/' };

describe('extraction', () => {
  it.runIf(process.platform === 'linux')(
    'reads pages in threads with a lower priority than the event loop',
    async () => {
      // The 17th field after the name in a thread's stat is its nice value.
      const niceOf = (thread: string | number) =>
        Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]);
      const own = niceOf(process.pid);
      const standBack = (thread: string) => niceOf(thread) === Math.min(19, own + 10);
      const reader = createReader();
      await reader.extractFile(Buffer.from('<p>warm</p>'), source, AbortSignal.timeout(30_000));
      // A thread that was just started does so before its first page.
      await expect.poll(() => readdirSync('/proc/self/task').filter(standBack).length).toBeGreaterThanOrEqual(2);
      await reader.close();
    },
  );

  it('ends with a typed error when a page exceeds a thread’s deadline or memory, and reads the next page', async () => {
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
});
