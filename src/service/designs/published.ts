/** Published APIs: the calls that show them to everyone with a key. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { ApiStub, BrowseQuery, PageQuery, type PublishedList, VersionQuery } from '../../../protocol/index.ts';
import { checkScope, mayUse } from '../../access/scopes.ts';
import { parse } from '../../base/errors.ts';
import { joinObjects } from '../../base/json-text.ts';
import { apiDocument } from '../../designs/api-document.ts';
import { type CallableSchemas, schemasOf } from '../../designs/api-schemas.ts';
import type { ListedVersion, ListPage } from '../../designs/design-records.ts';
import type { Designs } from '../../designs/designs.ts';
import { sampleCalls } from '../../designs/sample-calls.ts';
import type { Call, CallAccess, Query } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';
import type { LargeRead } from '../large-reads.ts';

export interface PublishedCalls {
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

/** More than a person would choose from; set by hand. */
const maxRunnable = 1_000;
const pageOfRunnable = 100;

/** Every caller may see what is published; running it takes the scope `run`. */
export function createPublishedCalls(parts: {
  readonly access: CallAccess;
  readonly designs: Designs;
  readonly largeRead: LargeRead;
}): PublishedCalls {
  const { access, designs, largeRead } = parts;

  async function showPublished(stub: string, page: ListPage, base_url: string): Promise<string> {
    const newest = await designs.shown(stub);
    const { items, ...more } = await designs.versions(stub, page);
    const versions = items.map((version) => {
      const { interface: callable, example, changes } = version;
      const more = example === null ? '' : `"example":${example},`;
      return joinObjects(JSON.stringify(describeVersion(version)), callable, `{${more}"changes":${changes}}`);
    });
    // Without its number, a version that is retired is not found.
    const isRetired = newest.retired_at !== null;
    const about = {
      ...describeApi(newest),
      ...listingOf(newest),
      ...more,
      openapi: `/v1/published-service/${stub}/openapi.json${isRetired ? `?version=${newest.version}` : ''}`,
      samples: sampleCalls(newest, base_url),
    };
    return joinObjects(JSON.stringify(about), newest.interface, `{"versions":[${versions.join()}]}`);
  }

  const countCaller = createCallerCounter(access, () => {});

  return {
    async browse(call, query) {
      const caller = await countCaller(call, 'reads');
      const { q = '', ...page } = parse(BrowseQuery, query, 'query');
      const { items, ...more } = await largeRead(caller, call, () => designs.browse(q, { cursor: undefined, ...page }));
      return { items: items.map(describeApi), ...more };
    },

    async runnable(call) {
      const caller = await countCaller(call, 'reads');
      if (!mayUse(caller, 'run')) return [];
      return largeRead(caller, call, async () => {
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
      const caller = await countCaller(call, 'reads');
      checkScope(caller, 'run');
      const page = parsePage(query);
      return largeRead(caller, call, async () => {
        const { items, ...more } = await designs.browse('', page);
        const shown = await Promise.all(items.map(({ api_stub }) => designs.shown(api_stub)));
        return {
          items: shown.map((each) => ({ ...describeApi(each), ...schemasOf(JSON.parse(each.interface)) })),
          ...more,
        };
      });
    },

    async published(call, api_stub, query, base_url) {
      const caller = await countCaller(call, 'reads');
      const stub = parseStub(api_stub);
      const page = parsePage(query);
      return largeRead(caller, call, () => showPublished(stub, page, base_url));
    },

    async document(call, api_stub, query) {
      const caller = await countCaller(call, 'reads');
      const { version } = parse(VersionQuery, query, 'query');
      const stub = parseStub(api_stub);
      return largeRead(caller, call, async () => {
        const document = apiDocument(await designs.published(stub, version));
        await nextTurn();
        return JSON.stringify(document);
      });
    },
  };
}

/** Rejects what is not a stub with a 422. */
export function parseStub(api_stub: string): string {
  return parse(z.object({ api_stub: ApiStub }), { api_stub }, 'path').api_stub;
}

/** The page that a query asks for. */
export function parsePage(query: Query): ListPage {
  return { cursor: undefined, ...parse(PageQuery, query, 'query') };
}

/** A version as lists show it. */
export function describeVersion(version: ListedVersion) {
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
