/** What the package knows of itself: its version, and its documentation as Markdown (the README, `docs/` and the protocol). */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder of the package, above this file wherever that was built to. */
const root = findRoot();

/** The version of this package. */
export const version = root === undefined ? 'unknown' : readManifest(root).version;

/** Paths of the documents, relative to the package: `docs/models.md`. Those that are not installed are left out. */
export async function listDocuments(): Promise<string[]> {
  if (root === undefined) return [];
  const found = await Promise.all(
    ['', 'docs/', 'protocol/'].map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return names.filter((name) => /^[\w-]+\.md$/.test(name)).map((name) => `${folder}${name}`);
    }),
  );
  return found.flat().sort();
}

/** The text of a document; undefined if there is none at this path. */
export async function readDocument(path: string): Promise<string | undefined> {
  const documents = await listDocuments();
  return root !== undefined && documents.includes(path) ? readFile(join(root, path), 'utf8') : undefined;
}

function findRoot(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && readManifest(folder).name === 'citewire') return folder;
  }
  return undefined;
}

function readManifest(folder: string): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
