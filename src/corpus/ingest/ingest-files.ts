/** Indexes the files of a folder in batches; those that need the extractor one by one. */
import type { BatchLimits } from '../backend.ts';
import { hashOfTruncated, type UnreadFile } from '../index/read-page-file.ts';
import { checkText, extractorOf, type Ingesting, indexPage, keepUnlessFound } from './index-page.ts';
import type { FileToIndex } from './list-files.ts';

/** Resolves to whether all files were seen: not if a folder could not be read, or the source gave way to another one. */
export async function ingestFiles(
  ingesting: Ingesting,
  source: { readonly kind: 'folder' | 'packages' | 'installed'; readonly path: string },
): Promise<boolean> {
  const { name, options, write, tally, others, signal, inTurn } = ingesting;
  const list = await inTurn(() => write('list', name, source.path, source.kind, options.baseUrl), signal);
  if (list.complete && source.kind === 'folder') await keepUnlessFound(ingesting, source.path, list.found);
  tally.expect(list.files.length + list.failed.length);
  tally.keep(list.kept);
  if (source.kind === 'folder') tally.skip(list.skipped);
  tally.fail(list.failed);
  for (const files of inBatches(list.files, ingesting.batch)) {
    signal.throwIfAborted();
    if (await others.mustYield()) return false;
    await others.removeDefaultDocs();
    await inTurn(() => indexBatch(ingesting, files), signal);
  }
  return list.complete;
}

async function indexBatch(ingesting: Ingesting, files: readonly FileToIndex[]): Promise<void> {
  const { name, options, write, tally } = ingesting;
  const byKey = new Map(files.map((file) => [file.key, file]));
  for (const outcome of await write('indexFiles', name, files, options.extractorVersion ?? '')) {
    const file = byKey.get(outcome.key) as FileToIndex;
    if (outcome.was === 'unread') await extractFile(ingesting, file, outcome);
    else {
      if (outcome.was === 'unchanged' && outcome.isTruncated === true) tally.cut(file.path);
      tally.count(outcome, file.path);
    }
  }
}

async function extractFile(ingesting: Ingesting, file: FileToIndex, { key, hash, bytes }: UnreadFile): Promise<void> {
  const { signal } = ingesting;
  await indexPage(ingesting, { key, place: file.path }, async () => {
    const { contentType = '' } = file.format;
    const page = await extractorOf(ingesting)(bytes, { contentType, url: file.url }, signal);
    checkText(page, 'file');
    const { truncated } = page;
    return {
      hash: truncated === true ? hashOfTruncated(hash) : hash,
      truncated,
      snapshot: { url: file.url, ...page, title: page.title || key },
    };
  });
  signal.throwIfAborted();
}

function* inBatches(files: readonly FileToIndex[], limits: BatchLimits): Generator<FileToIndex[]> {
  let batch: FileToIndex[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === limits.files || (batch.length > 0 && bytes + file.bytes > limits.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}
