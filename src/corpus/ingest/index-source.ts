/** What can be indexed, and its name in the index. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { everybody, ownedName } from '../../base/source-names.ts';

export type IndexSource =
  | { readonly kind: 'folder'; readonly path: string }
  /** A `node_modules` folder, for an index that has nothing else: it leaves when another source arrives. */
  | { readonly kind: 'packages'; readonly path: string }
  /** The same on request: it stays alongside other sources. */
  | { readonly kind: 'installed'; readonly path: string }
  /** A page, or a sitemap or list (.xml, .txt, also .gz) of pages. */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  /** A file that was uploaded, with the key by which its address is made. */
  | { readonly kind: 'file'; readonly key: string; readonly name: string };

/** The source that a command-line argument names: an http(s) URL, else the path of a folder. */
export function parseIndexSource(text: string): IndexSource {
  return /^https?:\/\//i.test(text) ? { kind: 'url', url: text } : { kind: 'folder', path: resolve(text) };
}

/** The name of a source in the index, always the same for the same source of the same owner. Throws on an invalid URL. */
export function sourceName(source: IndexSource, owner: string = everybody): string {
  return ownedName(owner, ownName(source));
}

function ownName(source: IndexSource): string {
  if (source.kind === 'folder' || source.kind === 'packages' || source.kind === 'installed')
    return `${source.kind}:${source.path}`;
  if (source.kind === 'url') return `url:${new URL(source.url).href}`;
  if (source.kind === 'file') return `file:${source.key}`;
  const digest = createHash('sha256').update(source.urls.join('\n')).digest('hex').slice(0, 16);
  return `urls:${digest}`;
}
