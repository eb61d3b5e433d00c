/** Designed and published APIs, and collections of sources. */

export interface DesignTables {
  designs: {
    api_id: string;
    account_id: string;
    api_stub: string;
    /** The design as JSON. */
    design: string;
    /** What lists show of it, as JSON. */
    summary: string;
    revision: number;
    created_at: string;
    updated_at: string;
  };
  /** Rows are only ever added. */
  api_versions: {
    api_stub: string;
    version: number;
    api_id: string;
    account_id: string;
    content: string;
    content_hash: string;
    /** The text that browsing searches, lower case. */
    words: string;
    published_at: string;
    /** What lists and descriptions show of it; each is JSON: see ShownVersion. */
    summary: string;
    interface: string;
    example: string | null;
    changes: string;
  };
  /** A row for each version that is no longer offered. */
  retired_versions: {
    api_stub: string;
    version: number;
    retired_at: string;
  };
  collections: {
    id: string;
    account_id: string;
    name: string;
    /** The name in lower case, which is unique in the account. */
    name_key: string;
    created_at: string;
    updated_at: string;
  };
  collection_sources: {
    collection_id: string;
    /** Its name in the index. */
    source: string;
  };
}
