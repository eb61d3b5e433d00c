/**
 * Feedback: a thumb up or down for an answer or one of its citations. It is kept with a copy of what was rated, so that the list
 * of an account is a labelled set, and it is removed with its search.
 */
import {
  type Feedback,
  type FeedbackGiven,
  type FeedbackList,
  FeedbackListQuery,
  FeedbackRequest,
  structuredOutput,
  type TerminalEvent,
  type TextResult,
} from '../../protocol/index.ts';
import { preview } from '../../protocol/preview.ts';
import type { Caller } from '../access/identity.ts';
import { markOf } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import { invalid, parse } from '../base/errors.ts';
import { storeUnavailable } from '../base/store-unavailable.ts';
import type { FeedbackRecords } from '../runs/records/feedback-records.ts';
import type { Registry } from '../runs/registry.ts';
import type { BodyCall, Call, CallAccess, Query } from './calls.ts';
import { createCallerCounter } from './count-caller.ts';
import { findOwn, noSearch } from './searches/own-searches.ts';

export interface FeedbackCalls {
  /**
   * Rejects with 404 for a search that the account does not have, with 422 while it runs or for a citation that it does not have,
   * and with 503 while it is not stored.
   */
  giveFeedback(call: BodyCall, search_id: string): Promise<FeedbackGiven>;
  listFeedback(call: Call, query: Query): Promise<FeedbackList>;
}

export interface FeedbackParts {
  readonly access: CallAccess;
  readonly runs: Registry;
  readonly feedback: FeedbackRecords;
}

/** UTF-16 units of an answer that a rating keeps; set by hand, so that only the very longest are cut. */
const maxText = 20_000;

/** The calls need the scope `search`, and are counted with the reads or the writes. */
export function createFeedbackCalls({ access, runs, feedback }: FeedbackParts): FeedbackCalls {
  const countCaller = createCallerCounter(access, (caller) => checkScope(caller, 'search'));

  async function findEnded(caller: Caller, search_id: string) {
    const { run, record, waiting } = await findOwn(runs, caller, search_id);
    const terminal = record?.terminal ?? (run !== undefined && run.state() !== 'running' ? await run.done : undefined);
    if (terminal !== undefined) {
      const { prompts } = (record ?? run)!;
      return { terminal, models: terminal.usage.models, question: prompts.at(-1) ?? '' };
    }
    if (run === undefined && waiting === undefined) {
      throw noSearch(search_id);
    }
    throw invalid(['path', 'search_id'], 'expected a search that has ended; got one that is running', 'value_error');
  }

  return {
    async giveFeedback(call, search_id) {
      const caller = await countCaller(call, 'writes');
      const { account_id } = caller;
      const { rating, citation_id, comment } = parse(FeedbackRequest, await call.body());
      const given = { search_id, ...(citation_id === undefined ? {} : { citation_id }), rating };
      const { terminal, ...about } = await findEnded(caller, search_id);
      const rated = ratedPart(search_id, terminal, citation_id);
      if (rating === 'none') {
        await feedback.remove(account_id, search_id, citation_id);
        return given;
      }
      const isKept = await feedback.put(account_id, {
        ...given,
        rating,
        ...(comment ? { comment: comment.toWellFormed() } : {}),
        rated_at: new Date().toISOString(),
        ...about,
        ...rated,
      });
      if (isKept) return given;
      // It was removed meanwhile, unless it is still here.
      await findEnded(caller, search_id);
      throw storeUnavailable('The search is not stored yet; try again.');
    },

    async listFeedback(call, query) {
      const caller = await countCaller(call, 'reads');
      const { cursor, limit, search_id } = parse(FeedbackListQuery, query, 'query');
      const { items, ...next } = await feedback.list(caller.account_id, {
        cursor,
        limit,
        search_id,
        mark: markOf(caller),
      });
      return { items: [...items], ...next };
    },
  };
}

type Rated = Pick<
  Feedback,
  'status' | 'text' | 'quote' | 'url' | 'snapshot' | 'source_start' | 'source_end' | 'verdict'
>;

/** The part of the answer that a rating is about. Throws a 422 for a citation that the search does not have. */
function ratedPart(search_id: string, terminal: TerminalEvent, citation_id: string | undefined): Rated {
  const completed = terminal.type === 'search.completed' ? terminal : undefined;
  const { status } = completed ?? {};
  const about = status === undefined ? {} : { status };
  const answer = answerOf(search_id, terminal);
  if (citation_id === undefined) return { ...about, text: cut(answer) };
  const citations = completed?.citations ?? ('partial' in terminal ? (terminal.partial?.citations ?? []) : []);
  const found = citations.find(({ id }) => id === citation_id);
  if (found === undefined) {
    throw invalid(
      ['body', 'citation_id'],
      `expected a citation of this search; got ${preview(citation_id)}`,
      'value_error',
    );
  }
  const { path, start, end, quote, url, snapshot, source_start, source_end, verdict } = found;
  // An answer is one block.
  const text = path === undefined ? answer.slice(start, end) : `${path}: ${JSON.stringify(valueAt(answer, path))}`;
  const place = { quote, url, snapshot, source_start, source_end };
  return { ...about, text: cut(text), ...place, ...(verdict === undefined ? {} : { verdict }) };
}

function answerOf(search_id: string, terminal: TerminalEvent): string {
  if (terminal.type !== 'search.completed') return terminal.partial?.answer ?? '';
  const { result, evidence } = terminal;
  if (evidence === undefined) return (result as TextResult).answer;
  return JSON.stringify(structuredOutput(result, search_id));
}

/** The value at a JSON Pointer. */
function valueAt(json: string, path: string): unknown {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce<unknown>(
    (value, part) => (value as Record<string, unknown> | undefined)?.[part],
    JSON.parse(json),
  );
}

function cut(text: string): string {
  return text.slice(0, maxText).toWellFormed();
}
