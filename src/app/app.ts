/**
 * Wires all parts together; the only file that knows them all. Opens what the first call needs, listens, and returns a
 * `close` that shuts everything down in an order that lets running work finish.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { routes, type Suggestions } from '../../protocol/index.ts';
import { openAccess } from '../access/access.ts';
import type { Accounts, NewKey } from '../access/accounts.ts';
import { signInUrl } from '../access/browser/sessions.ts';
import { type Config, schemeOf } from '../base/config.ts';
import type { OnFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createMetrics, type Metrics } from '../base/metrics.ts';
import { createDoors } from '../compat/doors.ts';
import { type OpenCorpus, openCorpus } from '../corpus/corpus.ts';
import { createDesigns } from '../designs/designs.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import { createExtractiveModel } from '../model/extractive/extractive.ts';
import { createStatic } from '../pages/static.ts';
import { loadPages } from '../pages/static-load.ts';
import { createRegistry } from '../runs/registry.ts';
import { createRetention } from '../runs/retention.ts';
import type { RunRecords } from '../runs/run-records.ts';
import type { SharedRuns } from '../runs/shared-runs.ts';
import { createScheduler } from '../schedules/scheduler.ts';
import { createAccountService } from '../service/account.ts';
import { createBackgroundRuns } from '../service/background.ts';
import { createBeginScheduled } from '../service/schedules.ts';
import { createService } from '../service/service.ts';
import { createReaches } from '../service/sources/collections.ts';
import { resumeSources } from '../service/sources/resume-sources.ts';
import { createIndexer } from '../sources/indexer.ts';
import { lockDataFolder } from '../store/lock-data-folder.ts';
import { openStore } from '../store/store.ts';
import { chooseServer } from '../transport/choose-server.ts';
import type { Server } from '../transport/exchange.ts';
import { originAllowed } from '../transport/http/origin.ts';
import { createTransport } from '../transport/server.ts';
import { type CertificateFiles, readCertificate, watchCertificate } from '../transport/tls/certificate.ts';
import { createWebhookPoster } from '../web/fetch/post-webhook.ts';
import { createImageReader } from '../web/images.ts';
import type { PageCache } from '../web/page-cache.ts';
import { createReader } from '../web/reader.ts';
import { createDeliveries } from '../webhooks/deliveries.ts';
import { createSecretBox } from '../webhooks/secret-box.ts';

import { corpusPlace } from './corpus-place.ts';
import type { EmbeddingsWatch, OpenEmbeddings } from './open-embeddings.ts';
import { openEngine } from './open-engine.ts';
import { openFollowUps } from './open-follow-ups.ts';
import { openSuggestions } from './open-suggestions.ts';
import { openTracing } from './open-tracing.ts';
import { noteServer } from './running-server.ts';
import { createSourceIndex } from './source-index.ts';
import { createTroubleLog } from './trouble-log.ts';

export interface App {
  /** `http://host:port`, or `https://` with TLS. */
  readonly url: string;
  readonly accounts: Accounts;
  readonly corpus: OpenCorpus;
  /** Up to three questions that the index answers; see service/suggestions/suggestions.ts. */
  suggestions(): Promise<Suggestions>;
  /** Created by the first start on an empty store; shown only this once. */
  readonly developmentKey: NewKey | undefined;
  /** A URL that signs one browser in, once, within minutes. Rejects when the account may not sign in. */
  signInLink(accountId: string): Promise<string>;
  /**
   * Accepts no new work, lets running work finish for at most `graceMs`, default 30 s, then closes everything. Until then it
   * answers new calls with 503, so that load balancers route around it. Calling it again can only shorten the wait.
   */
  close(graceMs?: number): Promise<void>;
}

/** The loop that streams can feed no more threads than this. Set by hand: it takes as much time for a search as one of them. */
const maxExtractiveThreads = 4;

/** One core is for the loop that streams; a machine of two has one thread. */
function extractiveThreads(): number {
  return Math.max(1, Math.min(maxExtractiveThreads, availableParallelism() - 1));
}

