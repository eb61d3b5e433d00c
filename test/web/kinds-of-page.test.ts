/** Pages that are not HTML in UTF-8: other charsets, PDF, feeds, Markdown, text, JSON; each comes back readable, over a socket. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractPdf } from '../../src/web/extract/extract-pdf.ts';
import type { Page } from '../../src/web/page.ts';
import { createReader, type Reader } from '../../src/web/reader.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { makePptx, shape, textLine } from '../support/documents/make-pptx.ts';
import { makeXlsx, textRow } from '../support/documents/make-xlsx.ts';
import { makeZip } from '../support/documents/make-zip.ts';
import { serveSite, type TestSite } from './serve.ts';

const bytes = (...list: number[]) => Buffer.from(list);
/** "Привет, мир. Это страница в старой кодировке." in windows-1251. */
const russian = bytes(
  ...[
    0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0, 0x2e, 0x20, 0xdd, 0xf2, 0xee, 0x20, 0xf1, 0xf2,
    0xf0, 0xe0, 0xed, 0xe8, 0xf6, 0xe0, 0x20,
  ],
  ...[0xe2, 0x20, 0xf1, 0xf2, 0xe0, 0xf0, 0xee, 0xe9, 0x20, 0xea, 0xee, 0xe4, 0xe8, 0xf0, 0xee, 0xe2, 0xea, 0xe5, 0x2e],
);
/** "日本語のページです。" in Shift_JIS. */
const japanese = bytes(
  0x93,
  0xfa,
  0x96,
  0x7b,
  0x8c,
  0xea,
  0x82,
  0xcc,
  0x83,
  0x79,
  0x81,
  0x5b,
  0x83,
  0x57,
  0x82,
  0xc5,
  0x82,
  0xb7,
  0x81,
  0x42,
);
const paragraph = (text: Buffer, head = '') =>
  Buffer.concat([Buffer.from(`<html><head>${head}</head><body><p>`), text, Buffer.from('</p></body></html>')]);
const utf16 = (text: string) => Buffer.concat([bytes(0xff, 0xfe), Buffer.from(text, 'utf16le')]);

