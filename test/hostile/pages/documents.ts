/** PDFs, feeds, JSON and files that are not what they say. */
import { deflateRawSync } from 'node:zlib';
import { makeSlowPdf, packPdf } from '../../support/documents/make-pdf.ts';
import { file, type HostilePages, html, megabyte, read, readOrNot, zeros } from './page.ts';

/** Objects 1, 2, … of a PDF without a table of them; `trailer` is added to the trailer. */
function pdf(objects: readonly string[], trailer = ''): string {
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.7\n${body}trailer << /Root 1 0 R /Size ${objects.length + 1} ${trailer} >>\n`;
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const onePage = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const page = (contents: string, resources = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} /Resources << ${resources} >> >>`;
const stream = (text: string, entries = '') => `<< /Length ${text.length} ${entries} >>\nstream\n${text}\nendstream`;
const asPdf = (body: Parameters<typeof file>[1]) => ({
  answer: file('application/pdf', body),
  ends: readOrNot,
});

/** The one entry of a zip file: `size` zeros. */
function zip(size: number): Buffer {
  const packed = deflateRawSync(zeros.subarray(0, size));
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(size, 22);
  return Buffer.concat([header, packed]);
}

const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(20)}">`).join('');

/** `n` scales a count, which is that of a document of full size. */
export function documentPages(n: (count: number) => number): HostilePages {
  return {
    'pdf-broken': {
      answer: file('application/pdf', '%PDF-1.7\n1 0 obj << /Type /Catalog >>'),
      ends: /^parse_failed$/,
    },
    'pdf-garbage': {
      answer: html(Buffer.concat([Buffer.from('%PDF-1.4\n'), zeros.subarray(0, megabyte)])),
      ends: /^parse_failed$/,
    },
    'pdf-bomb': asPdf(() => packPdf(Buffer.alloc(n(400 * megabyte), ' '))),
    'pdf-bomb-in-bomb': asPdf(() => packPdf(Buffer.alloc(n(400 * megabyte), ' '), 2)),
    'pdf-slow': asPdf(() => makeSlowPdf(n(6_000_000))),
    'pdf-kids-loop': asPdf(pdf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'])),
    'pdf-kids-deep': asPdf(
      pdf([
        catalog,
        ...Array.from({ length: n(50_000) }, (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 >>`),
        page('[]'),
      ]),
    ),
    'pdf-pages-many': asPdf(
      pdf([catalog, `<< /Type /Pages /Kids [${'3 0 R '.repeat(n(300_000))}] /Count ${n(300_000)} >>`, page('[]')]),
    ),
    'pdf-count-lie': asPdf(pdf([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>', page('[]')])),
    'pdf-form-loop': asPdf(
      pdf([
        catalog,
        onePage,
        page('4 0 R', '/XObject << /F 5 0 R >>'),
        stream('/F Do '.repeat(n(10_000))),
        stream('/F Do /F Do', '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F 5 0 R >> >>'),
      ]),
    ),
    'pdf-contents-many': asPdf(pdf([catalog, onePage, page(`[${'4 0 R '.repeat(n(500_000))}]`), stream('q Q')])),
    'pdf-filters-many': asPdf(
      pdf([catalog, onePage, page('4 0 R'), stream('00>', `/Filter [${'/ASCIIHexDecode '.repeat(n(100_000))}]`)]),
    ),
    'pdf-length-loop': asPdf(
      pdf([catalog, onePage, page('4 0 R'), '<< /Length 4 0 R >>\nstream\nBT ET\nendstream', '5 0 R']),
    ),
    'pdf-reference-loop': asPdf(pdf(['2 0 R', '3 0 R', '1 0 R'])),
    'pdf-arrays-deep': asPdf(pdf([catalog, onePage, page('4 0 R'), '['.repeat(n(1_000_000))])),
    'pdf-string-open': asPdf(pdf([catalog, onePage, page('4 0 R'), stream(`BT ${'('.repeat(n(2_000_000))}`)])),
    'pdf-operands-many': asPdf(pdf([catalog, onePage, page('4 0 R'), stream(`${'1 '.repeat(n(3_000_000))}m`)])),
    'pdf-xref-huge': asPdf(
      () => `${pdf([catalog, onePage, page('[]')])}xref\n0 ${n(500_000)}\n${'0000000000 65535 f \n'.repeat(n(500_000))}`,
    ),
    'pdf-xref-lie': asPdf(`${pdf([catalog])}xref\n0 999999999\ntrailer << /Root 1 0 R >>\nstartxref\n80\n%%EOF`),
    'pdf-prev-loop': asPdf(`%PDF-1.4\nxref\n0 0\ntrailer << /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF`),
    'pdf-encrypted': asPdf(pdf([catalog, onePage, page('[]')], '/Encrypt << /Filter /Standard /V 5 /R 6 >> /ID [(a)(b)]')),
    'pdf-title-huge': asPdf(() => pdf([catalog, onePage, page('[]'), `<< /Title (${'t'.repeat(n(5_000_000))}) >>`], '/Info 4 0 R')),
    'pdf-headers-many': asPdf('%PDF-1.4\n%%EOF\n'.repeat(n(200_000))),
    // Data.
    'json-deep': { answer: file('application/json', '['.repeat(n(500_000))), ends: read },
    'json-nested': {
      answer: file('application/json', `${'['.repeat(4_000)}${']'.repeat(4_000)}`),
      ends: readOrNot,
    },
    'json-keys': {
      answer: file('application/json', JSON.stringify(Object.fromEntries(Array.from({ length: n(100_000) }, (_, i) => [i, i])))),
      ends: readOrNot,
    },
    'json-string': { answer: file('application/json', `"${'\\u0000\\ud800'.repeat(n(300_000))}"`), ends: readOrNot },
    'xml-laughs': {
      answer: file(
        'application/rss+xml',
        `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><rss><channel><item><title>&l20;</title></item></channel></rss>`,
      ),
      ends: read,
    },
    'xml-outside': {
      answer: file(
        'application/rss+xml',
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><item><title>a &f; b</title></item></channel></rss>',
      ),
      ends: read,
    },
    'feed-deep': {
      answer: file('application/rss+xml', `<rss><channel>${'<item>'.repeat(n(100_000))}`),
      ends: readOrNot,
    },
    'feed-items': {
      answer: file(
        'application/atom+xml',
        `<feed>${'<entry><title>t</title><summary>s</summary></entry>'.repeat(n(60_000))}</feed>`,
      ),
      ends: readOrNot,
    },
    'sitemap-as-page': {
      answer: file('application/xml', `<urlset>${'<url><loc>http://a.org/</loc></url>'.repeat(n(80_000))}</urlset>`),
      ends: readOrNot,
    },
    'markdown-deep': { answer: file('text/markdown', `${'> '.repeat(n(500_000))}text`), ends: readOrNot },
    'markdown-heading': { answer: file('text/markdown', `# a${' '.repeat(200_000)}x\n\nText.`), ends: read },
    'mail-of-blank-lines': {
      answer: file(
        'message/rfc822',
        `From: a@b.example\r\nSubject: Hi\r\nContent-Type: text/html\r\n\r\n<p>Hello</p><pre>a${' \n'.repeat(50_000)}b</pre>`,
      ),
      ends: read,
    },
    'markdown-brackets': { answer: file('text/markdown', '[a]('.repeat(n(500_000))), ends: readOrNot },
    'text-nulls': { answer: file('text/plain', zeros.subarray(0, megabyte)), ends: /^(read|unsupported_type)$/ },
    // Not pages.
    'zip-bomb': { answer: file('application/zip', () => zip(40 * megabyte)), ends: /^(unsupported_type|parse_failed)$/ },
    'zip-as-html': { answer: file('text/html', () => zip(40 * megabyte)), ends: /^(unsupported_type|parse_failed)$/ },
    image: { answer: file('image/png', zeros.subarray(0, 1_000)), ends: /^unsupported_type$/ },
    'binary-without-type': {
      answer: (response) => response.writeHead(200).end(Buffer.from([0, 1, 2, 3, 4])),
      ends: /^unsupported_type$/,
    },
  };
}
