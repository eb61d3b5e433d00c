/**
 * Designed and published APIs: the calls that create, show and publish them. Running one is not among them: a run is a
 * search and is called as one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import {
  ApiId,
  ApiStub,
  BrowseQuery,
  CollectionNames,
  type DesignDeleted,
  type DesignList,
  type DesignRecord,
  PageQuery,
  type PublishedList,
  type VersionListing,
  type VersionPublished,
  VersionQuery,
} from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { checkScope, mayUse } from '../access/scopes.ts';
import { parse } from '../base/errors.ts';
import { joinObjects } from '../base/json-text.ts';
import { apiDocument } from '../designs/api-document.ts';
import { type CallableSchemas, schemasOf } from '../designs/api-schemas.ts';
import type { ListedVersion } from '../designs/design-records.ts';
import type { Designs } from '../designs/designs.ts';
import type { RunExample } from '../designs/run-examples.ts';
import { sampleCalls } from '../designs/sample-calls.ts';
import type { BodyCall, Call, CallAccess, Charge, ListPage, Query } from './calls.ts';
import type { InTurn } from './large-reads.ts';
import type { Reaches } from './sources/collections.ts';

export interface DesignCalls {
  create(call: BodyCall): Promise<DesignRecord>;
  list(call: Call, query: Query): Promise<DesignList>;
  /** A DesignRecord, as JSON. */
  read(call: Call, api_id: string): Promise<string>;
  change(call: BodyCall, api_id: string): Promise<DesignRecord>;
  /** Replaces the draft with a published version. */
  restore(call: BodyCall, api_id: string): Promise<DesignRecord>;
  /** Retires a version of the account, or offers it again; `version` is called for a known caller alone. */
  retire(call: BodyCall, api_stub: string, version: () => number): Promise<VersionListing>;
  remove(call: Call, api_id: string): Promise<DesignDeleted>;
  /** Charges a unit for each example, and one if there is none. */
  publish(call: Call, api_id: string): Promise<VersionPublished>;
  /** Calls the listener after each version that is published or retired in this process; the returned function ends that. */
  onPublished(listener: () => void): () => void;
  /** DesignVersions, as JSON. */
  versions(call: Call, api_id: string, query: Query): Promise<string>;
  browse(call: Call, query: Query): Promise<PublishedList>;
  /** The published APIs that the key may run, most recently published first, at most 1,000; none without the scope. */
  runnable(call: Call): Promise<PublishedList['items']>;
  /** The same, page by page, with what each takes and returns. Rejects with 403 without the scope. */
  callable(call: Call, query: Query): Promise<CallablePage>;
  /** A PublishedApi, as JSON. `base_url` is this server's, as the caller knows it. */
  published(call: Call, api_stub: string, query: Query, base_url: string): Promise<string>;
  /** The OpenAPI document of one version, by default the newest one offered, as JSON. */
  document(call: Call, api_stub: string, query: Query): Promise<string>;
}

/** The newest version of each API, most recently published first. */
export interface CallablePage {
  readonly items: readonly (PublishedList['items'][number] & CallableSchemas)[];
  readonly cursor?: string;
}

interface Parts {
  readonly access: CallAccess;
  readonly charge: Charge;
  readonly designs: Designs;
  readonly inTurn: InTurn;
  readonly reaches: Pick<Reaches, 'idsOf'>;
  /** Runs an example as a search of the caller, which ends when they leave or at `deadline`, in `performance.now()` ms. */
  readonly runExample: (caller: Caller, call: Call, deadline: number) => RunExample;
}

/** For all examples of a design together: its author waits for one plain answer, like that of a search. */
const examplesMs = 55_000;

/** More than a person chooses from; set by hand. */
const maxRunnable = 1_000;
const pageOfRunnable = 100;