const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Harbour news</title><description>What happens on the quay.</description><language>en-gb</language>
<item><title>Crane &amp; cable</title><link>https://news.example.org/crane</link><pubDate>Mon, 04 Mar 2024 10:00:00 GMT</pubDate><description>short</description><content:encoded><![CDATA[<p>The crane has a <a href="/cable">new cable</a>.</p><ul><li>40 metres</li></ul>]]></content:encoded></item>
<item><title>Fog</title><guid>2</guid><description>&lt;p&gt;No ferry before noon.&lt;/p&gt;</description></item></channel></rss>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Notizen</title><entry><title type="html">Erste &lt;b&gt;Notiz&lt;/b&gt;</title><link rel="self" href="/self"/><link href="/erste"/><updated>2024-05-01T08:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Text als XHTML.</p></div></content></entry></feed>`;

const files: Record<string, { type?: string; body: string | Buffer }> = {
  'header-1251': { type: 'text/html; charset=windows-1251', body: paragraph(russian) },
  'meta-1251': { type: 'text/html', body: paragraph(russian, '<meta charset="windows-1251">') },
  'header-sjis': { type: 'text/html; charset=Shift_JIS', body: paragraph(japanese) },
  'meta-sjis': {
    type: 'text/html',
    body: paragraph(japanese, '<meta http-equiv="Content-Type" content="text/html; charset=x-sjis">'),
  },
  'mark-utf16': { type: 'text/html; charset=iso-8859-1', body: utf16('<p>Größer, schöner, wide.</p>') },
  'latin-unsaid': {
    type: 'text/html',
    body: paragraph(bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x61, 0x75, 0x20, 0x6c, 0x61, 0x69, 0x74)),
  },
  'utf-8-as-latin': {
    type: 'text/html; charset=iso-8859-1',
    body: paragraph(Buffer.from('Café zwölf, naïve.')),
  },
  'latin-as-utf-8': {
    type: 'text/html; charset=utf-8',
    body: paragraph(Buffer.from('Café zwölf, naïve.', 'latin1')),
  },
  'png-as-html': { type: 'text/html', body: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00) },
  'jpeg-as-text': { type: 'text/plain', body: bytes(0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46) },
  pdf: {
    type: 'application/pdf',
    body: makePdf({
      title: 'A short report',
      pages: [
        ['The survey of 2023 counted forty-', 'one lighthouses along the coast.'],
        ['Two of them are still kept by hand.'],
      ],
    }),
  },
  'pdf-unsaid': {
    type: 'application/octet-stream',
    body: makePdf({ title: '', pages: [['Found by its first bytes.']] }),
  },
  'with-pictures': {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    body: makeZip({
      'word/document.xml':
        '<w:document><w:body><w:p><w:r><w:t>Beside a picture.</w:t></w:r></w:p></w:body></w:document>',
      'word/media/image1.png': randomBytes(6 * 1024 * 1024),
    }),
  },
  workbook: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: makeXlsx({ sheets: [{ name: 'Cranes', rows: textRow(1, 'Crane', 'Tonnes') + textRow(2, 'North', '40') }] }),
  },
  'mail-file': { type: 'message/rfc822', body: 'From: Ada <a@b.example>\r\nSubject: The roof\r\n\r\nIt leaks.\r\n' },
  'rich-text': { type: 'text/rtf', body: '{\\rtf1 It leaks.\\par}' },
  'old-office': { type: 'application/msword', body: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0) },
  rss: { type: 'application/rss+xml', body: rss },
  atom: { type: 'text/xml', body: atom },
  markdown: {
    type: 'text/markdown',
    body: '---\ntitle: Tides\ndate: 2024-02-03\n---\n\nHigh water *twice* a day.\r\n',
  },
  'readme.md': { type: 'text/plain', body: '# Read me\n\nPlain enough.\n' },
  'code.md': { type: 'text/markdown', body: '```sh\n# install it\n~~~\n# again\n```\n\nCranes\n===\n\n# Later\n' },
  text: { type: 'text/plain', body: 'First line\n\n  indented <b>not bold</b>\n' },
  mail: { type: 'text/plain', body: 'From: Ada\nTo: Ben\nSubject: Re: The roof\n\nIt leaks.\n' },
  chat: { type: 'text/plain', body: '[18:02] Ada: Are we on?\n[18:03] Ben: yes\n' },
  json: { type: 'application/json', body: '{"a":[1,2],"b":"text"}' },
  'json-numbers': {
    type: 'application/json',
    body: '{"id":12345678901234567890,"price":1.10,"mass":6E23,"none":{ },"name":"caf\\u00e9"}',
  },
  'json-broken': { type: 'application/ld+json', body: '{"a":' },
  'html-as-text': {
    type: 'text/plain',
    body: '<!doctype html><html><body><p>Sent as text, meant as a page.</p></body></html>',
  },
  'no-type': { body: '<html><body><p>No type was sent with this one.</p></body></html>' },
  'xhtml-empty': {
    type: 'application/xhtml+xml',
    body: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>A book</title></head><body>${[
      'iframe',
      'textarea',
      'object',
      'video',
      'canvas',
      'select',
      'template',
      'span hidden="hidden"',
    ]
      .map((tag) => `<p>Before <${tag}/> and after the ${tag.split(' ', 1)[0]}.</p>`)
      .join('')}</body></html>`,
  },
  'epub-empty': {
    type: 'application/xhtml+xml',
    body: '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><p>Before <iframe src="a"/> and after it.</p></body></html>',
  },
  xhtml: {
    type: 'application/xhtml+xml',
    body: '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Strict and proper.</p></body></html>',
  },
};

/** Longer than every limit, and cut in the middle of a character by every even one. */
const emoji = `a${'😀'.repeat(400)}`;
const utf16Title = `\u00fe\u00ff${Buffer.from(emoji, 'utf16le').swap16().toString('latin1')}`;
const longTitles: Record<string, { type: string; body: string | Buffer }> = {
  'long-html': {
    type: 'text/html; charset=utf-8',
    body: `<title>${emoji}</title><meta name="author" content="${emoji}"><meta property="og:site_name" content="${emoji}"><body><p>Its <a href="/there">${emoji}</a> is long.</p></body>`,
  },
  'long-text': { type: 'text/plain', body: emoji },
  'long-markdown': { type: 'text/markdown', body: `# ${emoji}` },
  'long-feed': {
    type: 'application/rss+xml',
    body: `<rss version="2.0"><channel><title>${emoji}</title><language>${emoji}</language><item><title>${emoji}</title><link>/a</link></item></channel></rss>`,
  },
  'long-pdf': { type: 'application/pdf', body: makePdf({ title: utf16Title, pages: [['Words.']] }) },
  'long-mail': {
    type: 'message/rfc822',
    body: `From: ${emoji} <a@b.example>\r\nSubject: ${emoji}\r\n\r\nIt leaks.\r\n`,
  },
  'long-slides': { type: '', body: makePptx([{ shapes: shape('title', textLine(emoji)) }]) },
  'long-book': {
    type: 'application/epub+zip',
    body: makeZip({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf': `<package><metadata><dc:title>${emoji}</dc:title><dc:creator>${emoji}</dc:creator><dc:language>${emoji}</dc:language></metadata></package>`,
    }),
  },
};
Object.assign(files, longTitles);

