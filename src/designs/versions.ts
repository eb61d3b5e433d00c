/**
 * The published versions of designed APIs: immutable, numbered, and offered to everyone until their account retires them.
 * Publishing runs the examples through a function that it is passed; nothing here runs an API.
 */
import {
  type Design,
  type DesignRecord,
  designLimits,
  ListingChange,
  RestoreVersion,
  type VersionListing,
  type VersionPublished,
} from '../../protocol/index.ts';
import { parse } from '../base/errors.ts';
import { allRetired, notPublished, notPublishedBy, stubPublished, tooManyPublished } from './design-errors.ts';
import type { DesignRecords, ListedVersion, ListPage, Page, ShownVersion, Version } from './design-records.ts';
import type { DraftAccess } from './drafts.ts';
import { changesFrom, freeze, readSummary, type Summary, searchable, thaw, verify } from './freeze.ts';
import { type RunExample, runExamples } from './run-examples.ts';

export interface PublishedVersion extends Version {
  readonly design: Design;
}

export interface VersionCalls {
  /** Runs the draft's examples and publishes it. Rejects with a 422 that lists the examples that failed. */
  publish(account_id: string, api_id: string, run: RunExample): Promise<VersionPublished>;
  /** The versions published from a draft of the account, newest first, even after the draft was deleted. */
  versionsOf(account_id: string, api_id: string, page: ListPage): Promise<Page<Version>>;
  /** The versions of a stub, newest first. */
  versions(api_stub: string, page: ListPage): Promise<Page<ShownVersion>>;
  browse(query: string, page: ListPage): Promise<Page<ListedVersion & Summary>>;
  /** Replaces the draft with a version that the account has published, under the stub of the draft. Rejects with 404 or 422. */
  restore(account_id: string, api_id: string, body: unknown): Promise<DesignRecord>;
  /** Retires a version that the account has published, or offers it again. Rejects with 404 or 422. */
  retire(account_id: string, api_stub: string, version: number, body: unknown): Promise<VersionListing>;
  /** The newest offered version, or the newest of all if every one is retired, without its document. Rejects with 404. */
  shown(api_stub: string): Promise<ShownVersion & Summary>;
  /** The newest offered version unless a number is given. Rejects with 404. */
  published(api_stub: string, version?: number): Promise<PublishedVersion>;
}

/** The largest integer of the column; databases fail on larger ones instead of finding nothing. */
const maxVersion = 2 ** 31 - 1;

/** `onFault` is called for versions that are omitted because their content does not match its hash. */
export function createVersions(parts: {
  readonly records: DesignRecords;
  readonly drafts: DraftAccess;
  readonly now: () => string;
  readonly onFault: (error: unknown) => void;
}): VersionCalls {
  const { records, drafts, now, onFault } = parts;

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

  async function onlyIntact(versions: readonly Version[]): Promise<Version[]> {
    const intact: Version[] = [];
    for (const version of versions) {
      await verify(version).then(() => intact.push(version), onFault);
    }
    return intact;
  }

  return {
    async restore(account_id, api_id, body) {
      const { version, api_stub = (await drafts.findListed(account_id, api_id)).api_stub } = parse(
        RestoreVersion,
        body,
      );
      const found = await atNumber(api_stub, version);
      if (found?.account_id !== account_id) throw notPublishedBy(api_stub, version);
      const restored = await thaw(found);
      return drafts.rewrite(account_id, api_id, (design) => ({ ...restored, api_stub: design.api_stub }));
    },

    async retire(account_id, api_stub, version, body) {
      const { retired } = parse(ListingChange, body);
      const isNumber = version >= 1 && version <= maxVersion;
      const found = isNumber ? await records.retire(account_id, api_stub, version, retired ? now() : null) : undefined;
      if (found === undefined) throw notPublishedBy(api_stub, version);
      return { api_stub, version, ...(found.retired_at === null ? {} : { retired_at: found.retired_at }) };
    },

    async publish(account_id, api_id, run) {
      const design = await drafts.designOf(account_id, api_id);
      const { api_stub } = design;
      const holder = await records.holderOf(api_stub);
      if (holder !== undefined && holder !== account_id) throw stubPublished(api_stub);
      const isFull = async () => (await records.countStubs(account_id)) >= designLimits.published_per_account;
      if (holder === undefined && (await isFull())) throw tooManyPublished();
      const examples = await runExamples(design, run);
      // It may have been deleted while its examples ran.
      await drafts.findListed(account_id, api_id);
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
      if (items.length === 0) await drafts.findListed(account_id, api_id);
      return { items: await onlyIntact(items), ...more };
    },

    versions: (api_stub, page) => records.versions(api_stub, page),

    async browse(query, page) {
      const words = searchable(query)
        .split(/\s+/)
        .filter((word) => word !== '');
      const { items, ...more } = await records.browse(words, page);
      return { items: items.map((version) => ({ ...version, ...readSummary(version) })), ...more };
    },

    async shown(api_stub) {
      const version = await records.shown(api_stub);
      if (version === undefined) throw notPublished(api_stub);
      return { ...version, ...readSummary(version) };
    },

    published,
  };
}
