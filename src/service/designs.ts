/**
 * Designed and published APIs: the calls that create, show and publish them. Running one is not among them: a run is a
 * search and is called as one.
 */
import { z } from 'zod';
import {
  ApiId,
  ApiStub,
  BrowseQuery,
  type DesignDeleted,
  type DesignList,
  type DesignRecord,
  type DesignVersions,
  PageQuery,
  type PublishedApi,
  type PublishedList,
  type VersionPublished,
  VersionQuery,
} from '../../protocol/index.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import { checkScope } from '../access/scopes.ts';
import { parse } from '../base/errors.ts';
import { apiDocument } from '../designs/api-document.ts';
import { changesBetween } from '../designs/changes.ts';
import type { Designs, PublishedVersion } from '../designs/designs.ts';
import type { RunExample } from '../designs/run-examples.ts';
import { sampleCalls } from '../designs/sample-calls.ts';
import type { BodyCall, Call, Charge, ListPage, Query } from './calls.ts';
import type { InTurn } from './large-reads.ts';

export interface DesignCalls {
  create(call: BodyCall): Promise<DesignRecord>;
  list(call: Call, query: Query): Promise<DesignList>;
  read(call: Call, api_id: string): Promise<DesignRecord>;
  change(call: BodyCall, api_id: string): Promise<DesignRecord>;
  remove(call: Call, api_id: string): Promise<DesignDeleted>;
  /** Charges a unit for each example, and one if there is none. */
  publish(call: Call, api_id: string): Promise<VersionPublished>;
  versions(call: Call, api_id: string, query: Query): Promise<DesignVersions>;
  browse(call: Call, query: Query): Promise<PublishedList>;
  /** `base_url` is this server's, as the caller knows it. */
  published(call: Call, api_stub: string, query: Query, base_url: string): Promise<PublishedApi>;
  /** The OpenAPI document of one version, by default the newest. */
  document(call: Call, api_stub: string, query: Query): Promise<object>;
}

interface Parts {
  readonly access: Access;
  readonly charge: Charge;
  readonly designs: Designs;
  readonly inTurn: InTurn;
  /** Runs an example as a search of the caller, which ends when they leave or at `deadline`, in `performance.now()` ms. */
  readonly runExample: (caller: Caller, call: Call, deadline: number) => RunExample;
}

/** For all examples of a design together: its author waits for one plain answer, like that of a search. */
const examplesMs = 55_000;

/** The calls of authors need the scope `design`; the published APIs are for every caller. */
export function createDesignCalls({ access, charge, designs, inTurn, runExample }: Parts): DesignCalls {
  async function nextOlder(stub: string, cursor: string): Promise<PublishedVersion[]> {
    return (await designs.versions(stub, { cursor, limit: 1 })).items;
  }

  async function showPublished(stub: string, page: ListPage, base_url: string): Promise<PublishedApi> {
    const newest = await designs.published(stub);
    const { items, ...more } = await designs.versions(stub, page);
    // The oldest version of the page is compared with the first one of the next page.
    const older = more.cursor === undefined ? [] : await nextOlder(stub, more.cursor);
    const all = [...items, ...older];
    const versions = items.map((version, at) => {
      const previous = all[at + 1];
      const changes = previous === undefined ? [] : changesBetween(previous.design, version.design);
      return { ...describeVersion(version), ...describeInterface(version), changes };
    });
    const openapi = `/v1/published-service/${stub}/openapi.json`;
    const samples = sampleCalls(newest, base_url);
    return { ...describeApi(newest), ...describeInterface(newest), versions, ...more, openapi, samples };
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

  async function countReader({ from }: Call): Promise<Caller> {
    const caller = await access.identify(from);
    await access.takeFrom(caller, 'reads');
    return caller;
  }

  return {
    async create(call) {
      const { account_id } = await countAuthor(call, 'writes');
      return designs.create(account_id, await call.body());
    },

    async list(call, query) {
      const caller = await countAuthor(call, 'reads');
      const page = parsePage(query);
      const { items, ...more } = await inTurn(caller, call, () => designs.list(caller.account_id, page));
      return { items: items.map(summarizeDesign), ...more };
    },

    async read(call, api_id) {
      const caller = await countAuthor(call, 'reads');
      const id = parseApiId(api_id);
      return inTurn(caller, call, () => designs.get(caller.account_id, id));
    },

    async change(call, api_id) {
      const { account_id } = await countAuthor(call, 'writes');
      return designs.change(account_id, parseApiId(api_id), await call.body());
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
      return designs.publish(caller.account_id, parseApiId(api_id), async (question) => {
        if (!isPaid) await charge(caller, call);
        isPaid = false;
        return run(question);
      });
    },

    async versions(call, api_id, query) {
      const caller = await countAuthor(call, 'reads');
      const [id, page] = [parseApiId(api_id), parsePage(query)];
      const { items, ...more } = await inTurn(caller, call, () => designs.versionsOf(caller.account_id, id, page));
      return { items: items.map((version) => ({ ...describeVersion(version), design: version.design })), ...more };
    },

    async browse(call, query) {
      const caller = await countReader(call);
      const { q = '', ...page } = parse(BrowseQuery, query, 'query');
      const { items, ...more } = await inTurn(caller, call, () => designs.browse(q, { cursor: undefined, ...page }));
      return { items: items.map(describeApi), ...more };
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
      return inTurn(caller, call, async () => apiDocument(await designs.published(stub, version)));
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

function summarizeDesign({
  api_id,
  created_at,
  updated_at,
  published_version,
  name,
  api_stub,
  description,
}: DesignRecord) {
  return { api_id, name, api_stub, description, published_version, created_at, updated_at };
}

function describeVersion({ api_stub, version, content_hash, published_at }: PublishedVersion) {
  return { api_stub, version, content_hash, published_at };
}

function describeInterface({ design: { inputs, output_format } }: PublishedVersion) {
  return { inputs, output_format };
}

function describeApi({ api_stub, version, published_at, owner, design: { name, description } }: PublishedVersion) {
  return { api_stub, version, name, description, owner, published_at };
}
