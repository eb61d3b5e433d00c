/**
 * Wires all parts together; the only file that knows them all. Opens what the first call needs, listens, and returns a
 * `close` that shuts everything down in an order that lets running work finish.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { routes, type Suggestions } from '../../protocol/index.ts';
import { openAccess } from '../access/access.ts';
import { type Accounts, developmentAccount, type NewKey } from '../access/accounts.ts';
import { signInUrl } from '../access/browser/sessions.ts';
import { type Config, schemeOf } from '../base/config.ts';
import type { OnFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { collectWhenIdle } from '../base/memory/collect-when-idle.ts';
import { createMetrics } from '../base/metrics.ts';
import { createDoors } from '../compat/doors.ts';
import type { OpenCorpus } from '../corpus/corpus.ts';
import { createDesigns } from '../designs/designs.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import { createExtractiveModel, type ExtractivePool } from '../model/extractive/extractive.ts';
import { createStatic } from '../pages/static.ts';
import { loadPages } from '../pages/static-load.ts';
import { createScheduler } from '../schedules/scheduler.ts';
import { createAccountService } from '../service/account.ts';
import { createBeginScheduled } from '../service/schedules.ts';
import { createService } from '../service/service.ts';
import { createReaches } from '../service/sources/reach.ts';
import { resumeSources } from '../service/sources/resume-sources.ts';
import { createIndexer } from '../sources/indexer.ts';
import { chooseServer } from '../transport/choose-server.ts';
import { originAllowed } from '../transport/http/origin.ts';
import { createTransport } from '../transport/server.ts';
import { readCertificate } from '../transport/tls/certificate.ts';
import { createImageReader } from '../web/images.ts';

import { type Closers, createClosers } from './parts/closers.ts';
import { fillVectors, openData } from './parts/open-data.ts';
import { openEngine } from './parts/open-engine.ts';
import { openFollowUps } from './parts/open-follow-ups.ts';
import { openReader } from './parts/open-reader.ts';
import { openRuns } from './parts/open-runs.ts';
import { openSuggestions } from './parts/open-suggestions.ts';
import { openTracing } from './parts/open-tracing.ts';
import { openWebhooks } from './parts/open-webhooks.ts';
import { createTroubleLog } from './parts/trouble-log.ts';
import { renewCertificates } from './renew-certificates.ts';
import { noteServer } from './running-server.ts';
import { createShutDown } from './shut-down.ts';
import { createSourceIndex } from './source-index.ts';

export interface App {
  /** `http://host:port`, or `https://` with TLS. */
  readonly url: string;
  readonly accounts: Accounts;
  readonly corpus: OpenCorpus;
  /** Up to three questions that the index answers to the first account; see service/suggestions/suggestions.ts. */
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

/** What the apps of one process may share, each of which opens its own otherwise. The caller closes it after them. */
export interface SharedParts {
  readonly extractivePool?: ExtractivePool;
}

