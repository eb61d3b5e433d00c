/** The documentation of the package as Markdown: the README, `docs/` and the protocol. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../base/own-package.ts';

/** Paths of the documents, relative to the package: `docs/models.md`. Those that are not installed are left out. */
export async function listDocuments(): Promise<string[]> {
  const root = packageFolder;
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
  return packageFolder !== undefined && documents.includes(path)
    ? readFile(join(packageFolder, path), 'utf8')
    : undefined;
}
