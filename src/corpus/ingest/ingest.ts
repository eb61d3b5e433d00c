/**
 * Indexes a source: a folder, the documentation of installed packages, or web pages. Unchanged pages are skipped, pages that
 * are no longer in the source are removed, and pages that cannot be read are reported without stopping the rest. The main
 * thread only coordinates: the writer thread lists, reads and splits files, and the ports extract and fetch.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { neverAborted } from '../../base/abort.ts';
import { everybody, ownedName, uploadAddress } from '../../base/source-names.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { Outcome, PageToIndex, UnreadFile } from '../index/read-page-file.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { type Coexistence, createCoexistence, sweep } from './coexistence.ts';
import type { Failure, FileToIndex } from './list-files.ts';
import { reasonOf } from './list-files.ts';
import { visitPerHost } from './per-host-queue.ts';

export type IndexSource =
  | { readonly kind: 'folder'; readonly path: string }
  /** A `node_modules` folder, for an index that has nothing else: it leaves when another source arrives. */
  | { readonly kind: 'packages'; readonly path: string }
  /** The same on request: it stays beside other sources. */
  | { readonly kind: 'installed'; readonly path: string }
  /** A page, or a sitemap or list (.xml, .txt, also .gz) of pages. */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  /** A file that was uploaded, with the key by which its address is made. */
  | { readonly kind: 'file'; readonly key: string; readonly name: string };

/** Extracts the text of a file, as for web pages; by its content where `contentType` is empty. */
export type ExtractPage = (
  bytes: Uint8Array,
  about: { readonly contentType: string; readonly url: string },
  signal: AbortSignal,
) => Promise<{ readonly title: string; readonly text: string; readonly published_at?: string }>;

/** Reads web pages, subject to robots.txt and the guarded fetcher. All functions reject with an Error whose message is the reason. */
export interface IngestReader {
  read(url: string, signal: AbortSignal): Promise<Snapshot>;
  /** Up to `maxPages` page URLs of a sitemap or list; for any other URL, that URL. */
  listPages(url: string, maxPages: number, signal: AbortSignal): Promise<readonly string[]>;
  /** The crawl delay of the host's robots.txt, ms; 0 when it sets none. */
  crawlDelay(url: string, signal: AbortSignal): Promise<number>;
}

export interface IndexOptions {
  readonly extract?: ExtractPage;
  /** Version of `extract`; HTML and PDF files indexed with another version are read again. */
  readonly extractorVersion?: string;
  readonly reader?: IngestReader;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Whether the index is empty: searches then wait a while for it. */
  readonly fills?: boolean;
  /** Whether the source is left waiting, to be indexed later, rather than failed when the signal fires. */
  readonly resumes?: boolean;
  readonly signal?: AbortSignal;
  /** Max. pages read from a sitemap; 50,000 by default, the sitemap protocol's limit for one file. */
  readonly maxPages?: number;
  /** For a folder: the http(s) URL that its files are cited below, ending with "/"; kept until another is given. */
  readonly baseUrl?: string;
  /** The account that the source belongs to; everybody's by default. */
  readonly owner?: string;
}

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly failed: readonly Failure[];
  /** Of a folder: how many of its files and folders were left out on purpose, for each reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Pages of a source of kind `packages` that left the index because this one arrived. */
  readonly replaced: number;
  /** Whether this source, of kind `packages`, left the index or stayed out because there is another one. */
  readonly gaveWay: boolean;
}

/** Max. files and bytes of one call to the writer thread, so that other processes and the signal need not wait; set by hand. */
const batchFiles = 16;
const batchBytes = 256 * 1024;
/** Concurrent requests, in total and per host; set by hand. */
const connections = 8;
const connectionsPerHost = 2;
/** Max. delay honoured from robots.txt, ms; set by hand. */
const maxCrawlDelay = 60_000;

/** The source that a command-line argument names: an http(s) URL, else the path of a folder. */
export function parseIndexSource(text: string): IndexSource {
  return /^https?:\/\//i.test(text) ? { kind: 'url', url: text } : { kind: 'folder', path: resolve(text) };
}