/** How long the events of a finished search can be read again. Set by hand. */
const runRetentionMs = 10 * 60_000;

/** The corpus's; a process that is alone with it need not ask which pages others read. */
function pageCacheOf({ corpus: place, redisUrl }: Config, corpus: OpenCorpus): PageCache {
  const { take, ...alone } = corpus.pageCache;
  return place === 'postgres' || redisUrl !== undefined ? corpus.pageCache : alone;
}

/** Starts every part and listens. Rejects when a part cannot start, after closing what was already open. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const onFault: OnFault = (err, request_id, trace_id) => log.error({ request_id, trace_id, err }, 'unexpected error');
  const closers: (() => unknown)[] = [];
  const opened = <Part>(part: Part, close: () => unknown): Part => {
    closers.push(close);
    return part;
  };
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
    closers.length = 0;
  };

  try {
    const certificate = config.tls && readCertificate(config.tls);
    const { search_socket } = routes;
    const choice = { transport: config.transport, socketPath: search_socket.path, certificate, log, onFault };
    const createServer = await chooseServer(choice);
    const lock = await lockDataFolder(config.dataDir, config.redisUrl !== undefined, (reason) => {
      log.warn({ err: reason }, 'DATA_DIR cannot be locked: make sure that no other server without REDIS_URL uses it');
    });
    opened(lock, () => lock.release());
    const metrics = createMetrics();
    const troubled = createTroubleLog(log);
    const embeddings = await openFinders(config, {
      called: metrics.upstreamCall,
      embedded: (tokens) => metrics.tokens('embedded', tokens),
      troubled,
    });
    if (embeddings !== undefined) opened(embeddings, () => embeddings.close());
    // Opened in parallel with the store, because both start worker threads.
    const corpusOpening = openCorpus({
      ...corpusPlace(config),
      embedder: embeddings?.embedder,
      reranker: embeddings?.reranker,
      onVectorTrouble: ({ message }) => troubled(config.embeddings?.model ?? '', message),
      onDamaged: ({ reason, kept_as }) =>
        log.error({ reason, kept_as }, 'the index was damaged: a new one is begun, so index your sources again'),
    });
    opened(corpusOpening, () => corpusOpening.then((open) => open.close()).catch(() => {}));
    corpusOpening.catch(() => {});
    const store = await openStore(config, (trouble) => {
      if (trouble === undefined) log.info('database is available again');
      else
        log.warn({ reason: trouble.message }, 'database is unavailable: serving only recently authenticated callers');
    });
    opened(store, () => store.close());
    const corpus = await corpusOpening;
    const model = createExtractiveModel({ threads: extractiveThreads() });
    opened(model, () => model.close());

    const reader = createReader({
      allowHosts: config.fetchAllowHosts,
      cache: pageCacheOf(config, corpus),
      onCacheTrouble: (part, trouble) => {
        if (trouble === undefined) log.info({ part }, 'page cache is available again');
        else log.warn({ part, err: trouble }, 'page cache failed; reading pages without it');
      },
    });
    opened(reader, () => reader.close());

    const tracing = await openTracing(config, metrics, log);
    if (tracing !== undefined) opened(tracing, () => tracing.close());
    const access = await openAccess({
      records: store.access,
      redisUrl: config.redisUrl,
      publicUrl: config.publicUrl,
      isSecure: certificate !== undefined,
      oidc: config.oidc,
      quotas: config.quotas,
      prices: config.modelPrices,
      metrics,
      log,
    });
    opened(access, () => access.close());
    const shared = await shareRuns(config, store.runs, log);
    if (shared !== undefined) opened(shared, () => shared.close());
    const runs = createRegistry({
      retentionMs: runRetentionMs,
      records: store.runs,
      background: store.background,
      cited: corpus,
      shared,
      onFault,
      onOutage(why) {
        if (why === undefined) log.info('ended searches are stored again');
        else log.warn({ reason: why }, 'ended searches cannot be stored: they wait in memory');
      },
    });
    opened(runs, () => runs.close());
    const { folder_id } = lock;
    const background = createBackgroundRuns({ records: store.background, runs, folder_id, onFault });
    opened(background, () => background.close());
    metrics.watch('searches_in_background', () => background.held());
    metrics.watch('searches_unstored', () => runs.unsaved().waiting);
    metrics.watch('searches_lost', () => runs.unsaved().lost);
    const { keepSearchesDays: keepDays } = config;
    if (keepDays > 0) {
      const retention = createRetention({
        keepDays,
        records: store.runs,
        threads: store.threads,
        cited: corpus,
        onFault,
      });
      opened(retention, () => retention.close());
    }

    // A search continues if its pages cannot be stored; the page cache has already logged the failure.
    const putSnapshot = (page: Snapshot) => corpus.putSnapshot(page).catch(() => undefined);
    const watch = {
      called: metrics.upstreamCall,
      limited: access.admission.reportUpstreamLimit,
      learned: metrics.modelLesson,
      troubled,
    };
    const {
      engine,
      modelCallsWaiting,
      close: closeEngine,
    } = await openEngine(config, { extractive: model, corpus: { ...corpus, putSnapshot }, reader }, watch);
    opened(engine, closeEngine);
    metrics.watch('model_calls_waiting', modelCallsWaiting);
    const suggestions = openSuggestions(model, corpus, config.model !== undefined);
    opened(suggestions, () => suggestions.close());
    const followUps = openFollowUps(model, corpus, engine);
    opened(followUps, () => followUps.close());
    const images = createImageReader({
      reader,
      allowHosts: config.fetchAllowHosts,
      hasModel: config.model !== undefined,
    });
    const designs = createDesigns(store.designs, onFault);
    const poster = createWebhookPoster({ allowHosts: config.fetchAllowHosts });
    opened(poster, () => poster.close());
    const box = createSecretBox(config.secretsKey);
    const { post } = poster;
    const onTry = metrics.webhookTried;
    const deliveries = createDeliveries({
      records: store.webhooks,
      post,
      box,
      onFault,
      onTry,
      watchTry: tracing?.watchTry,
    });
    opened(deliveries, () => deliveries.close());
    metrics.watch('webhooks_in_flight', () => deliveries.inFlight());
    const sourceIndex = createSourceIndex(corpus, reader);
    const indexer = createIndexer({ index: sourceIndex, onFault });
    opened(indexer, () => indexer.close());
    const service = createService({
      access,
      metrics,
      runs,
      records: store.runs,
      background,
      threads: store.threads,
      feedback: store.feedback,
      designs,
      engine,
      corpus,
      reader,
      images,
      suggestions,
      followUps,
      onFault,
      webhooks: { records: store.webhooks, box, checkUrl: poster.check },
      schedules: store.schedules,
      collections: store.collections,
      sources: { index: sourceIndex, indexer, admins: config.adminAccounts, roots: config.sourceRoots },
      tracing,
    });
    const { search } = service;
    const scheduler = createScheduler({
      records: store.schedules,
      begin: createBeginScheduled({ access, search, box }),
      onFault,
    });
    opened(scheduler, () => scheduler.close());
    const { handlers, drain, end } = createTransport({
      service,
      account: createAccountService(access, createReaches(store.collections), {
        admins: config.adminAccounts,
        audit: (change) => log.info(change, 'an administrator changed accounts'),
      }),
      originAllowed: originAllowed([
        ...config.allowedOrigins,
        ...(config.publicUrl === undefined ? [] : [config.publicUrl]),
      ]),
      metrics,
      tracing,
      documents: { openapi: await readDocument('openapi.json'), asyncapi: await readDocument('asyncapi.json') },
      publicUrl: config.publicUrl,
      isSecure: certificate !== undefined,
      trustedProxies: config.trustedProxies,
      pages: createStatic(loadPages),
      doors: createDoors(service, { ...config, onFault }),
      checkReady: () => store.check(),
      onFault,
      refused: access.refusals.add,
    });
    const server = createServer(handlers);
    opened(server, () => server.close());
    const developmentKey = await access.accounts.ensureDevelopmentKey();
    const { port } = await server.listen(config.host, config.port);
    if (config.tls !== undefined) closers.push(renewCertificates(config.tls, server, log));
    model.start();
    fillVectors(corpus, metrics, log);
    deliveries.start();
    scheduler.start();
    resumeSources({ index: sourceIndex, indexer, accounts: access.accounts.listAccounts, onFault });

    const expiry = new AbortController();
    let closing: Promise<void> | undefined;
    const close = async () => {
      background.drain();
      await indexer.close();
      await scheduler.close();
      const expired = new Promise((resolve) => expiry.signal.addEventListener('abort', resolve));
      await Promise.race([Promise.all([drain(), runs.idle()]), expired]);
      server.stopListening();
      // Running searches are cancelled. Their readers get that event in a later tick, and only then may connections close.
      await runs.close();
      await new Promise((resolve) => setTimeout(resolve));
      end();
      await closeAll();
    };
    const url = `${schemeOf(config)}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    closers.push(noteServer(config.dataDir, { url: config.publicUrl ?? url, host: config.host, port }));
    return {
      url,
      accounts: access.accounts,
      corpus,
      suggestions: () => suggestions.current(),
      developmentKey,
      async signInLink(accountId) {
        const { link } = await access.sessions.issueLink(accountId);
        return signInUrl(config.publicUrl ?? url, link);
      },
      close(graceMs = 30_000) {
        closing ??= close();
        setTimeout(() => expiry.abort(), graceMs).unref();
        return closing;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Undefined where no endpoint is configured: nothing is loaded then. */
