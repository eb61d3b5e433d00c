/**
 * The public addresses of indexed folders: callers see a file as its path below one, never where it is on this machine. The
 * address is the base URL that the operator gave, else `file:///<name>/` with the folder's own name, numbered where another
 * folder has that name. It is kept with the source, so indexing again changes no URL.
 */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from 'better-sqlite3';
import { uploadsFolder } from '../../base/source-names.ts';
import { CorpusError } from '../corpus-error.ts';
import { placeOf } from './source-filter.ts';

/** The table; `address` ends with "/". */
export const createAddresses =
  'CREATE TABLE addresses (source TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE) WITHOUT ROWID';

/** As `chooseAddress`, of the addresses in the database, and stores it. Must run in a transaction. */
export function assignAddress(database: Database, source: string, path: string, baseUrl?: string): string {
  const rows = database.prepare('SELECT source, address FROM addresses').raw().all() as [string, string][];
  const known = new Map(rows);
  const address = chooseAddress(known, source, path, baseUrl);
  if (address !== known.get(source))
    database.prepare('INSERT OR REPLACE INTO addresses (source, address) VALUES (?, ?)').run(source, address);
  return address;
}

/**
 * The address of the folder, or of the folder of the file, at `path`: `baseUrl` if given, else the one it has, else a new one.
 * `known` has the addresses by source. Throws a CorpusError `invalid` when another source has that base URL.
 */
export function chooseAddress(
  known: ReadonlyMap<string, string>,
  source: string,
  path: string,
  baseUrl?: string,
): string {
  const own = known.get(source);
  if (own !== undefined && (baseUrl === undefined || baseUrl === own)) return own;
  const owners = new Map([...known].map(([owner, address]) => [address, owner]));
  const owner = baseUrl === undefined ? undefined : owners.get(baseUrl);
  if (owner !== undefined)
    throw new CorpusError('invalid', `The base URL ${baseUrl} is that of another source: ${owner}.`);
  const name = nameOf(path);
  let address = baseUrl ?? nameAddress(name);
  const isTaken = () => owners.has(address) || address === nameAddress(uploadsFolder);
  for (let n = 2; baseUrl === undefined && isTaken(); n += 1) address = nameAddress(`${name}-${n}`);
  return address;
}

/** The URL of the file with that key (a relative path with "/") below an address. */
export function addressFile(address: string, key: string): string {
  return new URL(key.toWellFormed().split('/').map(encodeURIComponent).join('/'), address).href;
}

/**
 * Gives an address to folders that were indexed before there were any, and changes the URLs of their pages and snapshots,
 * which were paths of this machine. The ids of snapshots stay, because stored searches cite them.
 */
export function addressOldFolders(database: Database): void {
  const rows = (sql: string) => database.prepare(sql).all() as { n: number; url: string }[];
  const update = database.prepare('UPDATE OR IGNORE pages SET url = ?, site = ?, path = ? WHERE n = ?');
  const updateSnapshot = database.prepare('UPDATE snapshots SET url = ? WHERE n = ?');
  const sources = database.prepare("SELECT DISTINCT source FROM entries WHERE source LIKE 'folder:%'").pluck().all();
  // The innermost folder has a page first, as its address says the least about the others.
  const folders = (sources as string[])
    .map((source) => {
      const path = source.slice('folder:'.length);
      return { path, url: pathToFileURL(path).href, address: assignAddress(database, source, path) };
    })
    .sort((a, b) => b.path.length - a.path.length);
  const publicUrl = (url: string): string | undefined => {
    for (const folder of folders) {
      if (url.startsWith(`${folder.url}/`)) return folder.address + url.slice(folder.url.length + 1);
      if (url === folder.url) return folder.address + url.slice(url.lastIndexOf('/') + 1);
    }
    return undefined;
  };
  for (const { n, url } of rows("SELECT n, url FROM pages WHERE url LIKE 'file:%'")) {
    const changed = publicUrl(url);
    const place = changed === undefined ? undefined : placeOf(changed);
    if (place !== undefined) update.run(changed, place.site, place.path, n);
  }
  for (const { n, url } of rows("SELECT n, url FROM snapshots WHERE url LIKE 'file:%'")) {
    const changed = publicUrl(url);
    if (changed !== undefined) updateSnapshot.run(changed, n);
  }
}

/** The folder's own name, or that of the folder of a single file. */
function nameOf(path: string): string {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return basename(isFile ? dirname(path) : path) || 'files';
}

function nameAddress(name: string): string {
  return `file:///${encodeURIComponent(name.toWellFormed())}/`;
}