/** Starts every part and listens. Rejects when a part cannot start, after closing what was already open. */
export async function startApp(config: Config, log: Log, shared: SharedParts = {}): Promise<App> {
  const closers = createClosers();
  try {
    return await start(config, log, shared, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(config: Config, log: Log, shared: SharedParts, closers: Closers): Promise<App> {
  const { opened, onClose } = closers;
  const { allowedOrigins, adminAccounts: admins, fetchAllowHosts: allowHosts, publicUrl } = config;
  const hasModel = config.model !== undefined;
  const onFault: OnFault = (err, request_id, trace_id) => log.error({ request_id, trace_id, err }, 'unexpected error');
  const metrics = createMetrics();
  const troubled = createTroubleLog(log);

  // Whatever would keep the server from listening is found out before anything is opened.
  const certificate = config.tls && readCertificate(config.tls);
  const isSecure = certificate !== undefined;
  const socketPath = routes.search_socket.path;
  const createServer = await chooseServer({ transport: config.transport, socketPath, certificate, log, onFault });

  // What is kept, who may use it, and the searches in progress.
  const data = await openData(config, { log, metrics }, closers);
  const { corpus, store } = data;
  const reader = opened(openReader(config, corpus, log));
  const tracing = await openTracing(config, metrics, log);
  if (tracing !== undefined) opened(tracing);
  const { redisUrl, oidc, quotas, modelPrices: prices } = config;
  const access = opened(
    await openAccess({ records: store.access, redisUrl, publicUrl, isSecure, oidc, quotas, prices, metrics, log }),
  );
  const { runs, background } = await openRuns(config, data, { log, metrics, onFault }, closers);

  // What answers.
  const model = opened(createExtractiveModel({ threads: extractiveThreads(), pool: shared.extractivePool }));
  // A search continues if its pages cannot be stored; the page cache has already logged the failure.
  const putSnapshot = (page: Snapshot) => corpus.putSnapshot(page).catch(() => undefined);
  const watch = {
    called: metrics.upstreamCall,
    limited: access.admission.reportUpstreamLimit,
    learned: metrics.modelLesson,
    troubled,
  };
  const engineParts = { extractive: model, corpus: { ...corpus, putSnapshot }, reader };
  const { engine, modelCallsWaiting } = opened(await openEngine(config, engineParts, watch));
  metrics.watch('model_calls_waiting', modelCallsWaiting);
  const suggestions = opened(openSuggestions(model, corpus, hasModel));
  const followUps = opened(openFollowUps(model, corpus, engine));

  // What users set up: APIs, webhooks, sources and schedules.
  const designs = createDesigns(store.designs, onFault);
  const forWebhooks = { log, metrics, onFault, watchTry: tracing?.watchTry };
  const { box, checkUrl, deliveries } = openWebhooks(config, store.webhooks, forWebhooks, closers);
  const index = createSourceIndex(corpus, reader);
  const indexer = opened(createIndexer({ index, onFault }));
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
    images: createImageReader({ reader, allowHosts, hasModel }),
    suggestions,
    followUps,
    onFault,
    webhooks: { records: store.webhooks, box, checkUrl },
    schedules: store.schedules,
    collections: store.collections,
    sources: { index, indexer, admins, roots: config.sourceRoots },
    tracing,
  });
  const begin = createBeginScheduled({ access, search: service.search, endpoints: store.webhooks.endpoints });
  const scheduler = opened(createScheduler({ records: store.schedules, begin, onFault }));

  // What clients reach.
  const transport = createTransport({
    service,
    account: createAccountService(access, createReaches(store.collections), {
      admins,
      audit: (change) => log.info(change, 'an administrator changed accounts'),
    }),
    originAllowed: originAllowed(publicUrl === undefined ? allowedOrigins : [...allowedOrigins, publicUrl]),
    metrics,
    tracing,
    documents: { openapi: createDocument('openapi.json'), asyncapi: createDocument('asyncapi.json') },
    publicUrl,
    isSecure,
    trustedProxies: config.trustedProxies,
    pages: createStatic(loadPages),
    doors: createDoors(service, { ...config, onFault }),
    checkReady: () => store.check(),
    onFault,
    refused: access.refusals.add,
  });
  const server = opened(createServer(transport.handlers));
  const { port } = await server.listen(config.host, config.port);
  const url = `${schemeOf(config)}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  if (certificate !== undefined) onClose(renewCertificates(certificate, server, log));
  onClose(noteServer(config.dataDir, { url: publicUrl ?? url, host: config.host, port }));
  // Only shown once: a start that fails, as on a port in use, would leave a key that nobody has seen.
  const developmentKey = await access.accounts.ensureDevelopmentKey();

  // What works in the background begins once calls are answered.
  model.start();
  opened(collectWhenIdle());
  fillVectors(corpus, metrics, log);
  deliveries.start();
  scheduler.start();
  resumeSources({ index, indexer, accounts: access.accounts.listAccounts, onFault });

  return {
    url,
    accounts: access.accounts,
    corpus,
    suggestions: () => suggestions.current(developmentAccount),
    developmentKey,
    async signInLink(accountId) {
      const { link } = await access.sessions.issueLink(accountId);
      return signInUrl(publicUrl ?? url, link);
    },
    close: createShutDown({ producers: [indexer, scheduler], background, transport, runs, server, closers }),
  };
}

/** The loop that streams can feed no more threads than this. Set by hand: it takes as much time for a search as one of them. */
const maxExtractiveThreads = 4;

/** One core is for the loop that streams; a machine of two has one thread. */
function extractiveThreads(): number {
  return Math.max(1, Math.min(maxExtractiveThreads, availableParallelism() - 1));
}

/** Reads a generated document when it is first asked for, and again only if that failed. */
function createDocument(name: string): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => {
    text ??= readFile(new URL(`../../protocol/${name}`, import.meta.url), 'utf8').catch((error: unknown) => {
      text = undefined;
      throw error;
    });
    return text;
  };
}