/** Indexes a source and resolves to the counts; rejects with the signal's reason, or when the source itself cannot be read. */
export async function ingest(
  source: IndexSource,
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
): Promise<IndexProgress> {
  const signal = options.signal ?? neverAborted;
  signal.throwIfAborted();
  const tally = createTally(options.onProgress);
  const name = sourceName(source, options.owner);
  const others = createCoexistence(name, write, signal);
  const complete =
    source.kind === 'file'
      ? await ingestUpload(name, source, options, write, tally, others, signal)
      : source.kind === 'url' || source.kind === 'urls'
        ? await ingestWeb(name, source, options, write, tally, others, signal)
        : await ingestFiles(name, source, options, write, tally, others, signal);
  const gaveWay = await others.mustGiveWay();
  if (complete || gaveWay) tally.remove(await sweep(name, gaveWay ? [] : tally.keys, write, signal));
  const replaced = others.replaced();
  if (tally.changed() || replaced > 0) while (!signal.aborted && (await write('merge'))) {}
  return { ...tally.progress(), replaced, gaveWay };
}

async function ingestFiles(
  name: string,
  source: { readonly kind: 'folder' | 'packages' | 'installed'; readonly path: string },
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
  tally: Tally,
  others: Coexistence,
  signal: AbortSignal,
): Promise<boolean> {
  const list = await write('list', name, source.path, source.kind, options.baseUrl);
  tally.expect(list.files.length + list.failed.length);
  if (source.kind === 'folder') tally.skip(list.skipped);
  for (const failure of list.failed) tally.fail(failure);
  for (const files of inBatches(list.files)) {
    signal.throwIfAborted();
    if (await others.mustGiveWay()) return false;
    await others.replace();
    const paths = new Map(files.map((file) => [file.key, file]));
    for (const outcome of await write('indexFiles', name, files, options.extractorVersion ?? '')) {
      const file = paths.get(outcome.key) as FileToIndex;
      if (outcome.was === 'unread') await extractFile(name, file, outcome, options, write, tally, signal);
      else tally.count(outcome, file.path);
    }
  }
  return list.complete;
}

async function extractFile(
  name: string,
  file: FileToIndex,
  { key, hash, bytes }: UnreadFile,
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (options.extract === undefined) throw new Error('no extractor is configured');
    const contentType = file.format === 'pdf' ? 'application/pdf' : 'text/html';
    const page = await options.extract(bytes, { contentType, url: file.url }, signal);
    const snapshot = { url: file.url, ...page, title: page.title || key };
    for (const outcome of await write('indexPages', name, [toPage(key, hash, snapshot)]))
      tally.count(outcome, file.path);
  } catch (error) {
    signal.throwIfAborted();
    tally.count({ key, was: 'failed', reason: reasonOf(error) }, file.path);
  }
}

async function ingestUpload(
  name: string,
  source: { readonly key: string; readonly name: string },
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
  tally: Tally,
  others: Coexistence,
  signal: AbortSignal,
): Promise<boolean> {
  const upload = await write('upload', name);
  if (upload === undefined) throw new Error('nothing was uploaded');
  if (options.extract === undefined) throw new Error('no extractor is configured');
  tally.expect(1);
  const url = uploadAddress(source.key, source.name);
  const hash = `${upload.digest.slice(0, 32)}.${options.extractorVersion ?? ''}`;
  try {
    const page = await options.extract(upload.content, { contentType: '', url }, signal);
    if (page.text.trim() === '') throw new Error('it has no text');
    await others.replace();
    const { text, title, published_at } = page;
    const dated = published_at === undefined ? {} : { published_at };
    const snapshot = { url, title: title || source.name, text, ...dated };
    for (const outcome of await write('indexPages', name, [toPage(source.name, hash, snapshot)]))
      tally.count(outcome, source.name);
  } catch (error) {
    signal.throwIfAborted();
    tally.count({ key: source.name, was: 'failed', reason: reasonOf(error) }, source.name);
  }
  return true;
}

