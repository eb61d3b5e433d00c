/** The server's own documentation, from the Markdown files of its package: the README, `docs/` and the protocol. */
import { readdir, readFile } from 'node:fs/promises';

/** In a checkout the root of the sources, in the published package the folder above `dist`. */
const root = new URL(import.meta.url.includes('/dist/src/') ? '../../../../' : '../../../', import.meta.url);

/** Paths of the documents, relative to the package: `docs/models.md`. Those that are not installed are left out. */
export async function listDocuments(): Promise<string[]> {
  const found = await Promise.all(
    ['', 'docs/', 'protocol/'].map(async (folder) => {
      const names = await readdir(new URL(folder, root)).catch(() => []);
      return names.filter((name) => /^[\w-]+\.md$/.test(name)).map((name) => `${folder}${name}`);
    }),
  );
  return found.flat().sort();
}

/** The text of a document; undefined if there is none at this path. */
export async function readDocument(path: string): Promise<string | undefined> {
  const documents = await listDocuments();
  return documents.includes(path) ? readFile(new URL(path, root), 'utf8') : undefined;
}
