/**
 * The records of designed APIs: drafts, which their owners edit, and published versions, which are immutable. The store
 * implements this port; the database itself refuses changes to a version.
 *
 * Times are ISO 8601 in UTC with milliseconds. When a promise resolves, the change is on disk.
 */
import type { Design } from '../../protocol/index.ts';

export interface Draft {
  readonly api_id: string;
  readonly account_id: string;
  readonly design: Design;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface KeptDraft extends Draft {
  /** The newest version that its account has published under its stub; null if none. */
  readonly published_version: number | null;
}

export interface Version {
  readonly api_stub: string;
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly api_id: string;
  readonly account_id: string;
  /** The design as JSON, byte for byte as it was published. */
  readonly content: string;
  /** SHA-256 of `content` in UTF-8, hex. */
  readonly content_hash: string;
  readonly published_at: string;
  /** The name of the account. */
  readonly owner: string;
}

/** `cursor` comes from an earlier page; an invalid one returns the first page. */
export interface PageQuery {
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
  /** Newest first. */
  list(account_id: string, page: PageQuery): Promise<Page<KeptDraft>>;
  /** Replaces the previous revision of the draft; `stale` if that is no longer the newest. */
  change(draft: Draft): Promise<'changed' | 'stale' | 'stub_taken'>;
  /** Resolves with false if there is none. Published versions stay. */
  remove(account_id: string, api_id: string): Promise<boolean>;

  /**
   * Adds the next version of its stub and resolves with its number; undefined if the stub belongs to another account.
   * Concurrent calls get different numbers, without gaps.
   */
  publish(version: Omit<Version, 'version' | 'owner'> & { readonly words: string }): Promise<number | undefined>;
  version(api_stub: string, version: number): Promise<Version | undefined>;
  newest(api_stub: string): Promise<Version | undefined>;
  /** The versions of a stub, newest first. */
  versions(api_stub: string, page: PageQuery): Promise<Page<Version>>;
  /** The versions that the account published from this draft, newest first, under all stubs it has had. */
  versionsOf(account_id: string, api_id: string, page: PageQuery): Promise<Page<Version>>;
  /** The newest version of each stub whose `words` contain all of these, most recently published first. */
  browse(words: readonly string[], page: PageQuery): Promise<Page<Version>>;
}
