/** The kinds of file in a folder: which are read, as what, and what is said of the others. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource } from '../../../protocol/index.ts';
import { type OpenCorpus, openCorpus } from '../../../src/corpus/corpus.ts';
import type { IndexProgress } from '../../../src/corpus/ingest/tally.ts';
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
  '~$Letter.DOCX': 'Nora Quill',
  'photo.jpg': 'not a photo',
  'text.docx': 'This is no archive.',
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
    ['crew.csv', 'captain Heron', '| Heron | Ada Vogel |'],
    ['stores.tsv', 'lantern', '| lantern | shed 4 |'],
    ['book.epub', 'Stilt pier', 'designed by Nora Quill'],
  ])('are found in %s', async (name, query, text) => {
    const found = await corpus.search({ text: query, limit: 10, rules: everySource }, AbortSignal.timeout(60_000));
    const hit = found.find(({ url }) => url === `file:///Documents/${encodeURIComponent(name)}`);
    expect(hit?.text).toContain(text);
  });

  it('are counted, and what is none is skipped or named with the reason', () => {
    expect(progress).toMatchObject({ added: 8 });
    expect([...progress.skipped.values()]).toEqual([2]);
    expect([...progress.skipped.keys()].join()).toMatch(/^not Markdown, .* or /);
    expect(progress.failed).toEqual([
      { source: join(files, 'text.docx'), reason: expect.stringMatching(/^Expected .+DOCX/) },
    ]);
  });

  it('are not read when the folder is indexed again unchanged', async () => {
    const again = await corpus.index(
      { kind: 'folder', path: files },
      {
        extract: async (_, { url }) =>
          url.endsWith('text.docx') ? Promise.reject(new Error('again')) : expect.unreachable(),
      },
    );
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 8 });
    expect(again.failed.map(({ reason }) => reason)).toEqual(['again']);
  });
});
