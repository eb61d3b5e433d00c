/**
 * The indexable files of a folder, in a stable order. Symbolic links are followed within the folder, and each real folder and
 * file is visited once, so loops end; a link that leads out of it is reported instead, because what callers may read is
 * this folder. Hidden entries are skipped, and so is `node_modules`, unless its packages are the source: those may be links
 * to anywhere, as package managers make them.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { documentKinds } from '../../../protocol/document-kinds.ts';
import { addressFile } from '../index/folder-addresses.ts';
import { type FileFormat, formatOf, isLockFile } from './file-formats.ts';
import { reasonOf } from './file-reasons.ts';
import { findCopies, holdsSources } from './find-copies.ts';

export interface FileToIndex {
  /** The file's path on disk. */
  readonly path: string;
  /** Its name within the source: the relative path, with "/". */
  readonly key: string;
  readonly url: string;
  readonly bytes: number;
  readonly format: FileFormat;
  /** The package it documents. */
  readonly package?: string;
}

export interface Failure {
  /** A path or URL. */
  readonly source: string;
  readonly reason: string;
}

export interface FileList {
  readonly files: FileToIndex[];
  readonly failed: Failure[];
  /** Keys of files that have become too large to be read: what is indexed of them stays. */
  readonly kept: string[];
  /** How many files there are, without links that lead nowhere, which are all that is left when a disk is away. */
  readonly found: number;
  /** What was left out on purpose: how many files and folders for each reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** False when a folder or a file could not be read: files missing from the list may still exist. */
  readonly complete: boolean;
}

/**
 * The files under a folder that can be indexed, or the one file `root`, with URLs below `address`. Throws when `root` does not
 * exist.
 */
export function listFolder(root: string, address: string): FileList {
  const realRoot = realpathSync(root);
  return walk(root, {
    toFile(path, bytes) {
      const format = formatOf(path);
      if (format === undefined) return undefined;
      const key = toKey(root, path);
      return { path, key, url: addressFile(address, key), bytes, format };
    },
    mayEnter: (name, folder) => name !== 'node_modules' && !holdsSources(folder, name),
    mayFollow: (real) => real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep),
  });
}

interface Walk {
  /** Undefined for a file that is not to be indexed. */
  toFile(path: string, bytes: number): FileToIndex | undefined;
  mayEnter(name: string, folder: string): boolean;
  /** Whether the folder or file with this path, from which links are resolved, may be read. */
  mayFollow(real: string): boolean;
}

/** The files under a folder, or the one file `root`, that `toFile` wants. Throws when `root` does not exist. */
export function walk(root: string, { toFile, mayEnter, mayFollow }: Walk): FileList {
  const files: FileToIndex[] = [];
  const failed: Failure[] = [];
  const kept: string[] = [];
  let dangling = 0;
  const visited = new Set<string>();
  const skipped = new Map<string, number>();
  /** How many files of other kinds have each ending. */
  const endings = new Map<string, number>();
  const skip = (reason: string) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const skipKind = (path: string) => {
    const ending = extname(path).toLowerCase() || 'no ending';
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  };
  let complete = true;
  const enter = (folder: string) => {
    let names: string[];
    try {
      const real = realpathSync(folder);
      if (visited.has(real)) return;
      visited.add(real);
      if (!mayFollow(real)) return void failed.push({ source: folder, reason: leadsOut });
      names = readdirSync(folder).sort();
    } catch (error) {
      complete = false;
      failed.push({ source: folder, reason: reasonOf(error) });
      return;
    }
    const copies = findCopies(folder, names);
    for (const name of names) {
      if (name.startsWith('.')) skip('hidden');
      else if (copies.has(name)) skip('copies of pages');
      else if (!mayEnter(name, folder)) skip(name);
      else visit(join(folder, name));
    }
  };
  const visit = (path: string) => {
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) return enter(path);
      const file = stats.isFile() ? toFile(path, stats.size) : undefined;
      if (file === undefined) return isLockFile(path) ? skip('lock files') : skipKind(path);
      const real = realpathSync(path);
      if (visited.has(real)) return;
      visited.add(real);
      if (!mayFollow(real)) failed.push({ source: path, reason: leadsOut });
      else if (stats.size > file.format.maxMegabytes * 1024 * 1024) {
        failed.push({ source: path, reason: `it is larger than ${file.format.maxMegabytes} MB` });
        kept.push(file.key);
      } else files.push(file);
    } catch (error) {
      // A link that leads nowhere, or in a circle, is there, but there is no file.
      if (isGone(error)) dangling += 1;
      else complete = false;
      failed.push({ source: path, reason: reasonOf(error) });
    }
  };
  if (statSync(root).isDirectory()) enter(root);
  else visit(root);
  const others = [...endings.values()].reduce((sum, count) => sum + count, 0);
  if (others > 0) skipped.set(`not ${documentKinds}: ${namedEndings(endings)}`, others);
  const found = files.length + failed.length - dangling;
  return { files, failed, kept, found, skipped, complete };
}

/** Endings that are named; set by hand. */
const maxEndings = 8;

/** The most frequent ones with their counts: ".jpg 12, .zip 3". */
function namedEndings(endings: ReadonlyMap<string, number>): string {
  const byCount = [...endings].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = byCount.slice(maxEndings).reduce((sum, [, count]) => sum + count, 0);
  const named = byCount.slice(0, maxEndings).map(([ending, count]) => `${ending} ${count}`);
  return [...named, ...(rest > 0 ? [`others ${rest}`] : [])].join(', ');
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP');
}

const leadsOut = 'it is a link that leads out of the folder';

/** The name of a file within a folder: its relative path, with "/". */
export function toKey(root: string, path: string): string {
  return (relative(root, path) || basename(path)).split(sep).join('/');
}