let site: TestSite;
let reader: Reader;

beforeAll(async () => {
  site = await serveSite((request, response) => {
    const file = files[request.url!.slice(1)]!;
    if (file.type !== undefined) response.setHeader('content-type', file.type);
    response.end(file.body);
  });
  reader = createReader({ allowHosts: [`127.0.0.1:${site.port}`] });
});

afterAll(async () => {
  await Promise.all([reader.close(), site.close()]);
});

const read = (name: string): Promise<Page> => reader.read(`${site.base}/${name}`, {}, AbortSignal.timeout(20_000));

describe('charsets', () => {
  it('decodes a page by the charset in its header, in the page itself or by its byte order mark', async () => {
    for (const name of ['header-1251', 'meta-1251'])
      expect((await read(name)).snapshot.text).toBe('Привет, мир. Это страница в старой кодировке.');
    for (const name of ['header-sjis', 'meta-sjis'])
      expect((await read(name)).snapshot.text).toBe('日本語のページです。');
    expect((await read('mark-utf16')).snapshot.text).toBe('Größer, schöner, wide.');
    expect((await read('latin-unsaid')).snapshot.text).toBe('café au lait');
  });

  it('reads a page in the charset that its bytes are in where its header says another', async () => {
    for (const name of ['utf-8-as-latin', 'latin-as-utf-8'])
      expect((await read(name)).snapshot.text).toBe('Café zwölf, naïve.');
  });
});

describe('PDF', () => {
  it('returns a PDF as paragraphs, with its title', async () => {
    const { snapshot, info } = await read('pdf');
    expect(snapshot).toMatchObject({
      title: 'A short report',
      text: 'The survey of 2023 counted fortyone lighthouses along the coast.\n\nTwo of them are still kept by hand.',
    });
    expect(info).toMatchObject({ extractor: 'pdf', content_type: 'application/pdf', words: 18 });
  });

  it.each([
    ['Microsoft Word - A report on tides', 'A report on tides'],
    ['Microsoft Word - tides_final2.docx', 'Tides of 2023'],
    ['about:blank', 'Tides of 2023'],
    ['https://tides.example.org/2023', 'Tides of 2023'],
    ['Untitled', 'Tides of 2023'],
    ['Document1', 'Tides of 2023'],
    ['Document 1 of the inquiry', 'Document 1 of the inquiry'],
  ])('gives a PDF that a program named %j the title %j', async (title, expected) => {
    const pages = [['Tides of 2023', '', 'High water came twice a day.']];
    expect((await extractPdf(makePdf({ title, pages }))).title).toBe(expected);
  });

  it('recognizes a PDF by its first bytes when it has no content type', async () => {
    expect((await read('pdf-unsaid')).snapshot.text).toBe('Found by its first bytes.');
  });
});

describe('documents', () => {
  it('of office programs and mails are read by what is in them', async () => {
    expect((await read('workbook')).snapshot.text).toBe(
      '## Cranes\n\n| Crane | Tonnes |\n| --- | --- |\n| North | 40 |',
    );
    expect((await read('mail-file')).snapshot).toMatchObject({
      title: 'The roof',
      text: 'From: Ada <a@b.example>\nSubject: The roof\n\nIt leaks.',
    });
    expect((await read('rich-text')).snapshot.text).toBe('It leaks.');
  });

  it('may have more bytes than pages, for their pictures', async () => {
    expect((await read('with-pictures')).snapshot.text).toBe('Beside a picture.');
  });

  it('of an old Office, or with a password, say what to do', async () => {
    await expect(read('old-office')).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining('save it as DOCX'),
    });
  });
});

