/**
 * The two backends of `citewire design`: a running server, with a key, or the store itself, for one of its accounts. Both
 * behave the same, except that runs on the store are neither counted nor recorded.
 */
import {
  type Design,
  type DesignInput,
  type DesignRecord,
  type DesignVersions,
  isTerminal,
  type PublishedList,
  type SearchEvent,
  type TerminalEvent,
  type VersionListing,
  type VersionPublished,
} from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { createClient } from '../../client/client.ts';
import type { ApiRun } from '../../designs/api-run.ts';
import { createDesigns } from '../../designs/designs.ts';
import { openStore } from '../../store/store.ts';
import { chooseAccount } from '../accounts/choose-account.ts';
import { toAppError } from '../ask/search-remote.ts';

export interface DesignBackend {
  /** Drafts of the account, newest first. */
  drafts(): Promise<DraftSummary[]>;
  draft(api_id: string): Promise<DesignRecord>;
  create(design: object): Promise<DesignRecord>;
  change(api_id: string, change: object): Promise<DesignRecord>;
  delete(api_id: string): Promise<unknown>;
  publish(api_id: string): Promise<VersionPublished>;
  /** Replaces the draft with a version. */
  restore(api_id: string, version: number): Promise<DesignRecord>;
  retire(api_stub: string, version: number, retired: boolean): Promise<VersionListing>;
  /** Newest first. */
  versions(api_id: string): Promise<DesignVersions['items']>;
  /** Most recently published first. */
  browse(query: string): Promise<PublishedList['items']>;
  inputsOf(api: ApiVersion): Promise<Readonly<Record<string, DesignInput>>>;
  run(api: ApiVersion, inputs: Readonly<Record<string, string | number | boolean>>): AsyncIterable<SearchEvent>;
  close(): Promise<void>;
}

export type DraftSummary = Pick<DesignRecord, 'api_id' | 'api_stub' | 'name' | 'updated_at' | 'published_version'>;

export interface ApiVersion {
  readonly api_stub: string;
  readonly version: number | 'newest' | 'draft';
}

export interface DesignBackendOptions {
  readonly server?: string;
  readonly key?: string;
  readonly account?: string;
}

/** Throws `not_found` when it is not clear which account is meant. */
export async function openDesignBackend(options: DesignBackendOptions, config: Config): Promise<DesignBackend> {
  return options.server === undefined
    ? openOnStore(options.account, config)
    : openOnServer(options.server, options.key);
}

/** Items per page; the maximum that the API allows. */
const limit = 100;

function openOnServer(baseUrl: string, apiKey: string | undefined): DesignBackend {
  const client = createClient({ baseUrl, apiKey, maxRetries: 3 });
  const { designs, published } = client;
  const drafts = () => all((cursor) => designs.list({ limit, cursor }));
  return {
    drafts,
    draft: (api_id) => designs.get(api_id),
    create: (design) => designs.create(design as Parameters<typeof designs.create>[0]),
    change: (api_id, change) => designs.change(api_id, change),
    delete: (api_id) => designs.delete(api_id),
    publish: (api_id) => designs.publish(api_id),
    restore: (api_id, version) => designs.restore(api_id, { version }),
    retire: (api_stub, version, retired) => published.retire(api_stub, version, { retired }),
    versions: (api_id) => all((cursor) => designs.versions(api_id, { limit, cursor })),
    browse: (query) => all((cursor) => published.browse({ query, limit, cursor })),
    async inputsOf({ api_stub, version }) {
      if (version !== 'draft') {
        const { versions, inputs } = await published.get(api_stub, { limit });
        return versions.find((each) => each.version === version)?.inputs ?? inputs;
      }
      const draft = (await drafts()).find((each) => each.api_stub === api_stub);
      return draft === undefined ? {} : (await designs.get(draft.api_id)).inputs;
    },
    async *run({ api_stub, version }, inputs) {
      if (version === 'draft') yield* client.runDesign(api_stub, inputs);
      else yield* client.callPublished(api_stub, inputs, version === 'newest' ? {} : { version });
    },
    close: async () => client.close(),
  };
}

function warn(error: unknown): void {
  process.stderr.write(`warning: ${(error as Error).message}\n`);
}

async function openOnStore(account: string | undefined, config: Config): Promise<DesignBackend> {
  const store = await openStore(config);
  try {
    const { id: account_id } = chooseAccount(await store.access.accounts(), account);
    const designs = createDesigns(store.designs, warn);
    const question = (api: ApiVersion, inputs: unknown) => designs.buildRun(account_id, api, inputs, ['inputs']);
    return {
      drafts: () => all((cursor) => designs.list(account_id, { limit, cursor })),
      draft: async (api_id) => JSON.parse(await designs.get(account_id, api_id)) as DesignRecord,
      create: (design) => designs.create(account_id, design),
      change: (api_id, change) => designs.change(account_id, api_id, change),
      delete: (api_id) => designs.remove(account_id, api_id),
      publish: (api_id) => designs.publish(account_id, api_id, (question) => runToEnd(question, config)),
      restore: (api_id, version) => designs.restore(account_id, api_id, { version }),
      retire: (api_stub, version, retired) => designs.retire(account_id, api_stub, version, { retired }),
      async versions(api_id) {
        const found = await all((cursor) => designs.versionsOf(account_id, api_id, { limit, cursor }));
        return found.map(({ content, retired_at, ...version }) => ({
          ...version,
          ...(retired_at === null ? {} : { retired_at }),
          design: JSON.parse(content) as Design,
        }));
      },
      browse: (query) => all((cursor) => designs.browse(query, { limit, cursor })),
      async inputsOf({ api_stub, version }) {
        if (version !== 'draft')
          return (await designs.published(api_stub, version === 'newest' ? undefined : version)).design.inputs;
        const draft = await store.designs.byStub(account_id, api_stub);
        return draft === undefined ? {} : (JSON.parse(draft.content) as Design).inputs;
      },
      async *run(api, inputs) {
        yield* await search(await question(api, inputs), config);
      },
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * What a search needs is loaded only for a run: it is most of the server, and other commands take half the time without it.
 */
async function search(run: ApiRun, config: Config): Promise<AsyncIterable<SearchEvent>> {
  const { searchLocal } = await import('../ask/search-local.ts');
  return searchLocal(run, config);
}

async function runToEnd(question: ApiRun, config: Config): Promise<{ search_id: string; terminal: TerminalEvent }> {
  for await (const event of await search(question, config)) {
    if (isTerminal(event)) return { search_id: 'not recorded', terminal: event };
  }
  throw new AppError('upstream_error', 'The run ended without an answer.');
}

async function all<Item>(
  read: (cursor: string | undefined) => Promise<{ items: readonly Item[]; cursor?: string | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor).catch((error) => {
      throw toAppError(error);
    });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}
