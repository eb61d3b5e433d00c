/**
 * Ratings of answers and citations, each with a copy of what was rated. The store implements this port. They are removed with
 * their search: see `RunRecords`.
 */
import type { Feedback } from '../../../protocol/index.ts';

export interface FeedbackPage {
  readonly items: readonly Feedback[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string;
}

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface FeedbackRecords {
  /**
   * Keeps a rating, in place of an earlier one of the same answer or citation, if the account has a record of the search.
   * Resolves with whether it does; a search that is removed meanwhile leaves no rating.
   */
  put(account_id: string, feedback: Feedback): Promise<boolean>;
  /** Withdraws a rating; `citation_id` is undefined for that of the answer. Does nothing if there is none. */
  remove(account_id: string, search_id: string, citation_id: string | undefined): Promise<void>;
  /** Newest first. An invalid cursor is refused with a `validation_error`. */
  list(
    account_id: string,
    page: {
      readonly cursor: string | undefined;
      readonly limit: number;
      readonly search_id?: string | undefined;
      /** Only searches whose ids end with this mark: see access/restriction.ts. */
      readonly mark?: string | undefined;
    },
  ): Promise<FeedbackPage>;
}
