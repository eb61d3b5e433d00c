/**
 * Indexes a source: a folder, the documentation of installed packages, web pages, or an upload. Unchanged pages are skipped,
 * pages that are no longer in the source are removed, and pages that cannot be read are reported without stopping the rest. The
 * main thread only coordinates: the writer thread lists, reads and splits files, and the ports extract and fetch.
 */
import { createHash } from 'node:crypto';
import { withoutTurns } from '../../base/fair-queue.ts';
import { uploadAddress } from '../../base/source-names.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { BatchLimits } from '../backend.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { checkText, extractorOf, type IndexOptions, type Ingesting, indexPage, keepUnlessFound } from './index-page.ts';
import { type IndexSource, sourceName } from './index-source.ts';
import { ingestFiles } from './ingest-files.ts';
import type { Failure } from './list-files.ts';
import { createPageAddresses } from './page-addresses.ts';
import { visitPerHost } from './per-host-queue.ts';
import { createTally, type IndexProgress } from './tally.ts';
import { createYieldRule, sweep } from './yield-default-docs.ts';

/** Concurrent requests, in total and per host; set by hand. */
const connections = 8;
const connectionsPerHost = 2;
/** Max. delay honoured from robots.txt, ms; set by hand. */
const maxCrawlDelay = 60_000;

/** Characters of pages that wait for others of their source; set by hand. */
const maxWaitingChars = 20_000_000;

/** Indexes a source and resolves to the counts; rejects with the signal's reason, or when the source itself cannot be read. */
export async function ingest(
  source: IndexSource,
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
  batch: BatchLimits,
): Promise<IndexProgress> {
  const stopped = new AbortController();
  const signal = options.signal === undefined ? stopped.signal : AbortSignal.any([options.signal, stopped.signal]);
  signal.throwIfAborted();
  const tally = createTally(options.onProgress);
  const name = sourceName(source, options.owner);
  const others = createYieldRule(name, write, signal);
  const isComplete = await ingestBy(
    {
      name,
      options,
      write,
      batch,
      tally,
      others,
      signal,
      inTurn: options.inTurn ?? withoutTurns,
      stop: (reason) => stopped.abort(reason),
    },
    source,
  );
  const gaveWay = await others.mustYield();
  if (isComplete || gaveWay) tally.remove(await sweep(name, gaveWay ? [] : tally.keys, write, signal));
  const replaced = others.removedPages();
  if (tally.changed() || replaced > 0) while (!signal.aborted && (await write('merge'))) {}
  return { ...tally.progress(), replaced, gaveWay };
}

/** Resolves to whether all of the source was seen, so that what was not found in it may be removed. */
async function ingestBy(ingesting: Ingesting, source: IndexSource): Promise<boolean> {
  switch (source.kind) {
    case 'file':
      await ingestUpload(ingesting, source);
      return true;
    case 'url':
    case 'urls':
      return ingestWeb(ingesting, source);
    default:
      return ingestFiles(ingesting, source);
  }
}

async function ingestUpload(
  ingesting: Ingesting,
  source: { readonly key: string; readonly name: string },
): Promise<void> {
  const { name, options, write, tally, others, signal, inTurn } = ingesting;
  const upload = await write('upload', name);
  if (upload === undefined) throw new Error('nothing was uploaded');
  const extract = extractorOf(ingesting);
  tally.expect(1);
  const url = uploadAddress(source.key, source.name);
  const hash = `${upload.digest.slice(0, 32)}.${options.extractorVersion ?? ''}`;
  const read = async () => {
    const page = await extract(upload.content, { contentType: '', url }, signal);
    checkText(page, 'file');
    await others.removeDefaultDocs();
    return { hash, truncated: page.truncated, snapshot: { url, ...page, title: page.title || source.name } };
  };
  await inTurn(() => indexPage(ingesting, { key: source.name, place: source.name }, read), signal);
  signal.throwIfAborted();
}

/** Resolves to whether all pages of the source are known. */
async function ingestWeb(
  ingesting: Ingesting,
  source: { readonly kind: 'url'; readonly url: string } | { readonly kind: 'urls'; readonly urls: readonly string[] },
): Promise<boolean> {
  const { options, tally, others, signal, inTurn } = ingesting;
  const { reader } = options;
  if (reader === undefined) throw new Error('no web reader is configured');
  const unread: Failure[] = [];
  const onUnread = (file: string, reason: string) => void unread.push({ source: file, reason });
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const listed =
    source.kind === 'url'
      ? await reader.listPages(source.url, options.maxPages ?? 50_000, signal, onUnread, onCut)
      : source.urls;
  const urls = [...new Set(listed.map((url) => new URL(url).href))];
  // A list that is a page this time may be a list again the next time.
  const isList = source.kind === 'urls' || urls.length !== 1 || urls[0] !== new URL(source.url).href;
  const isComplete = isList && unread.length === 0 && !isCut;
  if (isComplete && source.kind === 'url') await keepUnlessFound(ingesting, source.url, urls.length);
  tally.expect(urls.length + unread.length);
  tally.fail(unread);
  const addresses = createPageAddresses(urls);
  const waiting: { readonly key: string; readonly page: Snapshot; readonly truncated: boolean | undefined }[] = [];
  let waitingChars = 0;
  const toIndex = async (key: string, page: Snapshot, truncated: boolean | undefined) => {
    await others.removeDefaultDocs();
    const snapshot = addresses.assign(key, page);
    return { hash: hashOf(snapshot), truncated, snapshot };
  };
  const visit = async (url: string, isLast: boolean) => {
    let pauseMs: number | undefined;
    await indexPage(ingesting, { key: url, place: url }, async () => {
      const read = await reader.read(url, signal).catch((error: unknown) => {
        pauseMs = isLast ? undefined : askedToWait(error);
        if (pauseMs === undefined) throw error;
      });
      if (read === undefined) return undefined;
      const { extractor, truncated, ...page } = read;
      checkText({ text: page.text, extractor }, 'web');
      if (!addresses.mustWait(url, page) || waitingChars > maxWaitingChars) return toIndex(url, page, truncated);
      waiting.push({ key: url, page, truncated });
      waitingChars += page.text.length;
      return undefined;
    });
    return pauseMs;
  };
  const delay = async (url: string) => {
    const requested = await reader.crawlDelay(url, signal).catch(() => 0);
    return Math.min(requested, maxCrawlDelay);
  };
  await visitPerHost(urls, { connections, connectionsPerHost, delay, inTurn }, visit, signal);
  for (const { key, page, truncated } of waiting) {
    signal.throwIfAborted();
    await inTurn(() => indexPage(ingesting, { key, place: key }, () => toIndex(key, page, truncated)), signal);
  }
  signal.throwIfAborted();
  return isComplete;
}

/** How long a site asks to be left alone, ms. */
function askedToWait(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('retryAfterMs' in error)) return undefined;
  return typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Changes with everything that the index stores of a page: the id is only of its URL and text. */
function hashOf({ id, title, published_at }: Snapshot): string {
  const about = JSON.stringify([id, title, published_at]);
  return createHash('sha256').update(about).digest('hex').slice(0, 32);
}
