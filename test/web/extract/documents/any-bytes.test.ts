/** A document may come from anybody: whatever its bytes are, it ends as a text within the limits or as an error that says why. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import { maxTextChars } from '../../../../src/web/extract/extraction.ts';
import { makeOpenDocument } from '../../../support/documents/make-opendocument.ts';
import { makePptx, shape, textLine } from '../../../support/documents/make-pptx.ts';
import { makeXlsx, textRow } from '../../../support/documents/make-xlsx.ts';
import { makeZip } from '../../../support/documents/make-zip.ts';

const row = `${textRow(1, 'Item', 'Cost')}<row r="2" hidden="0"><c r="A2" s="1"><v>46095.5</v></c><c r="B2" t="s"><v>0</v></c></row>`;
const odfRow =
  '<table:table-row table:number-rows-repeated="3"><table:table-cell office:value-type="date" office:date-value="2026-03-14"><text:p>x</text:p></table:table-cell><table:covered-table-cell/></table:table-row>';

/** The files that say what a document is, and its text in XML, RTF or a mail. */
const documents: Readonly<Record<string, { readonly text: string; readonly make: (text: string) => Uint8Array }>> = {
  XLSX: {
    text: row,
    make: (rows) => makeXlsx({ sheets: [{ name: 'A', rows }], formats: ['yyyy-mm-dd'], strings: '<si><t>x</t></si>' }),
  },
  'the formats of XLSX': {
    text: 'yyyy-mm-dd hh:mm;[Red]-0.00% "x"',
    make: (format) => makeXlsx({ sheets: [{ name: 'A', rows: row }], formats: [format.replace(/[<>&]/g, '')] }),
  },
  'the list of sheets of XLSX': {
    text: '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
    make: (text) => makeXlsx({ sheets: [{ name: 'A', rows: row }], files: { 'xl/workbook.xml': text } }),
  },
  PPTX: {
    text: `${shape('title', textLine('A title'))}${shape('any', textLine('A point', ' lvl="1"'))}<a:tbl><a:tr><a:tc>${textLine('a')}</a:tc></a:tr></a:tbl>`,
    make: (shapes) => makePptx([{ shapes, notes: 'Said.' }]),
  },
  'the relationships of PPTX': {
    text: '<Relationships><Relationship Id="rId0" Type="x/slide" Target="slides/slide1.xml"/></Relationships>',
    make: (text) => makePptx([{ shapes: shape('title', textLine('A')) }], { 'ppt/_rels/presentation.xml.rels': text }),
  },
  ODT: {
    text: '<text:h text:outline-level="2">H</text:h><text:list><text:list-item><text:p>x<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p></text:list-item></text:list><text:section text:display="none"><text:p>x</text:p></text:section>',
    make: (body) => makeOpenDocument('text', body),
  },
  ODS: {
    text: `<table:table table:name="A">${odfRow.repeat(2)}</table:table>`,
    make: (body) => makeOpenDocument('spreadsheet', body),
  },
  ODP: {
    text: '<draw:page><draw:frame presentation:class="title"><text:p>T</text:p></draw:frame><presentation:notes><draw:frame><text:p>N</text:p></draw:frame></presentation:notes></draw:page>',
    make: (body) => makeOpenDocument('presentation', body),
  },
  RTF: {
    text: "{\\rtf1\\ansicpg1252{\\fonttbl{\\f1\\fcharset128 A;}}{\\info{\\title T}}\\intbl a\\cell\\row\\pard {\\f1\\'93\\'fa}\\u8217?{\\footnote n}\\bin3 abc\\par}",
    make: (text) => Buffer.from(text, 'latin1'),
  },
  'a mail': {
    text: 'From: =?utf-8?q?A?= <a@b>\r\nSubject: S\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>=41</p>\r\n--x--\r\n',
    make: (text) => Buffer.from(text, 'latin1'),
  },
};

async function endsWell(bytes: Uint8Array, url: string): Promise<void> {
  const read = await extract(bytes, { contentType: '', url }).catch((error: unknown) => error);
  if (read === undefined) return;
  if (read instanceof Error) {
    expect(read.message).not.toBe('');
    // A mistake of ours shows as one of these.
    expect([TypeError, ReferenceError].some((kind) => read instanceof kind)).toBe(false);
    return;
  }
  const { text, title } = read as { text: string; title: string };
  expect(text.length).toBeLessThanOrEqual(maxTextChars);
  expect(title.length).toBeLessThanOrEqual(500);
  expect(text.isWellFormed()).toBe(true);
}

/** A text with parts of it removed, repeated, or replaced by something else. */
function mutationsOf(text: string): fc.Arbitrary<string> {
  const place = fc.nat(text.length);
  const other = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      '<',
      '>',
      '"',
      '/>',
      '</',
      '&#0;',
      '1e999',
      '-1',
      '99999999999',
      '\\',
      '{',
      '}',
      '\0',
      ']]>',
      '<![CDATA[',
    ),
  );
  const change = fc.record({ from: place, length: fc.nat(20), other, times: fc.nat(3) });
  return fc
    .array(change, { minLength: 1, maxLength: 6 })
    .map((changes) =>
      changes.reduce(
        (now, each) => now.slice(0, each.from) + each.other.repeat(each.times) + now.slice(each.from + each.length),
        text,
      ),
    );
}

describe('a document from anybody', () => {
  it.each(Object.entries(documents))(
    'ends as a text or an error where the text of %s is changed',
    async (_, { text, make }) => {
      await fc.assert(
        fc.asyncProperty(mutationsOf(text), (changed) => endsWell(make(changed), 'file:///document.eml')),
        { numRuns: 150 },
      );
    },
  );

  it.each(Object.entries(documents))(
    'ends as a text or an error where bytes of %s are changed',
    async (_, { text, make }) => {
      const bytes = make(text);
      const changes = fc.array(fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) }), {
        minLength: 1,
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(changes, fc.nat(bytes.length), fc.boolean(), async (changed, cut, isCut) => {
          const other = Uint8Array.from(bytes);
          for (const { at, byte } of changed) other[at] = byte;
          await endsWell(isCut ? other.subarray(0, cut) : other, 'file:///document.eml');
        }),
        { numRuns: 150 },
      );
    },
  );

  it('ends as a text or an error where the parts of an archive are any bytes', async () => {
    const names = [
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'ppt/presentation.xml',
      'content.xml',
      'mimetype',
      'META-INF/manifest.xml',
    ];
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.constant(Buffer.from('application/vnd.oasis.opendocument.text')),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), part), async (files) => {
        const buffers = Object.entries(files).map(([name, content]) => [name, Buffer.from(content)] as const);
        await endsWell(makeZip(Object.fromEntries(buffers)), 'file:///document');
      }),
      { numRuns: 150 },
    );
  });
});
