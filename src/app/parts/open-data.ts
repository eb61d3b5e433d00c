/** Opens what outlasts the process: the data folder, the index with its vectors, and the database. */
import type { Config } from '../../base/config.ts';
import { describeHalfRestored, restoreAgain } from '../../base/data-folder.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { tooManyConnections } from '../../base/postgres/away.ts';
import { connectionsOf } from '../../base/postgres/connections.ts';
import { ConfigError } from '../../base/settings/config-error.ts';
import { type OpenCorpus, openCorpus } from '../../corpus/corpus.ts';
import { otherWords } from '../../model/extractive/match/everyday.ts';
import { lockDataFolder } from '../../store/lock-data-folder.ts';
import { openStore, type Store } from '../../store/store.ts';
import { corpusPlace } from '../corpus-place.ts';
import type { Closers } from './closers.ts';
import { openFinders } from './open-finders.ts';
import { createSentenceLog, createTroubleLog } from './trouble-log.ts';

/** Where the operator is shown what goes wrong. */
export interface DataWatch {
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface OpenData {
  /** See `DataFolderLock`. */
  readonly folder_id: string | undefined;
  readonly corpus: OpenCorpus;
  readonly store: Store;
}

/**
 * Rejects when another server has the data folder, when a restore of it was stopped, or when the index or the database cannot be
 * opened.
 */
export async function openData(config: Config, watch: DataWatch, closers: Closers): Promise<OpenData> {
  const { log, metrics } = watch;
  const lock = await lockDataFolder(config.dataDir, config.redisUrl !== undefined, (reason) => {
    log.warn({ err: reason }, 'DATA_DIR cannot be locked: make sure that no other server without REDIS_URL uses it');
  });
  closers.onClose(() => lock.release());
  const half = describeHalfRestored(config.dataDir);
  if (half !== undefined) throw new ConfigError(`${half} ${restoreAgain}`);
  // Searches do without these endpoints: a line a minute for each is enough.
  const troubled = createTroubleLog(log, (model) => model);
  const finders = await openFinders(config, {
    called: metrics.upstreamCall,
    embedded: (count) => metrics.tokens('embedded', count),
    reranked: (count) => metrics.tokens('reranked', count),
    troubled,
  });
  if (finders !== undefined) closers.opened(finders);
  const onTrouble = createSentenceLog(log);
  // Opened in parallel with the store, because both start worker threads.
  const corpusOpening = openCorpus({
    ...corpusPlace(config),
    embedder: finders?.embedder,
    reranker: finders?.reranker,
    otherWords,
    onVectorTrouble: ({ message }) => troubled(config.embeddings?.model ?? '', message),
    onTrouble,
    onDamaged: ({ reason, kept_as }) =>
      log.error({ reason, kept_as }, 'the index was damaged: a new one was started, so index your sources again'),
  });
  closers.onClose(() => corpusOpening.then((open) => open.close()).catch(() => {}));
  corpusOpening.catch(() => {});
  let isSaidUnavailable = false;
  const storeOpening = openStore(config, {
    onTrouble,
    onOutage(trouble, refused) {
      if (refused !== undefined || isRefusal(trouble)) return onTrouble(describeRefusal(config));
      if (trouble !== undefined)
        log.warn({ reason: trouble.message }, 'database is unavailable: serving only recently authenticated callers');
      else if (isSaidUnavailable) log.info('database is available again');
      isSaidUnavailable = trouble !== undefined;
    },
  });
  const stopReporting = reportWhatIsOpening(log, { 'the database': storeOpening, 'the index': corpusOpening });
  try {
    const store = closers.opened(await storeOpening);
    return { folder_id: lock.folder_id, corpus: await corpusOpening, store };
  } finally {
    stopReporting();
  }
}

function isRefusal(trouble: Error | undefined): boolean {
  return trouble !== undefined && 'code' in trouble && trouble.code === tooManyConnections;
}

/** For the log: what to raise, and to how much for each server. */
function describeRefusal(config: Config): string {
  const vectors = config.embeddings === undefined ? 'words' : 'vectors';
  const wanted = connectionsOf(corpusPlace(config).databaseUrl === undefined ? 'none' : vectors);
  return `Postgres refuses more connections, and this server wants ${wanted}: raise its max_connections, or the limit of the role`;
}

/** How often a start that waits reports what for; set by hand. */
const reportMs = 5_000;

/** A migration of much data takes minutes, in which a start would look as if it hung. The returned function ends it. */
function reportWhatIsOpening(log: Log, opening: Readonly<Record<string, Promise<unknown>>>): () => void {
  const waiting = new Set(Object.keys(opening));
  const begun = performance.now();
  for (const [name, opened] of Object.entries(opening)) {
    const forget = () => waiting.delete(name);
    opened.then(forget, forget);
  }
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    const message = `still opening ${[...waiting].join(' and ')}: a migration to this version may be running here or on another server`;
    log.info({ seconds }, message);
  }, reportMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Gives passages vectors in the background, where an embedding model is configured. */
export function fillVectors({ vectors }: OpenCorpus, metrics: Metrics, log: Log): void {
  if (vectors === undefined) return;
  metrics.watch('passages_with_vectors', () => vectors.state().done);
  metrics.watch('passages_without_vectors', () => vectors.state().total - vectors.state().done);
  vectors.start((reason) => log.warn({ reason }, 'passages cannot be embedded: searching by words alone'));
}
