/**
 * Designed APIs: drafts that their account edits, and versions that it publishes for everyone. This builds the request of
 * a run but never runs anything itself: publishing is passed a function that runs an example.
 */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import {
  Design,
  DesignChange,
  type DesignList,
  type DesignRecord,
  designLimits,
  ListingChange,
  protoField,
  RestoreVersion,
  type VersionListing,
  type VersionPublished,
} from '../../protocol/index.ts';
import { AppError, invalid, parse } from '../base/errors.ts';
import { joinObjects } from '../base/json-text.ts';
import { type ApiRun, buildApiRun, inputsOfText } from './api-run.ts';
import type {
  DesignRecords,
  Draft,
  ListedDraft,
  ListedVersion,
  Page,
  PageQuery,
  ShownVersion,
  Version,
} from './design-records.ts';
import { changesFrom, freeze, searchable, summarize, thaw, verify } from './freeze.ts';
import { type RunExample, runExamples } from './run-examples.ts';

export interface ApiName {
  readonly api_stub: string;
  /** By default the account's own draft or, if it has none, the newest version. */
  readonly version?: number | 'newest' | 'draft' | undefined;
}

export interface PublishedVersion extends Version {
  readonly design: Design;
}

/** Of a design, what lists show. */
type Summary = Pick<Design, 'name' | 'description'>;

export interface Designs {
  /** Rejects with 422. */
  create(account_id: string, body: unknown): Promise<DesignRecord>;
  /** A DesignRecord, as JSON: the stored text is not parsed. */
  get(account_id: string, api_id: string): Promise<string>;
  list(account_id: string, page: PageQuery): Promise<Page<DesignList['items'][number]>>;
  change(account_id: string, api_id: string, body: unknown): Promise<DesignRecord>;
  /** Published versions stay. */
  remove(account_id: string, api_id: string): Promise<void>;
  /** Runs the draft's examples and publishes it. Rejects with a 422 that lists the examples that failed. */
  publish(account_id: string, api_id: string, run: RunExample): Promise<VersionPublished>;
  /** The versions published from a draft of the account, newest first, even after the draft was deleted. */
  versionsOf(account_id: string, api_id: string, page: PageQuery): Promise<Page<Version>>;
  /** The versions of a stub, newest first. */
  versions(api_stub: string, page: PageQuery): Promise<Page<ShownVersion>>;
  browse(query: string, page: PageQuery): Promise<Page<ListedVersion & Summary>>;
  /** Replaces the draft with a version that the account has published, under the stub of the draft. Rejects with 404 or 422. */
  restore(account_id: string, api_id: string, body: unknown): Promise<DesignRecord>;
  /** Retires a version that the account has published, or offers it again. Rejects with 404 or 422. */
  retire(account_id: string, api_stub: string, version: number, body: unknown): Promise<VersionListing>;
  /** The newest offered version, or the newest of all if every one is retired, without its document. Rejects with 404. */
  shown(api_stub: string): Promise<ShownVersion & Summary>;
  /** The newest offered version unless a number is given. Rejects with 404. */
  published(api_stub: string, version?: number): Promise<PublishedVersion>;
  /** The request of a run with these inputs. Rejects with 404, or 422 whose `loc` begins with `at`. */
  buildRun(account_id: string, name: ApiName, inputs: unknown, at: readonly string[]): Promise<ApiRun>;
  /** The same with what a person wrote: the inputs as a JSON object, or the value of the only one that must be given. */
  buildRunOfText(account_id: string, name: ApiName, text: string, at: readonly string[]): Promise<ApiRun>;
}

/** The largest integer of the column; databases fail on larger ones instead of finding nothing. */
const maxVersion = 2 ** 31 - 1;

