/** How the pages of sources are found through the reader of the server. */
import { afterEach, describe, expect, it } from 'vitest';
import { indexingParts } from '../../src/app/source-index.ts';
import { createReader } from '../../src/web/reader.ts';
import { serveSite } from '../web/serve.ts';

const opened: { close(): Promise<void> }[] = [];
const signal = AbortSignal.timeout(60_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

describe('the sitemaps of sources', () => {
  it('are refused beyond the memory for pages, which they hold until they have been parsed', async () => {
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
    const { reader: ingest } = indexingParts(reader, 'a');
    const list = (file: string) => ingest.listPages(`${site.base}/${file}.xml`, 10, signal);
    const codeOf = (listing: Promise<unknown>) =>
      listing.then(
        () => 'read',
        (error) => error.cause.code,
      );
    // The one that is refused is not this one for long.
    const hold = (): Promise<readonly string[]> =>
      list('slow').catch((error) => {
        if (error.cause?.code !== 'overloaded') throw error;
        return hold();
      });
    const slow = hold();
    await expect.poll(() => codeOf(list('other'))).toBe('overloaded');
    end();
    expect(await slow).toEqual([`${site.base}/page`]);
    expect(await codeOf(list('other'))).toBe('read');
  });
});
