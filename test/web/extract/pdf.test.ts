/** What PDFs need beside their own text: encodings that they only name. */
import { describe, expect, it } from 'vitest';
import { extractPdf } from '../../../src/web/extract/extract-pdf.ts';

/** A page whose content is `content`, with objects from 4 on. */
function makePage(content: string, objects: readonly string[], more = ''): Buffer {
  const all = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${more} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...objects,
  ];
  const body = all.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size ${all.length + 1} >>\n`, 'latin1');
}

/** A font that is not in the file, as old programs of East Asia write it. */
const font = (encoding: string, ordering: string) => [
  `<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
  `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Some /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
  '<< /Type /FontDescriptor /FontName /Some /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const line = (size: number, x: number, y: number, text: string) =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`;

describe('a PDF', () => {
  it('has headings and rows of tables apart from its text, and the largest line as its title', async () => {
    const content = [
      ...[
        line(10, 72, 760, 'Page of the harbour'),
        line(20, 72, 735, 'Invoice 4711'),
        line(10, 72, 720, 'Thank you for the or-'),
      ],
      ...[line(10, 72, 708, 'der of last week.'), line(10, 72, 690, 'Item'), line(10, 200, 690, 'Price')],
      ...[line(10, 72, 678, 'Kettle'), line(10, 200, 678, '39.90')],
    ];
    const { text, title } = await extractPdf(makePage(content.join('\n'), [helvetica]));
    expect(title).toBe('Invoice 4711');
    expect(text.split('\n\n')).toEqual([
      'Page of the harbour',
      'Invoice 4711',
      'Thank you for the order of last week.\nItem Price\nKettle 39.90',
    ]);
  });

  it('has points of a list in lines of their own', async () => {
    const content = [line(10, 72, 720, 'Bring:'), line(10, 72, 708, '\\225 a boat'), line(10, 72, 696, '\\225 an oar')];
    expect((await extractPdf(makePage(content.join('\n'), [helvetica]))).text).toBe('Bring:\n• a boat\n• an oar');
  });

  it('has what is filled into its form, beside its labels, and nothing that is hidden', async () => {
    const field = (name: string, value: string, rect: string, more = '/F 4') =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Rect [${rect}] ${more} >>`;
    const content = [line(12, 50, 700, 'Name:'), line(12, 320, 700, 'Born:'), line(12, 50, 600, 'Signed by all.')];
    const fields = [
      ...[field('n', 'Ada Byron', '100 690 300 710'), field('b', '1815', '360 690 400 710')],
      ...[field('Place of birth', 'London', '100 400 300 420'), field('x1', 'Secret', '100 300 200 320', '/F 2')],
    ];
    const pdf = makePage(content.join('\n'), [helvetica, ...fields], '/Annots [6 0 R 7 0 R 8 0 R 9 0 R]');
    const file = pdf
      .toString('latin1')
      .replace('/Pages 2 0 R >>', '/Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R] >> >>');
    expect((await extractPdf(Buffer.from(file, 'latin1'))).text.split('\n\n')).toEqual([
      'Name: Ada Byron Born: 1815',
      'Signed by all.',
      'Place of birth: London',
    ]);
  });

  it.each([
    ['Japanese', '90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['Japanese in UCS-2', 'UniJIS-UCS2-H', 'Japan1', '65e5672c8a9e', '日本語'],
    ['simplified Chinese', 'GBK-EUC-H', 'GB1', 'd6d0b9fa', '中国'],
    ['traditional Chinese', 'ETen-B5-H', 'CNS1', 'a4a4b0ea', '中國'],
    ['Korean', 'KSCms-UHC-H', 'Korea1', 'c7d1b1b9', '한국'],
  ])('has its text in %s, in an encoding that it only names', async (_, encoding, ordering, hex, text) => {
    const pdf = makePage(`BT /F1 12 Tf 1 0 0 1 72 720 Tm <${hex}> Tj ET`, font(encoding, ordering));
    expect((await extractPdf(pdf)).text).toBe(text);
  });

  it('is read without the parts in an encoding that nobody knows', async () => {
    const pdf = makePage('BT /F1 12 Tf 1 0 0 1 72 720 Tm <d6d0> Tj ET', font('No-Such-H', 'GB1'));
    expect((await extractPdf(pdf)).text).toBe('');
  });
});
