/** A file of the web pages, in memory, with its compressed encodings. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** Content encodings, best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number] | 'identity';

export interface StaticFile {
  readonly type: string;
  readonly isPage: boolean;
  /** A short hash of the uncompressed bytes, for ETags. */
  readonly hash: string;
  readonly bodies: { readonly identity: Uint8Array } & { readonly [Name in Coding]?: Uint8Array };
}

/** By path, with a leading slash. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** `name` must end in `.html`, `.js`, `.css` or `.svg`. Rejects for other types. */
export async function createStaticFile(name: string, bytes: Uint8Array): Promise<StaticFile> {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = types[ending];
  if (type === undefined) throw new Error(`expected a name ending in .html, .js, .css or .svg; got ${name}`);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  // A file of a few bytes grows when it is compressed.
  const smaller = Object.entries({ br, gzip: gz }).filter(([, body]) => body.byteLength < bytes.byteLength);
  const bodies = { identity: bytes, ...Object.fromEntries(smaller) };
  return { type, isPage: ending === 'html', hash: hashOf(bytes), bodies };
}

/** The first 12 characters of the base64url SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
}
