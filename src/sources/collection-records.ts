/** The port to what the store keeps of collections. Every lookup includes the account: another account's does not exist. */

export interface StoredCollection {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  /** Names in the index, sorted. A source may be gone. */
  readonly sources: readonly string[];
  /** ISO 8601 with milliseconds. */
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CollectionChanges {
  readonly name?: string | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
  /** In place of what it has. */
  readonly sources?: readonly string[] | undefined;
  readonly updated_at: string;
}

/** Why nothing was changed: there is no such collection, another one has the name, or there would be too many. */
export type CollectionRefusal = 'unknown' | 'name_taken' | 'too_many' | 'too_many_sources';

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface CollectionRecords {
  /** By name. */
  list(account_id: string): Promise<StoredCollection[]>;
  /** Adds it unless the account has `max`, counted over all processes. Names differ in more than case. */
  add(collection: StoredCollection, max: number): Promise<CollectionRefusal | 'added'>;
  /** Makes all changes together, unless it would have more than `maxSources`. */
  change(
    account_id: string,
    id: string,
    changes: CollectionChanges,
    maxSources: number,
  ): Promise<CollectionRefusal | StoredCollection>;
  /** Resolves with whether there was one. */
  remove(account_id: string, id: string): Promise<boolean>;
  /** Takes a source that is gone out of every collection. */
  forgetSource(source: string): Promise<void>;
}
