/** `citewire index`: a progress bar, what failed, how much was skipped and why, and a summary. */
import { installedPackages } from '../../app/installed-packages.ts';
import { indexingParts } from '../../app/source-index.ts';
import type { Config } from '../../base/config.ts';
import { counted } from '../../base/text/counted.ts';
import type { IndexSource } from '../../corpus/ingest/index-source.ts';
import type { IndexProgress } from '../../corpus/ingest/tally.ts';
import type { VectorFiller } from '../../corpus/vectors/fill-vectors.ts';
import { refuseCredentials } from '../../sources/refuse-credentials.ts';
import { couldBeAllowed } from '../../web/fetch/guard.ts';
import { createReader } from '../../web/reader.ts';
import { createBar, type ProgressBar } from '../corpus/progress-bar.ts';
import { givenSource } from '../given-file.ts';
import { allowedHostsHint } from '../hosts-hint.ts';
import { openLocalCorpus } from '../open-local-corpus.ts';
import { onOneLine } from '../print-row.ts';

export interface IndexSourceOptions {
  readonly maxPages?: number;
  /** For a folder: the http(s) URL that its files are cited below. */
  readonly baseUrl?: string;
}

/**
 * Without `argument`, the source is the documentation of the installed packages. Resolves with exit code 1 when any page
 * failed, else 0. Rejects when the source itself cannot be read.
 */
export async function indexSource(
  argument: string | undefined,
  options: IndexSourceOptions,
  config: Config,
): Promise<number> {
  const source = argument === undefined ? installedSource() : givenSource(argument);
  if (source.kind === 'url') refuseCredentials(source.url);
  if (options.baseUrl !== undefined && source.kind !== 'folder') {
    throw new Error(`Expected a folder with --base-url; got ${argument ?? '--installed'}.`);
  }
  const { corpus, close } = await openLocalCorpus(config, {
    onDamaged: ({ reason, kept_as }) =>
      process.stderr.write(`${reason}\n${kept_as === undefined ? '' : `It is kept as ${kept_as}.\n`}`),
  });
  const reader = createReader({
    allowHosts: config.fetchAllowHosts,
    cache: corpus.pageCache,
    onCacheTrouble: (_, trouble) =>
      process.stderr.write(trouble === undefined ? '' : `page cache: ${trouble.message}\n`),
    extraction: { onTrouble: (trouble) => process.stderr.write(trouble === undefined ? '' : `${trouble.message}\n`) },
  });
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('Interrupted. Pages indexed so far are kept.'));
  process.once('SIGINT', interrupt);
  const bar = createBar(process.stderr);
  try {
    const progress = await corpus.index(source, {
      ...options,
      ...indexingParts(reader),
      onProgress: ({ done, total, failed }) => bar.show({ done, total, failed: failed.length }),
      signal: stop.signal,
    });
    bar.clear();
    process.stderr.write(failuresOf(progress.failed));
    process.stderr.write(truncatedOf(progress.truncated));
    for (const [reason, count] of progress.skipped) process.stderr.write(`skipped: ${count} (${onOneLine(reason)})\n`);
    const { added, updated, unchanged, removed, failed, replaced } = progress;
    if (replaced > 0 && source.kind !== 'installed') process.stderr.write(replacedNotice(replaced));
    process.stdout.write(
      `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${failed.length} failed\n`,
    );
    await embedPassages(corpus.vectors, bar, stop.signal);
    return failed.length > 0 ? 1 : 0;
  } finally {
    bar.clear();
    process.off('SIGINT', interrupt);
    await reader.close();
    await close();
  }
}

/** Gives all passages vectors, where an embedding model is configured. If it fails, a server does so later. */
async function embedPassages(vectors: VectorFiller | undefined, bar: ProgressBar, signal: AbortSignal): Promise<void> {
  if (vectors === undefined) return;
  const later = 'A running server continues by itself.';
  try {
    await vectors.complete(signal, ({ done, total }) => bar.show({ done, total, unit: 'vectors' }));
    bar.clear();
    const { trouble } = vectors.state();
    process.stderr.write(
      trouble === undefined ? `${countOf(vectors)}\n` : `Passages are found by words alone. ${trouble}\n`,
    );
  } catch (error) {
    signal.throwIfAborted();
    bar.clear();
    process.stderr.write(`${countOf(vectors)}, then the model failed: ${(error as Error).message} ${later}\n`);
  }
}

function countOf(vectors: VectorFiller): string {
  const { done, total, model } = vectors.state();
  return `${done} of ${total} passages have a vector of ${model}`;
}

/** Failures that are named one by one; the others are counted for each reason. Set by hand: about a screen. */
const maxNamed = 20;

function failuresOf(failed: IndexProgress['failed']): string {
  const counts = new Map<string, number>();
  for (const { reason } of failed.slice(maxNamed)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [
    ...failed.slice(0, maxNamed).map(({ source, reason }) => `failed: ${onOneLine(source)}: ${onOneLine(reason)}\n`),
    ...[...counts].map(([reason, count]) => `failed: ${count} more: ${onOneLine(reason)}\n`),
    ...(failed.some(({ reason }) => couldBeAllowed(reason)) ? [`${allowedHostsHint}\n`] : []),
  ].join('');
}

function truncatedOf(truncated: IndexProgress['truncated']): string {
  const others = truncated.length - maxNamed;
  return [
    ...truncated.slice(0, maxNamed).map((source) => `too long: ${onOneLine(source)}: only the beginning was read\n`),
    ...(others > 0 ? [`too long: ${others} more: only the beginning was read\n`] : []),
  ].join('');
}

function installedSource(): IndexSource {
  const path = installedPackages();
  if (path === undefined) throw new Error('The folder of the installed packages was not found.');
  return { kind: 'installed', path };
}

function replacedNotice(pages: number): string {
  return `The documentation of Citewire and the installed packages (${counted(pages, 'page')}) was removed from the index, which now has a source of yours; \`citewire index --installed\` adds it again.\n`;
}
