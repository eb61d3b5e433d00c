/**
 * The records of designed APIs: drafts, which their owners edit, and published versions, which are immutable. The store
 * implements this port; the database itself refuses changes to a version.
 *
 * Times are ISO 8601 in UTC with milliseconds. When a promise resolves, the change is on disk.
 */

export interface Draft {
  readonly api_id: string;
  readonly account_id: string;
  readonly api_stub: string;
  /** The design as JSON. */
  readonly content: string;
  /** What lists show of the design, as JSON: an object with `name` and `description`. */
  readonly summary: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface KeptDraft extends Draft {
  /** The newest version that its account has published under its stub; null if none. */
  readonly published_version: number | null;
}

/** A draft without its document, which may take a megabyte. */
export type ListedDraft = Omit<KeptDraft, 'content'>;

/** A version without its document. */
export interface ListedVersion {
  readonly api_stub: string;
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly api_id: string;
  readonly account_id: string;
  /** SHA-256 of the content in UTF-8, hex. */
  readonly content_hash: string;
  /** As for a draft. */
  readonly summary: string;
  readonly published_at: string;
  /** The name of the account. */
  readonly owner: string;
  /** When its account stopped offering it; null while it is offered. Kept apart from the version, which never changes. */
  readonly retired_at: string | null;
}

export interface Version extends ListedVersion {
  /** The design as JSON, byte for byte as it was published. */
  readonly content: string;
}

/** What callers are shown of a version, derived from its design when it was published. */
export interface ShownVersion extends ListedVersion {
  /** JSON: an object with `inputs` and `output_format`. */
  readonly interface: string;
  /** The inputs of the design's first example as JSON; null if it has none. */
  readonly example: string | null;
  /** Its changes from the version before it, as JSON: a list of VersionChange. */
  readonly changes: string;
}

export interface NewVersion extends Omit<Version & ShownVersion, 'version' | 'owner' | 'retired_at' | 'changes'> {
  /** The text that browsing searches, lower case. */
  readonly words: string;
}

/** `cursor` comes from the page before, and is undefined for the first; an invalid one is refused with a `validation_error`. */
export interface ListPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string;
}

export interface DesignRecords {
  /**
   * Adds nothing if the account has a draft with this stub, or `max` drafts already. Holds when many are added at the same
   * time, from several processes.
   */
  add(draft: Draft, max: number): Promise<'added' | 'stub_taken' | 'full'>;
  get(account_id: string, api_id: string): Promise<KeptDraft | undefined>;
  byStub(account_id: string, api_stub: string): Promise<KeptDraft | undefined>;
  /** The draft as lists show it. */
  listed(account_id: string, api_id: string): Promise<ListedDraft | undefined>;
  /** Newest first. */
  list(account_id: string, page: ListPage): Promise<Page<ListedDraft>>;
  /** Replaces the previous revision of the draft; `stale` if that is no longer the newest. */
  change(draft: Draft): Promise<'changed' | 'stale' | 'stub_taken'>;
  /** Resolves with false if there is none. Published versions stay. */
  remove(account_id: string, api_id: string): Promise<boolean>;

  /**
   * Adds the next version of its stub and resolves with its number; undefined if the stub belongs to another account.
   * Concurrent calls get different numbers, without gaps. `changesSince` returns the `changes` from the version before it,
   * undefined for the first one.
   */
  publish(
    version: NewVersion,
    changesSince: (before: Version | undefined) => Promise<string>,
  ): Promise<number | undefined>;
  /** The account that has published under the stub, even if it is suspended. */
  holderOf(api_stub: string): Promise<string | undefined>;
  /** Under how many stubs the account has published. */
  countStubs(account_id: string): Promise<number>;
  version(api_stub: string, version: number): Promise<Version | undefined>;
  /** The newest version that is offered: not retired. */
  newest(api_stub: string): Promise<Version | undefined>;
  /** The newest offered version as callers are shown it; the newest of all where every one is retired. */
  shown(api_stub: string): Promise<ShownVersion | undefined>;
  /** The versions of a stub, newest first. */
  versions(api_stub: string, page: ListPage): Promise<Page<ShownVersion>>;
  /** The versions that the account published from this draft, newest first, under all stubs it has had. */
  versionsOf(account_id: string, api_id: string, page: ListPage): Promise<Page<Version>>;
  /**
   * Retires a version of the account at this time, or offers it again with null. Resolves with the time since when it is retired,
   * which a second call does not change, and with undefined if the account has published no such version.
   */
  retire(
    account_id: string,
    api_stub: string,
    version: number,
    retired_at: string | null,
  ): Promise<{ readonly retired_at: string | null } | undefined>;
  /** The newest offered version of each stub whose `words` contain all of these, most recently published first. */
  browse(words: readonly string[], page: ListPage): Promise<Page<ListedVersion>>;
}
