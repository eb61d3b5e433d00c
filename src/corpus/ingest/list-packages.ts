/** The documentation of installed packages: the Markdown of each, with its public URL. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { ownPackage } from '../../base/own-documentation.ts';
import { formatOf, markdown } from './file-formats.ts';
import { type FileList, type FileToIndex, toKey, walk } from './list-files.ts';

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
