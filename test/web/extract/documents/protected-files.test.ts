/** Books and PDFs that only a password or a licence opens, and books in other charsets. */
import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import { hasPassword } from '../../../../src/web/extract/unsupported-file.ts';
import { makePdf } from '../../../support/documents/make-pdf.ts';
import { makeZip } from '../../../support/documents/make-zip.ts';

const chapter = (text: string) => `<html><body><p>${text}</p></body></html>`;

function book(encrypted: readonly string[], first: string | Buffer = chapter('The first chapter.')) {
  const references = encrypted.map((name) => `<enc:CipherData><enc:CipherReference URI="${name}"/></enc:CipherData>`);
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="in/b.opf"/></rootfiles></container>',
    'META-INF/encryption.xml': `<encryption><enc:EncryptedData>${references.join('')}</enc:EncryptedData></encryption>`,
    'in/b.opf':
      '<package><manifest><item id="a" href="a%20b.xhtml"/><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="c"/></spine></package>',
    'in/a b.xhtml': first,
    'in/c.xhtml': chapter('The second chapter.'),
  });
}

const read = (bytes: Uint8Array) => extract(bytes, { contentType: '', url: 'https://books.test/b' });

describe('a book', () => {
  it('is read where only its fonts are encrypted', async () => {
    expect(await read(book(['in/font.otf']))).toMatchObject({
      text: 'The first chapter.\n\nThe second chapter.',
      truncated: false,
    });
  });

  it('is read without its encrypted chapters, and refused where all are', async () => {
    expect(await read(book(['in/a%20b.xhtml']))).toMatchObject({ text: 'The second chapter.', truncated: true });
    await expect(read(book(['in/a%20b.xhtml', 'in/c.xhtml']))).rejects.toThrow('protected against copying (DRM)');
  });

  it('is read without its table of contents, unless it has nothing else', async () => {
    const withSpine = (spine: string) =>
      makeZip({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
        'b.opf': `<package><manifest><item id="n" href="n.xhtml" properties="scripted nav"/><item id="c" href="c.xhtml"/></manifest><spine>${spine}</spine></package>`,
        'n.xhtml': '<html><body><nav><ol><li><a href="c.xhtml">Chapter 1</a></li></ol></nav></body></html>',
        'c.xhtml': chapter('The first chapter.'),
      });
    expect((await read(withSpine('<itemref idref="n" linear="no"/><itemref idref="c"/>')))?.text).toBe(
      'The first chapter.',
    );
    expect((await read(withSpine('<itemref idref="n"/>')))?.text).toContain('Chapter 1');
  });

  it('is read in the charset that a chapter declares', async () => {
    const head = '<?xml version="1.0" encoding="windows-1251"?><html><body><p>';
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const found = await read(book([], Buffer.concat([Buffer.from(head), cyrillic, Buffer.from('</p></body></html>')])));
    expect(found?.text).toContain('Привет');
  });
});

describe('a PDF', () => {
  it('with a password is named as such', async () => {
    const plain = makePdf({ title: 'Secret', pages: [['Nobody reads this.']] }).toString('latin1');
    const filler = '<28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A>';
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${filler} /U ${filler} /P -4 >> /ID [<00><00>]`;
    const secret = plain.replace(/trailer\s*<</, (start) => `${start} ${encrypt}`);
    expect(secret).not.toBe(plain);
    await expect(read(Buffer.from(secret, 'latin1'))).rejects.toThrow(hasPassword);
  });
});

describe('a file with the name of a document', () => {
  it('is damaged if it is not an archive', async () => {
    const source = { contentType: 'application/zip', url: 'file:///letter.docx' };
    await expect(extract(Buffer.from('garbage'), source)).rejects.toThrow('It is not an archive.');
    expect(await extract(Buffer.from('garbage\0'), { ...source, contentType: 'image/x-own' })).toBeUndefined();
  });
});
