/** How the pages of sources are found through the reader of the server. */
import { afterEach, describe, expect, it } from 'vitest';
import { indexingParts } from '../../src/app/source-index.ts';
import { AppError } from '../../src/base/errors.ts';
import { ProcessError } from '../../src/base/processes/process-error.ts';
import { PageError } from '../../src/web/page-error.ts';
import { createReader, type Reader } from '../../src/web/reader.ts';
import { serveSite } from '../web/serve.ts';

const opened: { close(): Promise<void> }[] = [];
const signal = AbortSignal.timeout(60_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

describe('a page of a source', () => {
  const busy = () =>
    new PageError('timeout', 'This machine was too busy to read the page.', {
      cause: new ProcessError('busy', 'No time.'),
    });
  it.each([
    ['is read again once where the machine was too busy', busy, 2],
    ['is not read again where it takes too long', () => new PageError('timeout', 'The page took too long to read.'), 1],
  ])('%s', async (_, failure, times) => {
    const reader = createReader();
    opened.push(reader);
    let asked = 0;
    const fail = async () => {
      asked += 1;
      throw failure();
    };
    const parts = indexingParts({ ...reader, read: fail, extractFile: fail }, 'a');
    await expect(parts.extract(Buffer.from(''), { contentType: '', url: '' }, signal)).rejects.toThrow('page');
    expect(asked).toBe(times);
    await expect(parts.reader.read('https://example.org/', signal)).rejects.toThrow('page');
    expect(asked).toBe(2 * times);
  });
});

describe('the sitemaps of sources', () => {
  it('wait for the memory for pages, which they hold until they have been parsed', async () => {
    const half = '<urlset><url><loc>/page</loc></url>'.padEnd(600_000);
    let end: () => void = () => {};
    const site = await serveSite(({ url }, response) => {
      response.setHeader('content-type', 'application/xml').write(half);
      if (url === '/slow.xml') end = () => void response.end('</urlset>');
      else response.end('</urlset>');
    });
    const bodyMemory = { maxBytes: 1_000_000, reserveBytes: 0, ownBytes: 0, what: 'large pages' };
    const reader = createReader({ allowHosts: [`127.0.0.1:${site.port}`], bodyMemory });
    opened.push(site, reader);
    const refused: string[] = [];
    const withBytes: Reader['withBytes'] = (url, ...rest) =>
      reader.withBytes(url, ...rest).catch((error) => {
        refused.push(`${error.code} ${new URL(url).pathname}`);
        throw error;
      });
    const { reader: ingest } = indexingParts({ ...reader, withBytes }, 'a');
    const list = (file: string, until = signal) => ingest.listPages(`${site.base}/${file}.xml`, 10, until);
    const slow = list('slow');
    // Until it has all the memory, which a probe may have had before it.
    await expect
      .poll(() => reader.withBytes(`${site.base}/probe.xml`, {}, async () => 'read', signal).catch(({ code }) => code))
      .toBe('overloaded');
    const other = list('other');
    const leaving = new AbortController();
    const left = list('left', leaving.signal);
    await expect.poll(() => refused).toEqual(expect.arrayContaining(['overloaded /other.xml', 'overloaded /left.xml']));
    leaving.abort(new Error('It was removed.'));
    await expect(left).rejects.toThrow('It was removed.');
    end();
    expect(await slow).toEqual([`${site.base}/page`]);
    expect(await other).toEqual([`${site.base}/page`]);
  });

  it('fail when the server is busy for long', async () => {
    const reader = createReader();
    opened.push(reader);
    let asked = 0;
    const withBytes = async () => {
      asked += 1;
      throw new AppError('overloaded', 'The server is busy.', { retry_after_ms: 1 });
    };
    const { reader: ingest } = indexingParts({ ...reader, withBytes }, 'a');
    await expect(ingest.listPages('https://example.org/sitemap.xml', 10, signal)).rejects.toThrow(
      'https://example.org/sitemap.xml: The server is busy.',
    );
    expect(asked).toBeGreaterThan(1);
  });
});