/** `onFault` is called for versions that are omitted because their content does not match its hash. */
export function createDesigns(records: DesignRecords, onFault: (error: unknown) => void): Designs {
  const now = createClock();

  async function find<Found>(api_id: string, found: Promise<Found | undefined>): Promise<Found> {
    const draft = await found;
    if (draft !== undefined) return draft;
    throw new AppError('not_found', `There is no designed API ${JSON.stringify(api_id)} for this account.`);
  }
  const findDraft = (account_id: string, api_id: string) => find(api_id, records.get(account_id, api_id));
  const findListed = (account_id: string, api_id: string) => find(api_id, records.listed(account_id, api_id));

  async function atNumber(api_stub: string, number: number): Promise<Version | undefined> {
    return number < 1 || number > maxVersion ? undefined : records.version(api_stub, number);
  }

  async function published(api_stub: string, number?: number): Promise<PublishedVersion> {
    const version = await (number === undefined ? records.newest(api_stub) : atNumber(api_stub, number));
    if (version === undefined) {
      const isRetired = number === undefined && (await records.shown(api_stub)) !== undefined;
      throw isRetired ? allRetired(api_stub) : notPublished(api_stub, number);
    }
    return { ...version, design: await thaw(version) };
  }

  /** Saves what `next` makes of the draft; of the newest one, if it is changed at the same time. */
  async function rewrite(account_id: string, api_id: string, next: (design: Design) => Design): Promise<DesignRecord> {
    for (;;) {
      const { published_version: _, ...draft } = await findDraft(account_id, api_id);
      const design = next(designOf(draft));
      const changes = { ...textsOf(design), revision: draft.revision + 1, updated_at: now() };
      const outcome = await records.change({ ...draft, ...changes });
      if (outcome === 'stub_taken') throw stubTaken(design.api_stub);
      if (outcome === 'changed') return { ...own(await findListed(account_id, api_id)), ...design };
    }
  }

  async function onlyIntact(versions: readonly Version[]): Promise<Version[]> {
    const intact: Version[] = [];
    for (const version of versions) {
      await verify(version).then(() => intact.push(version), onFault);
    }
    return intact;
  }

  async function resolveName(
    account_id: string,
    { api_stub, version }: ApiName,
  ): Promise<[Design, ApiRun['api'], Pick<ApiRun, 'owner'>]> {
    if (version === undefined || version === 'draft') {
      const draft = await records.byStub(account_id, api_stub);
      if (draft !== undefined) return [designOf(draft), { api_stub }, { owner: account_id }];
      if (version === 'draft') {
        throw new AppError('not_found', `There is no designed API ${JSON.stringify(api_stub)} for this account.`);
      }
    }
    const found = await published(api_stub, typeof version === 'number' ? version : undefined);
    return [found.design, { api_stub, version: found.version }, { owner: found.account_id }];
  }

  return {
    async create(account_id, body) {
      const design = readWhole(Design, body);
      const created_at = now();
      const api_id = `api_${randomBytes(16).toString('base64url')}`;
      const times = { created_at, updated_at: created_at };
      const draft: Draft = { api_id, account_id, ...textsOf(design), revision: 1, ...times };
      const outcome = await records.add(draft, designLimits.per_account);
      if (outcome === 'stub_taken') throw stubTaken(design.api_stub);
      if (outcome === 'full') {
        throw invalid(['body'], `expected at most ${designLimits.per_account} designs per account`, 'too_long');
      }
      return { ...own(await findListed(account_id, api_id)), ...design };
    },

    async get(account_id, api_id) {
      const draft = await findDraft(account_id, api_id);
      return joinObjects(JSON.stringify(own(draft)), draft.content);
    },

    async list(account_id, page) {
      const { items, ...more } = await records.list(account_id, page);
      const listed = items.map((draft) => ({ ...own(draft), api_stub: draft.api_stub, ...summaryOf(draft) }));
      return { items: listed, ...more };
    },

    async change(account_id, api_id, body) {
      const change = readWhole(DesignChange, body);
      return rewrite(account_id, api_id, (design) => parse(Design, changed(design, change)));
    },

    async restore(account_id, api_id, body) {
      const { version, api_stub = (await findListed(account_id, api_id)).api_stub } = parse(RestoreVersion, body);
      const found = await atNumber(api_stub, version);
      if (found?.account_id !== account_id) throw notPublishedBy(api_stub, version);
      const restored = await thaw(found);
      return rewrite(account_id, api_id, (design) => ({ ...restored, api_stub: design.api_stub }));
    },

    async retire(account_id, api_stub, version, body) {
      const { retired } = parse(ListingChange, body);
      const isNumber = version >= 1 && version <= maxVersion;
      const found = isNumber ? await records.retire(account_id, api_stub, version, retired ? now() : null) : undefined;
      if (found === undefined) throw notPublishedBy(api_stub, version);
      return { api_stub, version, ...(found.retired_at === null ? {} : { retired_at: found.retired_at }) };
    },

    async remove(account_id, api_id) {
      if (!(await records.remove(account_id, api_id))) await findListed(account_id, api_id);
    },

    async publish(account_id, api_id, run) {
      const design = designOf(await findDraft(account_id, api_id));
      const { api_stub } = design;
      const holder = await records.shown(api_stub);
      if (holder !== undefined && holder.account_id !== account_id) throw stubPublished(api_stub);
      const examples = await runExamples(design, run);
      // It may have been deleted while its examples ran.
      await findListed(account_id, api_id);
      const frozen = await freeze(design);
      const published_at = now();
      const version = await records.publish({ api_stub, api_id, account_id, ...frozen, published_at }, (before) =>
        changesFrom(before, design).catch((error) => {
          onFault(error);
          return '[]';
        }),
      );
      if (version === undefined) throw stubPublished(api_stub);
      return { api_stub, version, content_hash: frozen.content_hash, published_at, examples };
    },

    async versionsOf(account_id, api_id, page) {
      const { items, ...more } = await records.versionsOf(account_id, api_id, page);
      if (items.length === 0) await findListed(account_id, api_id);
      return { items: await onlyIntact(items), ...more };
    },

    versions: (api_stub, page) => records.versions(api_stub, page),

    async browse(query, page) {
      const words = searchable(query)
        .split(/\s+/)
        .filter((word) => word !== '');
      const { items, ...more } = await records.browse(words, page);
      return { items: items.map((version) => ({ ...version, ...summaryOf(version) })), ...more };
    },

    async shown(api_stub) {
      const version = await records.shown(api_stub);
      if (version === undefined) throw notPublished(api_stub);
      return { ...version, ...summaryOf(version) };
    },

    published,

    async buildRun(account_id, name, inputs, at) {
      const [design, api, owner] = await resolveName(account_id, name);
      return { ...buildApiRun(design, api, inputs, at), ...owner };
    },

    async buildRunOfText(account_id, name, text, at) {
      const [design, api, owner] = await resolveName(account_id, name);
      return { ...buildApiRun(design, api, inputsOfText(design, text, at), at), ...owner };
    },
  };
}

