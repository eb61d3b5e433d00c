/**
 * The tools of `citewire mcp` without a server: the service runs in this process, on the index and the settings of DATA_DIR.
 * It opens while the client introduces itself; calls wait for it. Searches are not recorded.
 */

import { developmentAccount } from '../../access/accounts.ts';
import { installedPackages } from '../../app/installed-packages.ts';
import { createClosers } from '../../app/parts/closers.ts';
import { openEngine } from '../../app/parts/open-engine.ts';
import { openFollowUps } from '../../app/parts/open-follow-ups.ts';
import { openSuggestions } from '../../app/parts/open-suggestions.ts';
import { untilAborted } from '../../base/abort.ts';
import type { Config } from '../../base/config.ts';
import type { OnFault } from '../../base/errors.ts';
import { createMetrics } from '../../base/metrics.ts';
import type { Backend } from '../../compat/mcp/backend.ts';
import { createServiceBackend } from '../../compat/mcp/service-backend.ts';
import type { OpenCorpus } from '../../corpus/corpus.ts';
import { createDesigns } from '../../designs/designs.ts';
import { createExtractiveModel } from '../../model/extractive/extractive.ts';
import { createMemoryRunRecords } from '../../runs/records/memory-run-records.ts';
import { createRegistry } from '../../runs/registry.ts';
import { createService } from '../../service/service.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createImageReader } from '../../web/images.ts';
import { createReader } from '../../web/reader.ts';
import { createOwnerAccess, ownerOf } from '../accounts/owner-access.ts';
import { openLocalCorpus } from '../open-local-corpus.ts';

export interface LocalBackend {
  readonly backend: Backend;
  /** Cancels running searches and closes everything. */
  close(): Promise<void>;
}

/** How long the events of a finished search can be read again, as on a server. Set by hand. */
const runRetentionMs = 10 * 60_000;

/** Begins to open the index and the store of DATA_DIR. A call rejects with what keeps them from opening. */
export function createLocalBackend(config: Config, onFault: OnFault): LocalBackend {
  const opening = open(config, onFault);
  opening.catch(() => {});
  const opened = async (signal: AbortSignal) => (await untilAborted(opening, signal)).backend;
  return {
    backend: {
      scopes: new Set(['search', 'run', 'design']),
      search: async (body, signal) => (await opened(signal)).search(body, signal),
      research: async (body, signal) => (await opened(signal)).research(body, signal),
      runApi: async (api_stub, inputs, signal) => (await opened(signal)).runApi(api_stub, inputs, signal),
      find: async (search_id, signal) => (await opened(signal)).find(search_id, signal),
      page: async (request, signal) => (await opened(signal)).page(request, signal),
      snapshot: async (id, signal) => (await opened(signal)).snapshot(id, signal),
      apis: async (cursor, signal) => (await opened(signal)).apis(cursor, signal),
      designs: async (signal) => (await opened(signal)).designs(signal),
      design: async (api_id, signal) => (await opened(signal)).design(api_id, signal),
    },
    close: () =>
      opening.then(
        ({ close }) => close(),
        () => {},
      ),
  };
}

async function open(config: Config, onFault: OnFault): Promise<LocalBackend> {
  const { opened, onClose, closeAll: close } = createClosers();
  try {
    const { corpus } = opened(await openLocalCorpus(config));
    const indexing = new AbortController();
    const indexed = (await isEmpty(corpus)) ? indexPackages(corpus, indexing.signal) : undefined;
    onClose(() => {
      indexing.abort();
      return indexed;
    });
    const store = opened(await openStore(config));
    const extractive = opened(createExtractiveModel());
    const { fetchAllowHosts: allowHosts } = config;
    const hasModel = config.model !== undefined;
    const reader = opened(createReader({ allowHosts, cache: corpus.pageCache }));
    const { engine } = opened(await openEngine(config, { extractive, corpus, reader }));
    const records = createMemoryRunRecords();
    const runs = opened(createRegistry({ retentionMs: runRetentionMs, records, onFault }));
    const owner = ownerOf(await accountOf(store));
    const service = createService({
      access: opened(createOwnerAccess(owner)),
      metrics: createMetrics(),
      runs,
      records,
      threads: store.threads,
      designs: createDesigns(store.designs, onFault),
      engine,
      corpus,
      reader,
      images: createImageReader({ reader, allowHosts, hasModel }),
      suggestions: opened(openSuggestions(extractive, corpus, hasModel)),
      followUps: opened(openFollowUps(extractive, corpus, engine)),
    });
    const caller = { request_id: 'local', from: owner, onCharged: () => {} };
    return { backend: createServiceBackend(service, caller, owner.scopes, false), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isEmpty(corpus: OpenCorpus): Promise<boolean> {
  return (await corpus.stats()).pages === 0;
}

/** Fills the index while the engine waits for it. Never rejects. */
async function indexPackages(corpus: OpenCorpus, signal: AbortSignal): Promise<void> {
  const path = installedPackages();
  if (path === undefined) return;
  process.stderr.write('Building the index from the documentation of Citewire and the installed packages …\n');
  await corpus.index({ kind: 'packages', path }, { signal, fills: true }).catch((error: Error) => {
    if (!signal.aborted) process.stderr.write(`The index could not be built: ${error.message}\n`);
  });
}

/** The only account of the store, else the one that the first start of a server created. */
async function accountOf({ access }: Store): Promise<string> {
  const [only, ...others] = await access.accounts();
  return only !== undefined && others.length === 0 ? only.id : developmentAccount;
}
