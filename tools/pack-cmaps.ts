/**
 * Writes src/web/extract/cmaps.txt: how the characters of Chinese, Japanese and Korean fonts of PDFs are encoded, which PDFs refer
 * to by name only (ISO 32000-1, 9.7.5.2). The files are those of an unpacked package `pdfjs-dist`; those for UTF-8 and UTF-32,
 * which PDFs rarely have, are left out.
 *
 *   node --import tsx tools/pack-cmaps.ts <folder of pdfjs-dist>
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const folder = join(process.argv[2] ?? '', 'cmaps');
const names = readdirSync(folder).filter((name) => name.endsWith('.bcmap') && !/UTF(?:8|32)/.test(name));
const files = names.sort().map((name) => [name, readFileSync(join(folder, name))] as const);
// The names and lengths in one line, then the files.
const index = files.map(([name, bytes]) => `${name} ${bytes.length}`).join(',');
const packed = brotliCompressSync(Buffer.concat([Buffer.from(`${index}\n`), ...files.map(([, bytes]) => bytes)]));
const licence = readFileSync(join(folder, 'LICENSE'), 'utf8').trim().split('\n');
const lines = packed.toString('base64').match(/.{1,160}/g) ?? [];
const head = [
  'Encodings of fonts (CMaps) of Adobe, as tools/pack-cmaps.ts has packed them. Their licence:',
  '',
  ...licence,
];
writeFileSync(
  new URL('../src/web/extract/cmaps.txt', import.meta.url),
  `${head.map((line) => `# ${line}`.trimEnd()).join('\n')}\n${lines.join('\n')}\n`,
);
