/** A file of the web pages, in memory, compressed as browsers ask for it. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** Content encodings, best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

export interface StaticFile {
  readonly type: string;
  readonly isPage: boolean;
  /** A short hash of the uncompressed bytes, for ETags. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** Its bytes in this coding, compressed at the first call; undefined where that saves nothing, as with a few bytes. */
  compressed(coding: Coding): Promise<Uint8Array | undefined>;
}

/** By path, with a leading slash. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** `name` must end in `.html`, `.js`, `.css` or `.svg`. Throws for other types. */
export function createStaticFile(name: string, bytes: Uint8Array): StaticFile {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = types[ending];
  if (type === undefined) throw new Error(`expected a name ending in .html, .js, .css or .svg; got ${name}`);
  const bodies = new Map<Coding, Promise<Uint8Array | undefined>>();
  return {
    type,
    isPage: ending === 'html',
    hash: hashOf(bytes),
    bytes,
    compressed(coding) {
      const body = bodies.get(coding) ?? compress(bytes, coding);
      bodies.set(coding, body);
      return body;
    },
  };
}

async function compress(bytes: Uint8Array, coding: Coding): Promise<Uint8Array | undefined> {
  const body =
    coding === 'br'
      ? await promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } })
      : await promisify(gzip)(bytes, { level: 9 });
  return body.byteLength < bytes.byteLength ? body : undefined;
}

/** The first 12 characters of the base64url SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
}