async function openFinders(config: Config, watch: EmbeddingsWatch): Promise<OpenEmbeddings | undefined> {
  if (config.embeddings === undefined && config.rerank === undefined) return undefined;
  return (await import('./open-embeddings.ts')).openEmbeddings(config, watch);
}

/** Gives passages vectors in the background, where an embedding model is configured. */
function fillVectors({ vectors }: OpenCorpus, metrics: Metrics, log: Log): void {
  if (vectors === undefined) return;
  metrics.watch('passages_with_vectors', () => vectors.state().done);
  metrics.watch('passages_without_vectors', () => vectors.state().total - vectors.state().done);
  vectors.start((reason) => log.warn({ reason }, 'passages get no vectors: searching with words alone'));
}

/** Has the server use a new certificate when the files change. Returns a function that ends this. */
function renewCertificates(files: CertificateFiles, server: Server, log: Log): () => void {
  const keep = (error: Error) =>
    log.warn({ reason: error.message }, 'the certificate is not renewed: keeping the old one');
  return watchCertificate(
    files,
    (certificate) => {
      try {
        server.renew(certificate);
        log.info({ expires: certificate.expires }, 'new connections use the new certificate');
      } catch (error) {
        keep(error as Error);
      }
    },
    keep,
  );
}

/** Undefined without Redis, when no other process can share runs. */
async function shareRuns({ redisUrl }: Config, records: RunRecords, log: Log): Promise<SharedRuns | undefined> {
  if (redisUrl === undefined) return undefined;
  const { openSharedRuns } = await import('../runs/redis/shared-runs-redis.ts');
  const onFault = (error: unknown) => log.error({ err: error }, 'sharing of runs failed');
  return openSharedRuns({
    url: redisUrl,
    records,
    onFault,
    onChange(state, cause) {
      const reason = cause instanceof Error ? { reason: cause.message } : {};
      if (state === 'back') log.info('Redis is available again: other processes can read searches of this process');
      else log.warn(reason, 'Redis is unavailable: searches continue, but other processes cannot read them');
    },
  });
}

function readDocument(name: string): Promise<string> {
  return readFile(new URL(`../../protocol/${name}`, import.meta.url), 'utf8');
}
