/**
 * Copies a corpus into its twin: the pages of all sources, what is known of these, uploaded files, the addresses of folders, and
 * what ended searches cite. The twin splits and indexes the texts itself. Pages that are there already are skipped, so a copy
 * that was interrupted continues when it is run again. The cache of web pages is not copied: they are read again.
 */
import { createHash } from 'node:crypto';
import type { CorpusBackend } from './backend.ts';
import type { ExportedPage } from './export/export-pages.ts';
import { partsOf } from './export/export-parts.ts';
import { openSqliteBackend } from './sqlite/sqlite-backend.ts';
import { type CopiedVectors, copyVectors } from './vectors/copy-vectors.ts';

export interface CopyOptions {
  /** The index file. */
  readonly file: string;
  readonly databaseUrl: string;
  readonly to: 'sqlite' | 'postgres';
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface CopiedCorpus extends CopiedVectors {
  /** Pages of sources; a page of two sources counts twice. */
  readonly pages: number;
  /** Those that were not there before. */
  readonly added: number;
  readonly pins: number;
}

/** Pages copied with one call; set by hand: a call of the indexing has as many files. */
const batch = 16;

/**
 * Copies all, then reads both and compares the counts and the hashes of all pages and their texts. Rejects when they differ, with
 * the reason of `signal`, or as opening either of them does.
 */
export async function copyCorpus({ file, databaseUrl, to, signal, onProgress }: CopyOptions): Promise<CopiedCorpus> {
  const { openPostgresBackend } = await import('./postgres/postgres-backend.ts');
  const opened: CorpusBackend[] = [];
  try {
    opened.push(await openSqliteBackend({ file }));
    opened.push(await openPostgresBackend(databaseUrl, {}));
    const [source, target] = (to === 'postgres' ? opened : [...opened].reverse()) as [CorpusBackend, CorpusBackend];
    return await copy(source, target, signal, onProgress);
  } finally {
    for (const backend of opened) await backend.close();
  }
}

async function copy(
  from: CorpusBackend,
  to: CorpusBackend,
  signal: AbortSignal,
  onProgress: CopyOptions['onProgress'] = () => {},
): Promise<CopiedCorpus> {
  const sources = await from.read('sources');
  const total = sources.reduce((sum, { pages }) => sum + pages, 0);
  for (const { source, address } of sources) {
    if (address !== null) await to.write('setAddress', source, address);
  }
  await copySources(from, to);
  let [done, added] = [0, 0];
  for await (const pages of partsOf((next) => from.read('exportPages', next, batch), signal)) {
    for (const source of new Set(pages.map((page) => page.source))) {
      const outcomes = await to.write(
        'indexPages',
        source,
        pages.filter((page) => page.source === source),
      );
      for (const outcome of outcomes) {
        if (outcome.was === 'failed')
          throw new Error(`${outcome.key} of ${source} cannot be stored: ${outcome.reason}.`);
        if (outcome.was !== 'unchanged') added += 1;
      }
    }
    done += pages.length;
    onProgress({ done, total });
  }
  let pins = 0;
  for await (const cited of partsOf((next) => from.read('exportPins', next, batch), signal)) {
    for (const { search, ended_at, snapshot, fetched_at } of cited) {
      const id = await to.write('putSnapshot', snapshot, fetched_at);
      await to.write('pin', search, [id], ended_at);
      pins += 1;
    }
  }
  while (added > 0 && (await to.write('merge'))) signal.throwIfAborted();
  await verify(from, to, new Set(sources.map(({ source }) => source)), signal);
  return { pages: done, added, pins, ...(await copyVectors(from, to, signal)) };
}

/** What is known of each source, with the files that were uploaded; one that is already there is left as it is. */
async function copySources(from: CorpusBackend, to: CorpusBackend): Promise<void> {
  for (const {
    source,
    id: _,
    owner: __,
    bytes: ___,
    pages: ____,
    address: _____,
    interrupted: ______,
    ...about
  } of await from.read('storedSources', undefined)) {
    const upload = about.kind === 'file' ? await from.write('upload', source) : undefined;
    await to.write('addSource', source, about, upload?.content, undefined);
  }
}

async function verify(
  from: CorpusBackend,
  to: CorpusBackend,
  sources: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const [expected, found] = [await hashesOf(from, sources, signal), await hashesOf(to, sources, signal)];
  const differing = [...expected].filter(([place, hash]) => found.get(place) !== hash);
  if (differing.length === 0 && expected.size === found.size) return;
  throw new Error(
    `Expected a copy of ${expected.size} pages; got ${found.size}, of which ${differing.length} are missing or differ. If something was indexed meanwhile, run it again.`,
  );
}

/** A hash of each page of the sources: of its text, title and address, and the hash with which it was indexed. */
async function hashesOf(
  { read }: CorpusBackend,
  sources: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for await (const pages of partsOf((next) => read('exportPages', next, batch), signal)) {
    for (const page of pages)
      if (sources.has(page.source)) hashes.set(JSON.stringify([page.source, page.key]), hashOf(page));
  }
  return hashes;
}

function hashOf({ hash, snapshot: { url, title, text } }: ExportedPage): string {
  return createHash('sha256')
    .update(JSON.stringify([hash, url, title, text]))
    .digest('base64');
}
