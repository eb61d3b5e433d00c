/** A file of the pages, in memory, in every coding it is sent in. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** Best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number] | 'identity';

export interface StaticFile {
  readonly type: string;
  readonly isPage: boolean;
  /** Of its bytes; short, for ETags. */
  readonly hash: string;
  readonly bodies: { readonly identity: Uint8Array } & { readonly [Name in Coding]?: Uint8Array };
}

/** By path, with its slash in front. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** `name` ends in what it is: `.html`, `.js`, `.css` or `.svg`. */
export async function createStaticFile(name: string, bytes: Uint8Array): Promise<StaticFile> {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = types[ending];
  if (type === undefined) throw new Error(`expected a file of a known type; got ${name}`);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  return { type, isPage: ending === 'html', hash: hashOf(bytes), bodies: { identity: bytes, br, gzip: gz } };
}

/** 12 characters that differ where the bytes do. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
}
