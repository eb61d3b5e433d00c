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

describe('a PDF', () => {
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
