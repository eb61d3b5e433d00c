/**
 * The parts, wired: the only file that knows them all. Opens what has to be open before the first call, listens, and
 * gives back the one way to close it all again, in the order in which nothing is cut off that could still end well.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '../../protocol/index.ts';
import { openAccess } from '../access/access.ts';
import type { Accounts, NewKey } from '../access/accounts.ts';
import { signInUrl } from '../access/browser/sessions.ts';
import type { Config } from '../base/config.ts';
import type { OnFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
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
import { createAccountService } from '../service/account.ts';
import { createService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { chooseServer } from '../transport/choose-server.ts';
import { originAllowed } from '../transport/http/origin.ts';
import { createTransport } from '../transport/server.ts';
import { createImageReader } from '../web/images.ts';
import { createReader } from '../web/reader.ts';
import { openResearch } from './open-engine.ts';

export interface App {
  /** `http://host:port` */
  readonly url: string;
  readonly accounts: Accounts;
  readonly corpus: OpenCorpus;
  /** Made by the first start in an empty store, shown this once. */
  readonly developmentKey: NewKey | undefined;
  /** An address that signs one browser in, once and within minutes; rejects where the account may not sign in. */
  signInLink(accountId: string): Promise<string>;
  /**
   * Takes nothing new, lets what was begun end for at most `graceMs`, then closes everything. Meanwhile it still listens
   * and says 503, so that whoever sends calls here learns to send them elsewhere. Calling it again can only hasten it.
   */
  close(graceMs?: number): Promise<void>;
}

/** How long an ended search can be read again. */
const runRetentionMs = 10 * 60_000;

/** Rejects, with everything closed that was open, when a part cannot start. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const onFault: OnFault = (err, request_id) => log.error({ request_id, err }, 'a fault that was not expected');
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
    const { search_socket } = routes;
    const choice = { transport: config.transport, socketPath: search_socket.path, log, onFault };
    const createServer = await chooseServer(choice);
    // Its threads load while those of the store do.
    const corpusOpening = openCorpus({ file: join(config.dataDir, 'index.db') });
    opened(corpusOpening, () => corpusOpening.then((open) => open.close()).catch(() => {}));
    corpusOpening.catch(() => {});
    const store = await openStore(config, (trouble) => {
      if (trouble === undefined) log.info('the database answers again');
      else log.warn({ reason: trouble.message }, 'the database does not answer: callers that are known are served');
    });
    opened(store, () => store.close());
    const corpus = await corpusOpening;
    const model = createExtractiveModel();
    opened(model, () => model.close());

    const reader = createReader({
      allowHosts: config.fetchAllowHosts,
      cache: corpus.readings,
      onCacheTrouble: (part, trouble) => {
        if (trouble === undefined) log.info({ part }, 'the page cache works again');
        else log.warn({ part, err: trouble }, 'the page cache fails; pages are read without it');
      },
    });
    opened(reader, () => reader.close());

    const metrics = createMetrics();
    const access = await openAccess({
      records: store.access,
      redisUrl: config.redisUrl,
      publicUrl: config.publicUrl,
      metrics,
      log,
    });
    opened(access, () => access.close());
    const shared = await shareRuns(config, store.runs, log);
    if (shared !== undefined) opened(shared, () => shared.close());
    const runs = createRegistry({ retentionMs: runRetentionMs, records: store.runs, cited: corpus, shared, onFault });
    opened(runs, () => runs.close());
    const { keepSearchesDays: keepDays } = config;
    if (keepDays > 0) {
      const retention = createRetention({ keepDays, records: store.runs, cited: corpus, onFault });
      opened(retention, () => retention.close());
    }

    // A search goes on though its pages cannot be kept; that they cannot, the page cache has told already.
    const putSnapshot = (page: Snapshot) => corpus.putSnapshot(page).catch(() => undefined);
    const watch = { called: metrics.upstreamCall, limited: access.admission.reportUpstreamLimit };
    const research = await openResearch(
      config,
      { extractive: model, corpus: { ...corpus, putSnapshot }, reader },
      watch,
    );
    opened(research, () => research.close());
    const { engine } = research;
    const images = createImageReader({
      reader,
      allowHosts: config.fetchAllowHosts,
      hasModel: config.model !== undefined,
    });
    const designs = createDesigns(store.designs, onFault);
    const service = createService({
      access,
      metrics,
      runs,
      records: store.runs,
      designs,
      engine,
      corpus,
      reader,
      images,
    });
    const { handlers, drain, end } = createTransport({
      service,
      account: createAccountService(access),
      originAllowed: originAllowed([
        ...config.allowedOrigins,
        ...(config.publicUrl === undefined ? [] : [config.publicUrl]),
      ]),
      metrics,
      documents: { openapi: await readDocument('openapi.json'), asyncapi: await readDocument('asyncapi.json') },
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      pages: createStatic(loadPages),
      onFault,
    });
    const server = createServer(handlers);
    opened(server, () => server.close());
    const developmentKey = await access.accounts.ensureDevelopmentKey();
    const { port } = await server.listen(config.host, config.port);
    model.start();

    const expiry = new AbortController();
    let closing: Promise<void> | undefined;
    const close = async () => {
      const expired = new Promise((resolve) => expiry.signal.addEventListener('abort', resolve));
      await Promise.race([Promise.all([drain(), runs.idle()]), expired]);
      server.stopListening();
      // What still runs is cancelled; its readers are told so in a later turn, and only then that the connection ends.
      await runs.close();
      await new Promise((resolve) => setTimeout(resolve));
      end();
      await closeAll();
    };
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    return {
      url,
      accounts: access.accounts,
      corpus,
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

/** Undefined where no Redis lies between this process and others. */
async function shareRuns({ redisUrl }: Config, records: RunRecords, log: Log): Promise<SharedRuns | undefined> {
  if (redisUrl === undefined) return undefined;
  const { openSharedRuns } = await import('../runs/redis/shared-runs-redis.ts');
  const onFault = (error: unknown) => log.error({ err: error }, 'a fault in what is shared of runs');
  return openSharedRuns({
    url: redisUrl,
    records,
    onFault,
    onChange(state, cause) {
      const reason = cause instanceof Error ? { reason: cause.message } : {};
      if (state === 'back') log.info('Redis answers again: other processes can read the searches of this one');
      else
        log.warn(reason, 'Redis does not answer: searches go on in their own processes, and cannot be read in others');
    },
  });
}

function readDocument(name: string): Promise<string> {
  return readFile(new URL(`../../protocol/${name}`, import.meta.url), 'utf8');
}