/** The calls of authors need the scope `design`; the published APIs are for every caller. */
export function createDesignCalls({ access, charge, designs, inTurn, runExample, reaches }: Parts): DesignCalls {
  const listeners = new Set<() => void>();

  async function showPublished(stub: string, page: ListPage, base_url: string): Promise<string> {
    const newest = await designs.shown(stub);
    const { items, ...more } = await designs.versions(stub, page);
    const versions = items.map((version) => {
      const { interface: callable, example, changes } = version;
      const more = example === null ? '' : `"example":${example},`;
      return joinObjects(JSON.stringify(describeVersion(version)), callable, `{${more}"changes":${changes}}`);
    });
    const about = {
      ...describeApi(newest),
      ...listingOf(newest),
      ...more,
      openapi: `/v1/published-service/${stub}/openapi.json`,
      samples: sampleCalls(newest, base_url),
    };
    return joinObjects(JSON.stringify(about), newest.interface, `{"versions":[${versions.join()}]}`);
  }

  async function identifyAuthor({ from }: Call): Promise<Caller> {
    const caller = await access.identify(from);
    checkScope(caller, 'design');
    return caller;
  }

  /** The author of a call that is not charged, but counted in a bucket of its own: designs may be large. */
  async function countAuthor(call: Call, bucket: 'reads' | 'writes'): Promise<Caller> {
    const caller = await identifyAuthor(call);
    await access.takeFrom(caller, bucket);
    return caller;
  }

  /** The body with the ids of its collections: a collection may be renamed. An invalid list is refused with the rest of the body. */
  async function readDesign(caller: Caller, call: BodyCall): Promise<unknown> {
    const body = await call.body();
    const { collections } = (body ?? {}) as { collections?: unknown };
    const names = CollectionNames.safeParse(collections);
    if (!names.success) return body;
    return { ...(body as object), collections: await reaches.idsOf(caller, names.data) };
  }

  async function countReader({ from }: Call): Promise<Caller> {
    const caller = await access.identify(from);
    await access.takeFrom(caller, 'reads');
    return caller;
  }

  return {
    async create(call) {
      const caller = await countAuthor(call, 'writes');
      return designs.create(caller.account_id, await readDesign(caller, call));
    },

    async list(call, query) {
      const caller = await countAuthor(call, 'reads');
      const page = parsePage(query);
      return inTurn(caller, call, () => designs.list(caller.account_id, page));
    },

    async read(call, api_id) {
      const caller = await countAuthor(call, 'reads');
      const id = parseApiId(api_id);
      return inTurn(caller, call, () => designs.get(caller.account_id, id));
    },

    async change(call, api_id) {
      const caller = await countAuthor(call, 'writes');
      return designs.change(caller.account_id, parseApiId(api_id), await readDesign(caller, call));
    },

    async restore(call, api_id) {
      const { account_id } = await countAuthor(call, 'writes');
      return designs.restore(account_id, parseApiId(api_id), await call.body());
    },

    async retire(call, api_stub, version) {
      const { account_id } = await countAuthor(call, 'writes');
      const listing = await designs.retire(account_id, parseStub(api_stub), version(), await call.body());
      for (const listener of listeners) listener();
      return listing;
    },

    async remove(call, api_id) {
      const { account_id } = await countAuthor(call, 'writes');
      await designs.remove(account_id, parseApiId(api_id));
      return { api_id, deleted: true };
    },

    async publish(call, api_id) {
      const caller = await identifyAuthor(call);
      await charge(caller, call);
      const run = runExample(caller, call, performance.now() + examplesMs);
      let isPaid = true;
      const published = await designs.publish(caller.account_id, parseApiId(api_id), async (question) => {
        if (!isPaid) await charge(caller, call);
        isPaid = false;
        return run(question);
      });
      for (const listener of listeners) listener();
      return published;
    },

    onPublished(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async versions(call, api_id, query) {
      const caller = await countAuthor(call, 'reads');
      const [id, page] = [parseApiId(api_id), parsePage(query)];
      const { items, ...more } = await inTurn(caller, call, () => designs.versionsOf(caller.account_id, id, page));
      const versions = items.map((version) =>
        joinObjects(JSON.stringify(describeVersion(version)), `{"design":${version.content}}`),
      );
      return joinObjects(`{"items":[${versions.join()}]}`, JSON.stringify(more));
    },

    async browse(call, query) {
      const caller = await countReader(call);
      const { q = '', ...page } = parse(BrowseQuery, query, 'query');
      const { items, ...more } = await inTurn(caller, call, () => designs.browse(q, { cursor: undefined, ...page }));
      return { items: items.map(describeApi), ...more };
    },

    async runnable(call) {
      const caller = await countReader(call);
      if (!mayUse(caller, 'run')) return [];
      return inTurn(caller, call, async () => {
        const found: PublishedList['items'] = [];
        let page: ListPage | undefined = { cursor: undefined, limit: pageOfRunnable };
        while (page !== undefined && found.length < maxRunnable) {
          const { items, cursor } = await designs.browse('', page);
          found.push(...items.map(describeApi));
          page = cursor === undefined ? undefined : { cursor, limit: pageOfRunnable };
        }
        return found.slice(0, maxRunnable);
      });
    },

    async callable(call, query) {
      const caller = await countReader(call);
      checkScope(caller, 'run');
      const page = parsePage(query);
      return inTurn(caller, call, async () => {
        const { items, ...more } = await designs.browse('', page);
        const shown = await Promise.all(items.map(({ api_stub }) => designs.shown(api_stub)));
        return {
          items: shown.map((each) => ({ ...describeApi(each), ...schemasOf(JSON.parse(each.interface)) })),
          ...more,
        };
      });
    },

    async published(call, api_stub, query, base_url) {
      const caller = await countReader(call);
      const stub = parseStub(api_stub);
      const page = parsePage(query);
      return inTurn(caller, call, () => showPublished(stub, page, base_url));
    },

    async document(call, api_stub, query) {
      const caller = await countReader(call);
      const { version } = parse(VersionQuery, query, 'query');
      const stub = parseStub(api_stub);
      return inTurn(caller, call, async () => {
        const document = apiDocument(await designs.published(stub, version));
        await nextTurn();
        return JSON.stringify(document);
      });
    },
  };
}

function parseApiId(api_id: string): string {
  return parse(z.object({ api_id: ApiId }), { api_id }, 'path').api_id;
}

function parseStub(api_stub: string): string {
  return parse(z.object({ api_stub: ApiStub }), { api_stub }, 'path').api_stub;
}

function parsePage(query: Query): ListPage {
  return { cursor: undefined, ...parse(PageQuery, query, 'query') };
}

function describeVersion(version: ListedVersion) {
  const { api_stub, version: number, content_hash, published_at } = version;
  return { api_stub, version: number, content_hash, published_at, ...listingOf(version) };
}

function listingOf({ retired_at }: Pick<ListedVersion, 'retired_at'>) {
  return retired_at === null ? {} : { retired_at };
}

type Browsed = Awaited<ReturnType<Designs['browse']>>['items'][number];

function describeApi({ api_stub, version, published_at, owner, name, description }: Browsed) {
  return { api_stub, version, name, description, owner, published_at };
}
