/** Sources over the corpus and the reader: one way to index, for the command line and for calls. */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentKinds } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import { type InTurn, withoutTurns } from '../base/fair-queue.ts';
import { documentation, everybody, newUploadKey, ownedName } from '../base/source-names.ts';
import type { FileSource, OpenCorpus } from '../corpus/corpus.ts';
import { CorpusError } from '../corpus/corpus-error.ts';
import type { IndexOptions, IngestReader } from '../corpus/ingest/index-page.ts';
import { type IndexSource, sourceName } from '../corpus/ingest/index-source.ts';
import type { NewSource, SourceIndex, StoredSource } from '../sources/source-index.ts';
import { extractorVersion } from '../web/extract/extractor-version.ts';
import { isOldOffice, oldOffice, pageKindOf } from '../web/extract/page-kind.ts';
import { isBusy } from '../web/page-error.ts';
import type { Reader } from '../web/reader.ts';
import { listPages, maxSitemapBytes, type ReadFile } from '../web/sitemap.ts';

/** What indexing needs of the reader; `owner` is the account for which it reads, and `inTurn` does each step. */
export function indexingParts(
  reader: Reader,
  owner?: string,
  inTurn: InTurn = withoutTurns,
): Required<Pick<IndexOptions, 'reader' | 'extract' | 'extractorVersion' | 'inTurn'>> {
  return {
    inTurn,
    reader: forIngest(reader, owner, inTurn),
    extract: (bytes, about, signal) => againIfBusy(() => reader.extractFile(bytes, about, signal, owner)),
    extractorVersion,
  };
}

/** How often a sitemap is asked for in all while the server reads as much as it can, and how long after each, ms; set by hand. */
const maxAsked = 12;
const busyMs = 5_000;

function forIngest(reader: Reader, owner: string | undefined, inTurn: InTurn): IngestReader {
  return {
    // Indexing must find out whether a page has changed, so it never uses the cache.
    async read(url, signal) {
      const { snapshot, info } = await againIfBusy(() => reader.read(url, { maxAgeMs: 0, owner }, signal));
      return { ...snapshot, extractor: info.extractor, truncated: info.truncated };
    },
    listPages(url, maxPages, signal, onUnread, onCut) {
      const readFile: ReadFile = (file, use) =>
        reader.withBytes(file, { maxBytes: maxSitemapBytes, owner }, use, signal);
      return listPages(url, maxPages, readFile, signal, { inTurn: untilRead(inTurn), onUnread, onCut });
    },
    crawlDelay: (url, signal) => reader.crawlDelay(url, signal),
  };
}

/** Reads a page once more that this machine was too busy to read, as when it was suspended meanwhile: it would fail for good. */
async function againIfBusy<Page>(read: () => Promise<Page>): Promise<Page> {
  try {
    return await read();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return read();
  }
}

/** Tries a step again later while the server is busy: a source must not fail for what others read. It gives up its turn meanwhile. */
function untilRead(inTurn: InTurn): InTurn {
  return async (step, signal) => {
    for (let asked = 1; ; asked += 1) {
      try {
        return await inTurn(step, signal);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'overloaded' || asked === maxAsked) throw error;
        await sleep(error.details.retry_after_ms ?? busyMs, undefined, { signal });
      }
    }
  };
}

/** The sources of the corpus. */
export function createSourceIndex(corpus: OpenCorpus, reader: Reader): SourceIndex {
  const findNamed = async (name: string) => (await corpus.storedSources()).find(({ source }) => source === name);

  return {
    async add(source, owner, limits) {
      if (source.kind === 'file') checkType(source);
      const named = toIndexSource(source, owner);
      const outcome = await corpus.addSource(named, owner, limits);
      if (outcome !== 'added' && outcome !== 'known') return { outcome };
      const { content: _, ...index } = { content: undefined, ...named };
      return { outcome, source: (await findNamed(sourceName(index, owner)))! };
    },
    vectors: () => corpus.vectors?.state(),
    list: (account) => corpus.storedSources(account),
    async find(id, account) {
      const found = (await corpus.storedSources(account)).find((each) => each.id === id);
      return found?.owner === documentation ? undefined : found;
    },
    take: ({ source, touched_at }) => corpus.takeSource(source, touched_at),
    keep: (sources) => corpus.keepSources(sources.map(({ source }) => source)),
    async index(source, { signal, limits, inTurn, onProgress = () => {} }) {
      const owner = source.owner === everybody ? undefined : source.owner;
      const named = fromName(source);
      const options = { ...(owner === undefined ? {} : { owner }), ...limits };
      const parts = { ...options, ...indexingParts(reader, owner, inTurn), signal, wasAdded: true, onProgress };
      for (;;) {
        const failure = await corpus.index(named, parts).then(
          () => undefined,
          (error: unknown) => error,
        );
        signal.throwIfAborted();
        // What goes wrong with the source itself is in its row, which cannot be written while the index takes nothing.
        if (!isIndexAway(failure)) return;
        await sleep(retryMs, undefined, { signal });
      }
    },
    remove: async ({ source }) => void (await corpus.forget(source)),
  };
}

/** How long to wait before a source is indexed again that a full or unreachable index has stopped, ms; set by hand. */
const retryMs = 5_000;

function isIndexAway(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof CorpusError;
}

function checkType({ name, content }: { readonly name: string; readonly content: Uint8Array }): void {
  const url = `file:///${encodeURIComponent(name.toWellFormed())}`;
  if (pageKindOf(content, { contentType: '', url }) !== undefined) return;
  const message = isOldOffice(content) ? oldOffice : `Expected ${documentKinds}; got a file of another kind.`;
  throw new AppError('unsupported_type', message, {
    issues: [{ loc: ['body'], msg: message, type: 'unsupported_type' }],
  });
}

function toIndexSource(source: NewSource, owner: string): Exclude<IndexSource, { kind: 'file' }> | FileSource {
  if (source.kind !== 'file') return source;
  return { kind: 'file', key: newUploadKey(owner), name: source.name, content: source.content };
}

/** A source as it was added, by its name in the index. Throws for one that cannot be read again. */
function fromName({ source, name, owner }: StoredSource): IndexSource {
  const own = source.slice(ownedName(owner, '').length);
  const at = own.indexOf(':');
  const [kind, place] = [own.slice(0, at), own.slice(at + 1)];
  if (kind === 'file') return { kind, key: place, name };
  if (kind === 'url') return { kind, url: place };
  // A folder may have become a link to another place since.
  if (kind === 'folder') return { kind, path: realpathSync(place) === place ? place : '/dev/null/moved' };
  if (kind === 'installed') return { kind, path: place };
  throw new AppError('not_found', 'This source cannot be indexed again by a call.');
}
