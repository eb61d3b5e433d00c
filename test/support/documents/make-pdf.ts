/** Small PDFs of our own making. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

/** Pages of lines in Helvetica, with a title. */

export function makePdf({
  title,
  pages,
}: {
  readonly title: string;
  readonly pages: readonly (readonly string[])[];
}): Buffer {
  const first = 5;
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(title)}) /CreationDate (D:20240131120000Z) >>`,
    ...pages.flatMap((lines, at) => {
      const shown = lines.map((line, row) => `1 0 0 1 72 ${720 - row * 14} Tm (${escaped(line)}) Tj`).join('\n');
      const stream = `BT /F1 12 Tf\n${shown}\nET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + at * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A page whose content stream is deflated `layers` times, off the event loop: it may be large. */
export async function packPdf(content: Buffer, layers = 1): Promise<Buffer> {
  let stream = content;
  for (let i = 0; i < layers; i += 1) stream = await promisify(deflate)(stream);
  const filters = '/FlateDecode '.repeat(layers);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
  ].map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n${objects.join('')}4 0 obj\n<< /Length ${stream.length} /Filter [${filters}] >>\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R /Size 5 >>\n'),
  ]);
}

/** A PDF in 200 KB that takes about as many seconds to read as a page may have, with the default number of operators. */
export function makeSlowPdf(operators = 6_000_000): Promise<Buffer> {
  return packPdf(Buffer.from('1 0 0 1 0 0 cm\n'.repeat(operators)));
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}