describe('images', () => {
  it.each(['png-as-html', 'jpeg-as-text'])('are no pages, whatever their type says: %s', async (name) => {
    await expect(read(name)).rejects.toMatchObject({ code: 'unsupported_type' });
  });
});

describe('feeds', () => {
  it('returns each entry of a feed as a heading with its date and content', async () => {
    const { snapshot, info } = await read('rss');
    expect(snapshot.title).toBe('Harbour news');
    expect(snapshot.text).toBe(
      [
        'What happens on the quay.',
        '## [Crane & cable](https://news.example.org/crane)',
        '2024-03-04T10:00:00.000Z',
        'The crane has a [new cable](https://news.example.org/cable).',
        '- 40 metres',
        '## Fog',
        'No ferry before noon.',
      ].join('\n\n'),
    );
    expect(info).toMatchObject({
      extractor: 'feed',
      language: 'en-gb',
      links: [{ url: 'https://news.example.org/crane', text: 'Crane & cable' }],
    });
  });

  it('reads Atom feeds, with XHTML in them', async () => {
    const { snapshot } = await read('atom');
    expect(snapshot.text).toBe(`## [Erste Notiz](${site.base}/erste)\n\n2024-05-01T08:00:00.000Z\n\nText als XHTML.`);
  });
});

describe('long titles', () => {
  it.each(Object.keys(longTitles))(
    'are not cut within a character, nor is anything else of a page: %s',
    async (name) => {
      const { snapshot, info } = await read(name);
      expect(snapshot.title).toMatch(/^a(?:😀){99,}$/u);
      expect(await reader.snapshot(snapshot.id)).toEqual(snapshot);
      // JSON has half a character only as an escape.
      expect(JSON.stringify([snapshot, info])).not.toContain('\\ud');
    },
  );
});

describe('text', () => {
  it('keeps Markdown as it is, and reads its front matter', async () => {
    const { snapshot } = await read('markdown');
    expect(snapshot).toMatchObject({ title: 'Tides', text: 'High water *twice* a day.', published_at: '2024-02-03' });
    expect((await read('readme.md')).snapshot).toMatchObject({ title: 'Read me', text: '# Read me\n\nPlain enough.' });
  });

  it('takes no line of code for the title of Markdown', async () => {
    expect((await read('code.md')).snapshot.title).toBe('Cranes');
  });

  it('keeps plain text unchanged', async () => {
    expect((await read('text')).snapshot).toMatchObject({
      title: 'First line',
      text: 'First line\n\n  indented <b>not bold</b>',
    });
  });

  it('takes the subject of a mail for its title, and no message of a chat', async () => {
    expect((await read('mail')).snapshot.title).toBe('The roof');
    expect((await read('chat')).snapshot.title).not.toContain('Are we on');
  });

  it('keeps the numbers of JSON as they are written', async () => {
    expect((await read('json-numbers')).snapshot.text).toBe(
      '```json\n{\n  "id": 12345678901234567890,\n  "price": 1.10,\n  "mass": 6E23,\n  "none": {},\n  "name": "café"\n}\n```',
    );
  });

  it('indents JSON, and warns when it is invalid', async () => {
    expect((await read('json')).snapshot.text).toBe('```json\n{\n  "a": [\n    1,\n    2\n  ],\n  "b": "text"\n}\n```');
    expect((await read('json-broken')).info.warnings).toHaveLength(1);
  });

  it('reads what comes after an empty element of XHTML that closes itself', async () => {
    const { text } = (await read('xhtml-empty')).snapshot;
    for (const tag of ['iframe', 'textarea', 'object', 'video', 'canvas', 'select', 'template', 'span'])
      expect(text).toContain(`and after the ${tag}.`);
    expect((await read('epub-empty')).snapshot.text).toContain('and after it.');
  });

  it('reads HTML sent as text as a page', async () => {
    expect((await read('html-as-text')).snapshot.text).toBe('Sent as text, meant as a page.');
    expect((await read('no-type')).snapshot.text).toBe('No type was sent with this one.');
    expect((await read('xhtml')).snapshot.text).toBe('Strict and proper.');
  });
});
