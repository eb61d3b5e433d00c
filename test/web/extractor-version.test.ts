/** A cached page is read again when what the extraction makes of pages has changed, and only then. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extract } from '../../src/web/extract/extract.ts';
import { extractorVersion } from '../../src/web/extract/extractor-version.ts';
import { createMemoryCache } from '../../src/web/page-cache.ts';
import { createReader } from '../../src/web/reader.ts';
import { makeOpenDocument } from '../support/documents/make-opendocument.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { makePptx, shape, textLine } from '../support/documents/make-pptx.ts';
import { makeXlsx, textRow } from '../support/documents/make-xlsx.ts';
import { serveSite } from './serve.ts';

/**
 * What the extraction made of the pages of these tests when its version was given. When this test fails and the change is
 * meant, give `extractorVersion` a new value (`openssl rand -hex 8`) and write both values here.
 */
const extracted = { version: '0de0fed6e8b7aebd', digest: '89eeea29483af454' };

const folder = new URL('./pages/', import.meta.url);

const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour notes</title><link>https://pages.test/</link>
<item><title>New crane</title><link>/crane</link><pubDate>Tue, 03 Feb 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;It lifts 40&amp;nbsp;t.&lt;/p&gt;</description></item></channel></rss>`;

const others: readonly (readonly [contentType: string, body: string | Uint8Array])[] = [
  ['application/rss+xml', feed],
  [
    'text/html',
    '<table><tr><th rowspan="2">Crane</th><th colspan="2">Lifts</th></tr><tr><th>near</th><th>far</th></tr>' +
      '<tr><td>Grebe</td><td>40 t</td><td>12 t</td></tr></table>',
  ],
  ['text/html', feed],
  ['application/csv', 'Crane;t\nGrebe;40\n'],
  ['application/json', '{"harbour": {"cranes": [1, 2], "name": "Eastness"}}'],
  ['text/markdown', '---\ntitle: Cranes\n---\n# Cranes\n\nEach lifts *40 t*.\n'],
  ['text/plain', 'Cranes\n\nEach lifts 40 t.\n'],
  ['text/plain', 'From: Ada\nSubject: Re: Cranes\n\nEach lifts 40 t.\n'],
  ['message/rfc822', 'From: Ada <ada@pages.test>\r\nSubject: Re: Cranes\r\n\r\nEach lifts 40 t.\r\n'],
  ['text/rtf', "{\\rtf1\\ansi Each lifts 40\\~t\\'b7.\\par}"],
  [
    '',
    makeXlsx({
      sheets: [{ name: 'Cranes', rows: '<row><c t="str"><v>Built</v></c><c s="1"><v>11324</v></c></row>' }],
      formats: [14],
    }),
  ],
  ['', makePptx([{ shapes: shape('title', textLine('Cranes')), notes: 'Each lifts 40 t.' }])],
  [
    'text/html',
    '<h2>Cranes<span class="mw-editsection">[<a href="/e">edit</a>]</span></h2><p><span>Cranes</span><span>3</span></p>' +
      '<pre><span class="ln">1</span>lift()</pre>',
  ],
  [
    '',
    makeXlsx({
      sheets: [{ name: 'Cranes', rows: textRow(1, 'Crane', '40') + textRow(2, '', '12'), merged: ['A1:A2'] }],
    }),
  ],
  ['', makeOpenDocument('text', '<text:h>Cranes</text:h><text:p>Each lifts 40 t.</text:p>')],
  [
    'application/pdf',
    makePdf({
      title: 'Cranes',
      pages: [['The crane lifts forty tonnes and was built in', '1931 by the har-', 'bour itself.']],
    }),
  ],
];

/** The pages of every kind, whatever makes them different, with all that is said of them. */
async function digestOfPages(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.html')) continue;
    const source = { contentType: 'text/html', url: `https://pages.test/${name}` };
    hash.update(JSON.stringify([name, await extract(readFileSync(new URL(name, folder)), source)]));
  }
  for (const [contentType, body] of others) {
    const source = { contentType, url: 'https://pages.test/other' };
    hash.update(JSON.stringify([contentType, await extract(Buffer.from(body), source)]));
  }
  const weights = new URL('../../src/web/extract/classify/weights.json', import.meta.url);
  return hash.update(readFileSync(weights)).digest('hex').slice(0, 16);
}

describe('the version of the extraction', () => {
  it('matches the extractor version to what is extracted and to the learned weights', async () => {
    expect({ version: extractorVersion, digest: await digestOfPages() }).toEqual(extracted);
  });

  it('reads a cached page again when its extractor version is not the current one', async () => {
    let requests = 0;
    const site = await serveSite((_, response) => {
      requests += 1;
      response.setHeader('content-type', 'text/html').end('<p>A page that does not change while it is looked at.</p>');
    });
    const cache = createMemoryCache();
    const reader = createReader({ allowHosts: [`127.0.0.1:${site.port}`], cache });
    const read = () => reader.read(`${site.base}/page`, {}, AbortSignal.timeout(20_000));
    await read();
    const held = (await cache.get(`${site.base}/page`))!;
    expect(held.extractor_version).toBe(extractorVersion);
    expect((await read()).info.from_cache).toBe(true);
    await cache.put(`${site.base}/page`, { ...held, extractor_version: '1' });
    expect((await read()).info.from_cache).toBe(false);
    expect(requests).toBe(2);
    expect((await cache.get(`${site.base}/page`))!.extractor_version).toBe(extractorVersion);
    await Promise.all([reader.close(), site.close()]);
  });
});
