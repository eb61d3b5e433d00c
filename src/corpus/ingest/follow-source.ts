/**
 * Keeps what is known of a source up to date while it is indexed, by a call or a command: its state, its progress and, at
 * the end, its failures. If it is removed in the meantime, indexing stops and nothing of it remains.
 */
import type { SourceAbout } from '../../sources/source-index.ts';
import { CorpusError } from '../corpus-error.ts';
import type { IndexWriter } from '../index/write-index.ts';
import { newAbout, removedSource } from '../sources/source-tables.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { reasonOf } from './file-reasons.ts';
import { type IndexSource, sourceName } from './index-source.ts';
import type { IndexProgress } from './tally.ts';
import { sweep } from './yield-default-docs.ts';

/** How often progress is stored while it changes, and while it does not, ms; set by hand. */
const progressMs = 500;
const heartbeatMs = 5_000;
/** Failures, and pages that are too long, that are kept by name; set by hand: more than a person reads. */
const maxFailures = 50;

export interface FollowedSource {
  readonly owner: string | undefined;
  readonly signal: AbortSignal;
  /** As in `IndexOptions`. */
  readonly wasAdded?: boolean | undefined;
  /** Indexes it; resolves with the counts. */
  ingest(onProgress: (progress: IndexProgress) => void, signal: AbortSignal): Promise<IndexProgress>;
}

/** Indexes a source, and resolves or rejects as that does. */
export async function followSource(
  source: IndexSource,
  { owner, signal, wasAdded = false, ingest }: FollowedSource,
  write: CallWorker<IndexWriter>,
): Promise<IndexProgress> {
  const name = sourceName(source, owner);
  // A source that one call added and another one removed, perhaps at another server, while it waited for its turn must
  // not come back.
  if (wasAdded && !(await write('noteSource', name, {}))) throw removedSource();
  const isNew = !wasAdded && (await write('addSource', name, aboutOf(source), undefined, undefined)) === 'added';
  const removed = new AbortController();
  const notes = keepNoting(name, write, () => removed.abort(removedSource()));
  try {
    const counts = await ingest(notes.show, AbortSignal.any([signal, removed.signal])).finally(notes.end);
    if (counts.gaveWay) await write('dropSource', name);
    else if (!(await write('settleSource', name, outcomeOf(source, counts)))) throw removedSource();
    return counts;
  } catch (error) {
    const clear = () => sweep(name, [], write, signal).catch(() => {});
    const failed = { state: 'failed', reason: reasonOf(error) } as const;
    if (error instanceof CorpusError && error.code === 'removed') await clear();
    else if (isNew) await write('dropSource', name).catch(() => {});
    else if (wasAdded && signal.aborted) await write('noteSource', name, { state: 'waiting' }).catch(() => {});
    else if (!(await write('settleSource', name, failed).catch(() => true))) await clear();
    throw error;
  }
}

/**
 * Stores that the source is being indexed, now and until `end`, and the progress that is given to `show`. `end` resolves once
 * all of that is stored, so that none of it overtakes what is stored of the end. `onRemoved` is called if the source is gone.
 */
function keepNoting(name: string, write: CallWorker<IndexWriter>, onRemoved: () => void) {
  let noting: Promise<unknown> = Promise.resolve();
  let noted = 0;
  let progress = { done: 0, total: 0 };
  let hasEnded = false;
  const note = () => {
    noted = Date.now();
    const stored = write('noteSource', name, { ...progress, state: 'indexing', reason: null }).then(
      (isThere) => isThere || onRemoved(),
      () => {},
    );
    noting = Promise.all([noting, stored]);
  };
  note();
  const heartbeat = setInterval(note, heartbeatMs);
  return {
    show({ done, total }: IndexProgress): void {
      progress = { done, total };
      if (!hasEnded && Date.now() - noted >= progressMs) note();
    },
    async end(): Promise<void> {
      hasEnded = true;
      clearInterval(heartbeat);
      await noting;
    },
  };
}

function outcomeOf(
  source: IndexSource,
  { done, total, failed, truncated, ...counts }: IndexProgress,
): Partial<SourceAbout> {
  const read = counts.added + counts.updated + counts.unchanged;
  return {
    state: read === 0 && failed.length > 0 ? 'failed' : 'ready',
    done,
    total,
    indexed_at: new Date().toISOString(),
    failed: failed.length,
    failures: failed
      .slice(0, maxFailures)
      .map((each) => ({ source: within(source, each.source), reason: each.reason })),
    truncated: truncated.length,
    truncations: truncated.slice(0, maxFailures).map((each) => within(source, each)),
    reason: null,
  };
}

/** Callers of the server are not shown where a folder is on this machine. */
function within(source: IndexSource, failed: string): string {
  if (!('path' in source) || !failed.startsWith(source.path)) return failed;
  return failed.slice(source.path.length).replace(/^[\\/]/, '') || failed.slice(failed.lastIndexOf('/') + 1);
}

/** What is known of a source when it is added. */
export function aboutOf(source: IndexSource): SourceAbout {
  if (source.kind === 'file') return newAbout('file', source.name);
  if (source.kind === 'url') {
    const { href, pathname } = new URL(source.url);
    return newAbout(/\.(?:xml|txt)(?:\.gz)?$/i.test(pathname) ? 'sitemap' : 'url', href);
  }
  if (source.kind === 'urls') return newAbout('url', `${source.urls.length} pages`);
  if (source.kind === 'folder') return newAbout('folder', source.path.slice(source.path.lastIndexOf('/') + 1) || '/');
  return newAbout(source.kind, 'Documentation of Citewire and its packages');
}
