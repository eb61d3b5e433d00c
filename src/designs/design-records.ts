/**
 * What is kept of designed APIs: drafts, which their owners change, and published versions, which nobody does. The store
 * implements this port; a version's first refusal to change is the database's own.
 *
 * Times are ISO 8601 in UTC, milliseconds. What a promise resolved for is on disk.
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
  /** The newest that its account has published under its stub; null for none. */
  readonly published_version: number | null;
}

export interface Version {
  readonly api_stub: string;
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly api_id: string;
  readonly account_id: string;
  /** The design as JSON, letter by letter as it was published. */
  readonly content: string;
  /** SHA-256 of `content` in UTF-8, hex. */
  readonly content_hash: string;
  readonly published_at: string;
  /** The name of the account. */
  readonly owner: string;
}

/** `cursor` is one that a page gave; an unknown one gives the first page. */
export interface PageQuery {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Gives the next page; absent on the last one. */
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
  /** Keeps the draft in place of the revision before it: `stale` when that is not there any more. */
  change(draft: Draft): Promise<'changed' | 'stale' | 'stub_taken'>;
  /** Gives false where there is none. Published versions stay. */
  remove(account_id: string, api_id: string): Promise<boolean>;

  /**
   * Keeps it as the next version of its stub and gives its number; undefined when the stub is another account's. Two at
   * once get two numbers, and no number is left out.
   */
  publish(version: Omit<Version, 'version' | 'owner'> & { readonly words: string }): Promise<number | undefined>;
  version(api_stub: string, version: number): Promise<Version | undefined>;
  newest(api_stub: string): Promise<Version | undefined>;
  /** Of a stub, newest first. */
  versions(api_stub: string, page: PageQuery): Promise<Page<Version>>;
  /** Those that the account published from this draft, newest first, under whatever stubs it had. */
  versionsOf(account_id: string, api_id: string, page: PageQuery): Promise<Page<Version>>;
  /** The newest version of each stub whose `words` hold each of these, published last first. */
  browse(words: readonly string[], page: PageQuery): Promise<Page<Version>>;
}
