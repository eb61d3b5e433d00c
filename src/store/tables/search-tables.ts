/** Searches that have ended or continue in the background, their ratings, and the conversations that they are part of. */

import type { AnswerStatus, SearchChannel } from '../../../protocol/index.ts';
import type { RunRecord } from '../../runs/records/run-records.ts';

export interface SearchTables {
  runs: {
    search_id: string;
    account_id: string;
    created_at: string;
    ended_at: string;
    /** `removed` keeps the place of a search that its account removed, without its content: it must not be saved again. */
    state: RunRecord['state'] | 'removed';
    mode: RunRecord['mode'];
    door: RunRecord['door'];
    channel: SearchChannel | null;
    key_id: string | null;
    /** The status of the answer; null if there is none, as for searches of earlier versions. */
    status: AnswerStatus | null;
    /** Why it failed. */
    error_code: string | null;
    /** The text that is searched: the prompt, truncated, lower case. */
    words: string | null;
    engine: string;
    /** A JSON array. */
    prompts: string;
    /** The terminal event as JSON. */
    terminal: string;
    /** A JSON array of steps; null in records of earlier versions. */
    steps: string | null;
    /** What its protocol repeats of the request, as JSON. */
    echoed: string | null;
    idempotency_key: string | null;
    idempotency_hash: string | null;
    /** Of a background run: how many times it was started. */
    attempt: number | null;
  };
  background_runs: {
    search_id: string;
    account_id: string;
    created_at: string;
    mode: RunRecord['mode'];
    door: RunRecord['door'];
    idempotency_key: string | null;
    idempotency_hash: string | null;
    attempt: number;
    /** How many of its owners died after they had begun it. */
    deaths: number;
    /** Whether its owner has begun it, 0 or 1. */
    has_begun: number;
    /** The process that runs it; null if it stopped properly. */
    owner: string | null;
    lease_until: string;
    /** 0 or 1. */
    is_cancelled: number;
    progress: string | null;
    /** A JSON array. */
    prompts: string;
    /** What is needed to begin it again, as JSON. */
    input: string;
    /** As in `runs`. */
    echoed: string | null;
  };
  feedback: {
    account_id: string;
    search_id: string;
    /** Empty for the answer. */
    citation_id: string;
    rated_at: string;
    /** A Feedback as JSON. */
    content: string;
  };
  chats: {
    account_id: string;
    chat_id: string;
    search_id: string;
    updated_at: string;
  };
  threads: {
    thread_id: string;
    account_id: string;
    title: string;
    /** 0 or 1. */
    is_named: number;
    is_pinned: number;
    turns: number;
    created_at: string;
    updated_at: string;
    /** The text that is searched: the questions and the title, lower case. */
    words: string;
    title_words: string;
  };
  thread_turns: {
    search_id: string;
    thread_id: string;
    account_id: string;
    previous_search_id: string | null;
    created_at: string;
    /** 0 or 1. */
    has_image: number;
    /** As JSON. */
    request: string;
  };
  thread_shares: {
    thread_id: string;
    hash: string;
    created_at: string;
    expires_at: string;
    /** A JSON array. */
    snapshots: string;
    content: string;
  };
}