/** Also refuses a field named `__proto__`, which the schema would silently ignore. */
function readWhole<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = parse(schema, body);
  const proto = protoField(body);
  if (proto !== undefined) throw invalid(['body', ...proto], 'expected no field of this name', 'extra_forbidden');
  return read;
}

function textsOf(design: Design): Pick<Draft, 'api_stub' | 'content' | 'summary'> {
  return { api_stub: design.api_stub, content: JSON.stringify(design), summary: summarize(design) };
}

function designOf({ content }: Pick<Draft, 'content'>): Design {
  return JSON.parse(content) as Design;
}

function summaryOf({ summary }: Pick<Draft, 'summary'>): Summary {
  return JSON.parse(summary) as Summary;
}

/** The fields of a DesignRecord that the design itself does not have. */
function own({ api_id, created_at, updated_at, published_version }: ListedDraft) {
  return { api_id, created_at, updated_at, ...(published_version === null ? {} : { published_version }) };
}

/** The design with the changed fields; `null` removes one. */
function changed(design: Design, change: DesignChange): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...design, ...change }).filter(([, value]) => value !== null));
}

function notPublished(api_stub: string, number?: number): AppError {
  const which = number === undefined ? 'published API' : `version ${number} of a published API`;
  return new AppError('not_found', `There is no ${which} ${JSON.stringify(api_stub)}.`);
}

function allRetired(api_stub: string): AppError {
  const shown = JSON.stringify(api_stub);
  return new AppError(
    'not_found',
    `Every version of ${shown} is retired; each still runs by its number, as /v{version}.`,
  );
}

function notPublishedBy(api_stub: string, version: number): AppError {
  const message = `There is no version ${version} of ${JSON.stringify(api_stub)} that this account has published.`;
  return new AppError('not_found', message);
}

function stubTaken(api_stub: string): AppError {
  const msg = `expected a stub that no other design of the account has; got ${JSON.stringify(api_stub)}`;
  return invalid(['body', 'api_stub'], msg, 'value_error');
}

function stubPublished(api_stub: string): AppError {
  const msg = `expected a stub that nobody else has published; got ${JSON.stringify(api_stub)}`;
  return invalid(['body', 'api_stub'], msg, 'value_error');
}

/** ISO 8601 times that increase with every call, so that listings by time are in order of creation. */
function createClock(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last).toISOString();
  };
}
