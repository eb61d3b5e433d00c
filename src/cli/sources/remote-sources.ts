/** `citewire sources` and `citewire collections` at a running server, with a key. Each command resolves with its exit code. */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, IndexedSource } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { type Client, createClient } from '../../client/client.ts';
import { toAppError } from '../ask/search-remote.ts';
import { readGivenFile } from '../given-file.ts';
import { onOneLine, printRow } from '../print-row.ts';

export interface AtServer {
  /** Its base URL. */
  readonly server: string;
  readonly key?: string;
}

interface CollectionOptions extends AtServer {
  readonly name?: string;
  /** Ids or names of sources. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** How often the server is asked about the progress of a source, ms; set by hand. */
const pollMs = 500;

/** Prints one tab-separated line per source: id, kind, name, state, pages and what went wrong. */
export function listRemoteSources(at: AtServer): Promise<number> {
  return withServer(at, async ({ sources }) => {
    for (const source of (await sources.list()).items) printRow(lineOf(source));
  });
}

/**
 * Adds a URL or a sitemap, a folder of the server or the content of a local file, as `kind` says, and waits until it is
 * indexed.
 */
export function addRemoteSource(place: string, kind: 'url' | 'folder' | 'file', at: AtServer): Promise<number> {
  return withServer(at, async ({ sources }) => {
    const added =
      kind === 'file'
        ? await sources.upload(basename(place), new Uint8Array(await readGivenFile(place)))
        : await sources.add({ [kind]: place });
    return settle(sources, added);
  });
}

/**
 * `named` is the id or the name of a source. Throws `not_found` when there is none, or several have the name; those below too.
 */
export function reindexRemoteSource(named: string, at: AtServer): Promise<number> {
  return withServer(at, async ({ sources }) => {
    const { source_id } = await findSource(sources, named);
    return settle(sources, await sources.reindex(source_id));
  });
}

/** Removes a source with its pages. */
export function removeRemoteSource(named: string, at: AtServer): Promise<number> {
  return withServer(at, async ({ sources }) => {
    const { source_id, name } = await findSource(sources, named);
    await sources.remove(source_id);
    process.stderr.write(`Removed ${onOneLine(name)}.\n`);
  });
}

/** Prints one tab-separated line per collection: id, name and number of sources. */
export function listCollections(at: AtServer): Promise<number> {
  return withServer(at, async ({ collections }) => {
    for (const { collection_id, name, sources } of (await collections.list()).items) {
      printRow([collection_id, name, counted(sources.length, 'source')]);
    }
  });
}

/** Prints the id of the new collection. */
export function createCollection(name: string, { add = [], ...at }: CollectionOptions): Promise<number> {
  return withServer(at, async ({ collections, sources }) => {
    const { collection_id } = await collections.create({ name, sources: await idsOf(sources, add) });
    process.stdout.write(`${collection_id}\n`);
  });
}

/** Renames a collection, adds sources and takes some out. `named` is its id or name; throws `not_found` when there is none. */
export function changeCollection(named: string, { name, add, remove, ...at }: CollectionOptions): Promise<number> {
  return withServer(at, async ({ collections, sources }) => {
    const { collection_id } = await findCollection(collections, named);
    const changed = await collections.change(collection_id, {
      ...(name === undefined ? {} : { name }),
      ...(add === undefined ? {} : { add: await idsOf(sources, add) }),
      ...(remove === undefined ? {} : { remove: await idsOf(sources, remove) }),
    });
    process.stderr.write(`${changed.name}: ${counted(changed.sources.length, 'source')}\n`);
  });
}

/** Removes a collection by its id or name; its sources stay. */
export function removeCollection(named: string, at: AtServer): Promise<number> {
  return withServer(at, async ({ collections }) => {
    const { collection_id, name } = await findCollection(collections, named);
    await collections.remove(collection_id);
    process.stderr.write(`Removed ${name}; its sources stay.\n`);
  });
}

async function withServer({ server, key }: AtServer, work: (client: Client) => Promise<unknown>): Promise<number> {
  const client = createClient({ baseUrl: server, apiKey: key });
  try {
    return (await work(client)) === 1 ? 1 : 0;
  } catch (error) {
    throw toAppError(error);
  } finally {
    client.close();
  }
}

/** Waits until it is indexed, prints its line, and returns 1 if that failed. */
async function settle(sources: Client['sources'], { source_id }: IndexedSource): Promise<number> {
  for (;;) {
    const source = await sources.get(source_id);
    if (source.state === 'ready' || source.state === 'failed') {
      for (const page of source.truncations ?? [])
        process.stderr.write(`too long: ${onOneLine(page)}: only the beginning was read\n`);
      for (const failure of source.failures)
        process.stderr.write(`failed: ${onOneLine(failure.source)}: ${onOneLine(failure.reason)}\n`);
      printRow(lineOf(source));
      return source.state === 'failed' ? 1 : 0;
    }
    await sleep(pollMs);
  }
}

async function findSource(sources: Client['sources'], named: string): Promise<IndexedSource> {
  const found = (await sources.list()).items.filter(({ source_id, name }) => [source_id, name].includes(named));
  return onlyOne(found, 'source', named);
}

async function idsOf(sources: Client['sources'], names: readonly string[]): Promise<string[]> {
  const { items } = await sources.list();
  return names.map((named) => {
    const found = items.filter(({ source_id, name }) => [source_id, name].includes(named));
    return onlyOne(found, 'source', named).source_id;
  });
}

async function findCollection(collections: Client['collections'], named: string): Promise<Collection> {
  const isNamed = ({ collection_id, name }: Collection) =>
    collection_id === named || name.toLowerCase() === named.toLowerCase();
  return onlyOne((await collections.list()).items.filter(isNamed), 'collection', named);
}

function onlyOne<Item>(found: readonly Item[], what: string, named: string): Item {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const which = found.length === 0 ? `There is no ${what}` : `There are ${found.length} ${what}s called`;
  throw new AppError('not_found', `${which} ${JSON.stringify(named)}${found.length > 1 ? '; use an id' : ''}.`);
}

function lineOf({ source_id, kind, name, state, pages, failed, truncated = 0, reason }: IndexedSource): string[] {
  const parts = [failed > 0 ? `${failed} failed` : '', truncated > 0 ? `${truncated} too long` : ''];
  const wrong = reason ?? parts.filter((part) => part !== '').join(', ');
  return [source_id, kind, name, state, counted(pages, 'page'), wrong];
}