async function ingestWeb(
  name: string,
  source: { readonly kind: 'url'; readonly url: string } | { readonly kind: 'urls'; readonly urls: readonly string[] },
  options: IndexOptions,
  write: CallWorker<IndexWriter>,
  tally: Tally,
  others: Coexistence,
  signal: AbortSignal,
): Promise<boolean> {
  const { reader } = options;
  if (reader === undefined) throw new Error('no web reader is configured');
  const listed =
    source.kind === 'url' ? await reader.listPages(source.url, options.maxPages ?? 50_000, signal) : source.urls;
  const urls = [...new Set(listed.map((url) => new URL(url).href))];
  tally.expect(urls.length);
  const visit = async (url: string) => {
    try {
      const { id, ...snapshot } = await reader.read(url, signal);
      await others.replace();
      for (const outcome of await write('indexPages', name, [toPage(url, id, snapshot)])) tally.count(outcome, url);
    } catch (error) {
      if (!signal.aborted) tally.count({ key: url, was: 'failed', reason: reasonOf(error) }, url);
    }
  };
  const delay = async (url: string) => {
    const requested = await reader.crawlDelay(url, signal).catch(() => 0);
    return Math.min(requested, maxCrawlDelay);
  };
  await visitPerHost(urls, { connections, connectionsPerHost, delay }, visit, signal);
  signal.throwIfAborted();
  return true;
}

function toPage(key: string, hash: string, snapshot: Omit<Snapshot, 'id'>): PageToIndex {
  const title = snapshot.title.toWellFormed();
  return { key, hash, snapshot: { ...snapshot, title }, fetched_at: new Date().toISOString() };
}

/** The name of a source in the index, always the same for the same source of the same owner. Throws on an invalid URL. */
export function sourceName(source: IndexSource, owner: string = everybody): string {
  return ownedName(owner, ownName(source));
}

function ownName(source: IndexSource): string {
  if (source.kind === 'folder' || source.kind === 'packages' || source.kind === 'installed')
    return `${source.kind}:${source.path}`;
  if (source.kind === 'url') return `url:${new URL(source.url).href}`;
  if (source.kind === 'file') return `file:${source.key}`;
  const digest = createHash('sha256').update(source.urls.join('\n')).digest('hex').slice(0, 16);
  return `urls:${digest}`;
}

function* inBatches(files: readonly FileToIndex[]): Generator<FileToIndex[]> {
  let batch: FileToIndex[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === batchFiles || (batch.length > 0 && bytes + file.bytes > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}

type Tally = ReturnType<typeof createTally>;

function createTally(onProgress: IndexOptions['onProgress']) {
  const counts = { done: 0, total: 0, added: 0, updated: 0, unchanged: 0, removed: 0 };
  const failed: Failure[] = [];
  /** Keys of everything found, even if unreadable: a page that could not be read this time is kept. */
  const keys: string[] = [];
  let skipped: ReadonlyMap<string, number> = new Map();
  const progress = (): IndexProgress => ({ ...counts, failed: [...failed], skipped, replaced: 0, gaveWay: false });
  const notify = () => onProgress?.(progress());
  return {
    keys,
    progress,
    changed: () => counts.added + counts.updated + counts.removed > 0,
    expect(total: number) {
      counts.total = total;
      notify();
    },
    skip(reasons: ReadonlyMap<string, number>) {
      skipped = reasons;
    },
    fail(failure: Failure) {
      counts.done++;
      failed.push(failure);
      notify();
    },
    count(outcome: Outcome, source: string) {
      counts.done++;
      keys.push(outcome.key);
      if (outcome.was === 'failed') failed.push({ source, reason: outcome.reason });
      else counts[outcome.was]++;
      notify();
    },
    remove(pages: number) {
      counts.removed += pages;
      if (pages > 0) notify();
    },
  };
}
