/** The kinds of file in a folder: which are read, as what, and what is said of the others. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSourceRule } from '../../../protocol/index.ts';
import { type OpenCorpus, openCorpus } from '../../../src/corpus/corpus.ts';
import type { IndexProgress } from '../../../src/corpus/ingest/tally.ts';
import { oldOffice } from '../../../src/web/extract/page-kind.ts';
import { createReader } from '../../../src/web/reader.ts';
import { makePdf } from '../../support/documents/make-pdf.ts';
import { makeZip } from '../../support/documents/make-zip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const files = join(folder, 'Documents');
const reader = createReader({});
let corpus: OpenCorpus;
let progress: IndexProgress;

const docx = (text: string) =>
  makeZip({
    'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  });
const written: Record<string, string | Uint8Array> = {
  'fog.md': '# Fog\n\nThe fog signal sounds every forty seconds.\n',
  'tide.txt': 'The spring tide reaches nine metres in March.\n',
  'quay.html': '<title>Quay</title><h1>Quay</h1><p>The quay was rebuilt from granite in 1904.</p>',
  'buoy.pdf': await makePdf({ title: 'Buoy', pages: [['The Gannet buoy was repaired in 1987.']] }),
  'Letter.DOCX': docx('The barge Plover was sunk by Karl Hurst.'),
  'crew.csv': 'ship;captain\nHeron;Ada Vogel\n',
  'stores.tsv': 'article\tplace\nlantern\tshed 4\n',
  'book.epub': makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf': '<package><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'c.xhtml': '<html><body><p>The Stilt pier was designed by Nora Quill.</p></body></html>',
  }),
  ...Object.fromEntries(
    ['book.xlsx', 'book.ods', 'slides.pptx', 'slides.odp', 'letter.odt', 'letter.rtf'].map((name) => [
      name,
      readFileSync(new URL(`../../web/documents/${name}`, import.meta.url)),
    ]),
  ),
  'mail.eml':
    'From: Ines Varga <ines@example.org>\r\nSubject: The mooring\r\nDate: Fri, 6 Mar 2026 09:00:00 +0000\r\n\r\nThe mooring chain was replaced on Monday.\r\n',
  '~$Letter.DOCX': 'Nora Quill',
  'old.xlsx': Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex'),
  'old.doc': Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex'),
  'macros.docm': docx('The skiff Wren has a red sail.'),
  'photo.jpg': 'not a photo',
  'film.mp4': 'not a film',
  'other.JPG': 'not a photo',
  'text.docx': 'This is no archive.',
  'blank.md': '\n \n',
  'empty.docx': '',
  'empty.html': '<!doctype html><html><body></body></html>',
  'scan.pdf': await makePdf({ title: '', pages: [[]] }),
  'long.csv': `name\n${'gull\n'.repeat(60_000)}`,
};

beforeAll(async () => {
  mkdirSync(files);
  for (const [name, content] of Object.entries(written)) writeFileSync(join(files, name), content);
  corpus = await openCorpus({ file: join(folder, 'index.db') });
  progress = await corpus.index(
    { kind: 'folder', path: files },
    { extract: (bytes, about, signal) => reader.extractFile(bytes, about, signal) },
  );
});
afterAll(() => Promise.all([corpus.close(), reader.close()]));

describe('the documents of a folder', () => {
  it.each([
    ['fog.md', 'fog signal', 'every forty seconds'],
    ['tide.txt', 'spring tide', 'nine metres'],
    ['quay.html', 'quay granite', 'rebuilt from granite'],
    ['buoy.pdf', 'Gannet buoy', 'repaired in 1987'],
    ['Letter.DOCX', 'barge Plover', 'sunk by Karl Hurst'],
    ['macros.docm', 'skiff Wren', 'a red sail'],
    ['crew.csv', 'captain Heron', '| Heron | Ada Vogel |'],
    ['stores.tsv', 'lantern', '| lantern | shed 4 |'],
    ['book.epub', 'Stilt pier', 'designed by Nora Quill'],
    ['book.xlsx', 'Roof tiles', '2026-03-14'],
    ['book.ods', 'Roof tiles', '2026-03-14'],
    ['slides.pptx', 'speaker welcome everybody', 'Welcome everybody'],
    ['slides.odp', 'speaker welcome everybody', 'Welcome everybody'],
    ['letter.odt', 'built by Ada', 'in 1931'],
    ['letter.rtf', 'built by Ada', 'in 1931'],
    ['mail.eml', 'mooring chain', 'replaced on Monday'],
  ])('are found in %s', async (name, query, text) => {
    // Of passages with the same text a search has one, and some of these documents are the same.
    const url = `file:///Documents/${encodeURIComponent(name)}`;
    const rules = { only: [parseSourceRule(url)!], never: [] };
    const found = await corpus.search({ text: query, limit: 10, rules }, AbortSignal.timeout(60_000));
    expect(found.map((hit) => [hit.url, hit.text.includes(text)])).toContainEqual([url, true]);
  });

  it('are counted, and what is none is skipped or named with the reason', () => {
    expect(progress).toMatchObject({ added: 17, truncated: [join(files, 'long.csv')] });
    expect([...progress.skipped.values()]).toEqual([1, 3]);
    expect([...progress.skipped.keys()].join()).toMatch(/^lock files,not Markdown, .* or EML: \.jpg 2, \.mp4 1$/);
    expect(progress.failed).toEqual([
      { source: join(files, 'blank.md'), reason: 'it has no text' },
      { source: join(files, 'empty.docx'), reason: 'it is empty' },
      { source: join(files, 'empty.html'), reason: 'it has no text; it may be drawn by scripts' },
      { source: join(files, 'old.doc'), reason: oldOffice },
      { source: join(files, 'old.xlsx'), reason: oldOffice },
      { source: join(files, 'scan.pdf'), reason: 'it has no text; it may be scanned' },
      { source: join(files, 'text.docx'), reason: 'The page is damaged and could not be read.' },
    ]);
  });

  it('are not read when the folder is indexed again unchanged', async () => {
    const again = await corpus.index(
      { kind: 'folder', path: files },
      {
        extract: async (_, { url }) =>
          /text\.docx|old\.|empty|scan/.test(url) ? Promise.reject(new Error('again')) : expect.unreachable(),
      },
    );
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 17 });
    expect(again.failed.map(({ reason }) => reason)).toEqual([
      'it has no text',
      'it is empty',
      ...Array(5).fill('again'),
    ]);
  });
});
