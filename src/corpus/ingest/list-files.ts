/**
 * The indexable files of a folder, in a stable order. Symbolic links are followed within the folder, and each real folder and
 * file is visited once, so loops end; a link that leads out of it is reported instead, because what callers may read is
 * this folder. Hidden entries are skipped, and so is `node_modules`, unless its packages are the source: those may be links
 * to anywhere, as package managers make them.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { documentKinds } from '../../../protocol/document-kinds.ts';
import { ownPackage } from '../../base/own-documentation.ts';
import { addressFile } from '../index/folder-addresses.ts';
import { type FileFormat, formatOf, isLockFile, markdown } from './file-formats.ts';
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

interface Package {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Markdown files of a package that are not documentation of its use: they would outweigh it in search. */
const notDocumentation =
  /^(?:licen[cs]e|copying|notice|change-?log|changes|history|news|release[-_ ]?notes|code[-_]of[-_]conduct|contribut|security|authors|maintainers|governance|third-?party|backers|sponsors|pull_request_template|issue_template|todo|roadmap)/i;

/** The pages of this package that document its use; the others are about its development and its design. */
const ownDocumentation = /^(?:README|SECURITY|docs\/(?!scale\.)[\w-]+|protocol\/(?:PROTOCOL|GLOSSARY))\.md$/;

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

/**
 * The Markdown of every package under a `node_modules` folder, with the public URL of exactly that version. Of a package
 * installed in several versions, only the outermost is listed, which is the one that programs in that folder import: otherwise
 * a search would mix the documentation of several versions. This package comes first: a newcomer's first questions are about
 * it, and are answered before the others are indexed. Throws when `root` does not exist.
 */
export function listPackages(root: string): FileList {
  const packageOf = createPackageFinder(root);
  const outermost = new Map<string, Package>();
  const packages = new Map<FileToIndex, Package>();
  const { files, ...rest } = walk(root, {
    toFile(path, bytes) {
      if (formatOf(path) !== markdown) return undefined;
      const of = packageOf(dirname(path));
      if (of === undefined) return undefined;
      const isDocumentation =
        of.name === ownPackage ? ownDocumentation.test(toKey(of.folder, path)) : !notDocumentation.test(basename(path));
      if (!isDocumentation) return undefined;
      const before = outermost.get(of.name);
      if (before === undefined || depth(of) < depth(before)) outermost.set(of.name, of);
      const file = documentOf(of, path, toKey(root, path), bytes);
      packages.set(file, of);
      return file;
    },
    mayEnter: () => true,
    mayFollow: () => true,
  });
  const isOutermost = (of: Package | undefined) => of !== undefined && outermost.get(of.name) === of;
  const listed = files.filter((file) => isOutermost(packages.get(file)));
  const own = outermost.has(ownPackage) ? listed.filter((file) => file.package === ownPackage) : listOwn(dirname(root));
  return { ...rest, files: [...own, ...listed.filter((file) => file.package !== ownPackage)] };
}

/** The documentation of this package if it is in `folder`, as in a checkout, where it is not one of its own packages. */
function listOwn(folder: string): FileToIndex[] {
  const of = readPackage(folder);
  if (of?.name !== ownPackage) return [];
  const { files } = walk(folder, {
    toFile(path, bytes) {
      const inside = toKey(folder, path);
      return ownDocumentation.test(inside) ? documentOf(of, path, `${ownPackage}/${inside}`, bytes) : undefined;
    },
    mayEnter: (name) => name === 'docs' || name === 'protocol' || name.endsWith('.md'),
    mayFollow: (real) => real.startsWith(realpathSync(folder)),
  });
  return files;
}

function documentOf(of: Package, path: string, key: string, bytes: number): FileToIndex {
  const inside = toKey(of.folder, path).split('/').map(encodeURIComponent).join('/');
  const url = `https://cdn.jsdelivr.net/npm/${of.name}@${of.version}/${inside}`;
  return { path, key, url, bytes, format: markdown, package: of.name };
}

function depth({ folder }: Package): number {
  return folder.split(sep).length;
}

interface Walk {
  /** Undefined for a file that is not to be indexed. */
  toFile(path: string, bytes: number): FileToIndex | undefined;
  mayEnter(name: string, folder: string): boolean;
  /** Whether the folder or file with this path, from which links are resolved, may be read. */
  mayFollow(real: string): boolean;
}

function walk(root: string, { toFile, mayEnter, mayFollow }: Walk): FileList {
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

/** Finds the innermost package that contains a folder; a package.json without a name and version does not count. */
function createPackageFinder(root: string): (folder: string) => Package | undefined {
  const known = new Map<string, Package | undefined>();
  return function find(folder: string): Package | undefined {
    if (known.has(folder)) return known.get(folder);
    const above = folder.length > root.length ? dirname(folder) : undefined;
    const found = readPackage(folder) ?? (above === undefined ? undefined : find(above));
    known.set(folder, found);
    return found;
  };
}

function readPackage(folder: string): Package | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const named = typeof name === 'string' && /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name);
    return named && typeof version === 'string' && /^[\w.+-]+$/.test(version) ? { name, version, folder } : undefined;
  } catch {
    return undefined;
  }
}

function toKey(root: string, path: string): string {
  return (relative(root, path) || basename(path)).split(sep).join('/');
}

/** Why something failed, as a clause for a report: `it does not exist`, or the error's own message. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Node reads what is not UTF-8 in a name as U+FFFD, and finds no file with that.
  if (code === 'ENOENT' && error instanceof Error && error.message.includes('\ufffd')) return 'its name is not UTF-8';
  return fileReasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const fileReasons: Record<string, string> = {
  EACCES: 'it cannot be read (permission denied)',
  EPERM: 'it cannot be read (permission denied)',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
};
