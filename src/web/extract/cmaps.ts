/** The predefined encodings of Chinese, Japanese and Korean fonts, by name, as pdf.js asks for them. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

let files: ReadonlyMap<string, Uint8Array> | undefined;

/** Gives pdf.js the files that it has no room for; the bundle and its types call them binary data. */
export class CMapSource {
  /** Resolves with a packed CMap such as `90ms-RKSJ-H.bcmap`. Rejects for a name that is unknown, and for other kinds of files. */
  async fetch({ filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    files ??= unpack();
    const file = files.get(filename);
    if (file === undefined) throw new Error(`There is no ${filename}.`);
    // pdf.js may transfer it to another thread.
    return Uint8Array.from(file);
  }
}

/** Only few PDFs need them, so they are unpacked for the first one that does. */
function unpack(): ReadonlyMap<string, Uint8Array> {
  const text = readFileSync(new URL('./cmaps.txt', import.meta.url), 'latin1').replace(/^#.*\n/gm, '');
  const bytes = brotliDecompressSync(Buffer.from(text, 'base64'));
  const start = bytes.indexOf('\n') + 1;
  const found = new Map<string, Uint8Array>();
  let at = start;
  for (const entry of bytes.toString('latin1', 0, start - 1).split(',')) {
    const [name = '', length = '0'] = entry.split(' ');
    found.set(name, bytes.subarray(at, at + Number(length)));
    at += Number(length);
  }
  return found;
}
