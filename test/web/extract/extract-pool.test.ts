/** The processes that extract pages: they give way to the event loop, and one that fails is replaced. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createExtractPool } from '../../../src/web/extract/extract-pool.ts';
import { createReader } from '../../../src/web/reader.ts';
import { bundleVariable } from '../../support/processes/run-script.ts';

const source = { contentType: 'text/html', url: 'https://a.org/' };

type Make = () => Buffer;

/** The 17th field after the name in stat(5). */
function niceOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]);
}

/** The child processes of this one that extract pages. */
function extractors(): number[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('extract-worker'));
}

describe('extraction', () => {
  it.runIf(process.platform === 'linux')(
    'reads pages in processes with a lower priority than the event loop',
    async () => {
      vi.stubEnv('TEST_PRIORITIES', 'lowered');
      const reader = createReader();
      await reader.extractFile(Buffer.from('<p>warm</p>'), source, AbortSignal.timeout(150_000));
      expect(extractors().map(niceOf)).toEqual([Math.min(19, niceOf(process.pid) + 10)]);
      await reader.close();
      vi.unstubAllEnvs();
    },
  );

  it.runIf(process.platform === 'linux')('ends processes that are idle, and starts one for the next page', async () => {
    const pool = createExtractPool({ idleMs: 200 });
    const soon = () => AbortSignal.timeout(150_000);
    const extract = () => pool.extract(Buffer.from('<p>Light as a feather.</p>'), source, [], soon());
    for (let round = 0; round < 2; round += 1) {
      const pages = await Promise.all([extract(), extract()]);
      expect(pages.map(({ extraction }) => extraction.text)).toEqual(Array(2).fill('Light as a feather.'));
      await expect.poll(extractors).toEqual([]);
    }
    await pool.close();
  });

  it('does not say of a page that it takes long if its process does not start', async () => {
    const pool = createExtractPool({ startMs: 1 });
    const error = { code: 'timeout', message: 'This machine was too busy to read the page. Try again later.' };
    await expect(
      pool.extract(Buffer.from('<p>Light.</p>'), source, [], AbortSignal.timeout(150_000)),
    ).rejects.toMatchObject(error);
    await pool.close();
  });

  it('does not say of a page that it is too large if no process can be started, and reports that once', async () => {
    const troubles: (Error | undefined)[] = [];
    const pool = createExtractPool({ idleMs: 1, onTrouble: (trouble) => troubles.push(trouble) });
    const extract = () => pool.extract(Buffer.from('<p>Light.</p>'), source, [], AbortSignal.timeout(150_000));
    vi.stubEnv(bundleVariable, '/nowhere');
    for (let round = 0; round < 2; round += 1) {
      await expect(extract()).rejects.toMatchObject({
        name: 'PageError',
        message: expect.stringContaining('its reader could not be started') as string,
      });
    }
    expect(troubles).toEqual([expect.objectContaining({ reason: 'unstarted' })]);
    vi.unstubAllEnvs();
    expect((await extract()).extraction.text).toBe('Light.');
    expect(troubles.slice(1)).toEqual([undefined]);
    await pool.close();
  });

  const row = '<p class="a b">Words and <a href="/x">links</a> in rows. </p>';
  /** Below and above the size of most pages. */
  const [heavy, large] = [17_000, 60_000].map((rows) => () => Buffer.from(row.repeat(rows))) as [Make, Make];
  const patience = () => AbortSignal.timeout(150_000);

  it('fails a page that exceeds the memory of a process, and reads the next page', async () => {
    const tight = createReader({ extraction: { processes: 1, memoryMb: 40, deadlineMs: 40_000 } });
    const light = async () =>
      (await tight.extractFile(Buffer.from('<p>Light as a feather.</p>'), source, patience())).text;
    expect(await light()).toBe('Light as a feather.');
    await expect(tight.extractFile(large(), source, patience())).rejects.toMatchObject({
      name: 'PageError',
      code: 'parse_failed',
    });
    expect(await light()).toBe('Light as a feather.');
    await tight.close();
  });

  it.each([
    ['heavy', heavy],
    ['large', large],
  ])(
    'ends a %s page at its deadline, to which the time that its process takes to load does not count',
    async (_, makePage) => {
      const hasty = createReader({ extraction: { processes: 1, deadlineMs: 1 } });
      const error = { name: 'PageError', code: 'timeout' };
      await expect(hasty.extractFile(makePage(), source, patience())).rejects.toMatchObject(error);
      await hasty.close();
      const patient = createReader({ extraction: { processes: 1, deadlineMs: 30_000 } });
      expect((await patient.extractFile(makePage(), source, patience())).words).toBeGreaterThan(0);
      await patient.close();
    },
  );

  /** Processes with a low priority get little of a busy machine. */
  const longestMs = 600_000;

  it(
    'extracts large pages without growing this process',
    async () => {
      const pool = createExtractPool({ deadlineMs: longestMs });
      const extract = (page: Buffer) => pool.extract(page, source, [], AbortSignal.timeout(longestMs));
      await Promise.all(Array.from({ length: 3 }, () => extract(Buffer.from('<p>warm</p>'))));
      const before = process.memoryUsage.rss();
      // No page of this size takes more memory than one of many elements with text around them.
      const page = Buffer.from('<p>One <b>two</b> three</p>'.repeat(160_000));
      const pages = await Promise.all(Array.from({ length: 4 }, () => extract(page)));
      expect(pages.every(({ extraction }) => extraction.words > 0)).toBe(true);
      expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
      await pool.close();
    },
    longestMs,
  );
});
