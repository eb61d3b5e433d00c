/** How a search is shown to its account: its record, and its item in the list of searches. */
import type { SearchList, SearchListQuery, SearchRecord, TerminalEvent } from '../../../protocol/index.ts';
import { sessionKeyId } from '../../access/browser/session-key.ts';
import { priceOf } from '../../access/usage/usage.ts';
import type { ModelPrices } from '../../base/settings/quota-settings.ts';
import type { ShownBackgroundRun } from '../../runs/records/background-records.ts';
import type { RunRecord, RunSummary } from '../../runs/records/run-records.ts';
import type { Run } from '../../runs/run.ts';

/** The `key_id` shown for searches made in a browser. */
const browserKey = 'browser';

/** A search that exists: its run while its log is kept, else what was recorded of it. */
export type FoundLog =
  | { readonly run: Run; readonly record?: undefined; readonly waiting?: undefined }
  | { readonly run?: undefined; readonly record: RunRecord; readonly waiting?: undefined };

/** The same, or a background search whose log cannot be read now. */
export type FoundSearch =
  | FoundLog
  | { readonly run?: undefined; readonly record?: undefined; readonly waiting: ShownBackgroundRun };

/** The search as `GET /v1/search/{search_id}` returns it. `head_seq` is there while its events can be read. */
export function describeSearch({ run, record, waiting }: FoundSearch): SearchRecord {
  if (waiting !== undefined) return { ...identify(waiting), state: 'running', ...doing(waiting) };
  if (run === undefined) return { ...identify(record), state: record.state, ...resultOf(record.terminal) };
  return { ...identify(run), state: run.state(), head_seq: run.log.head(), ...resultOf(run.log.terminal()) };
}

/** The filter for the query of `GET /v1/search`. */
export function filterOf(account_id: string, { state: _, cursor, key_id, since, until, q, ...page }: SearchListQuery) {
  const time = (given: string | undefined) => given && new Date(given).toISOString();
  return {
    ...page,
    cursor,
    key_id: key_id === browserKey ? sessionKeyId(account_id) : key_id,
    since: time(since),
    until: time(until),
    words: q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [],
  };
}

/** The search as an item of `GET /v1/search`. */
export function summarizeSearch(
  account_id: string,
  { prompts, key_id, channel, ...item }: RunSummary,
): SearchList['items'][number] {
  const key = key_id === undefined ? {} : { key_id: key_id === sessionKeyId(account_id) ? browserKey : key_id };
  return { ...item, ...key, ...(channel === undefined ? {} : { channel }), prompt: prompts.at(-1) ?? '' };
}

/** A background search that runs as an item of `GET /v1/search?state=running`. */
export function summarizeWaiting(waiting: ShownBackgroundRun): SearchList['items'][number] {
  const { mode, door, attempt } = waiting;
  return { ...identify(waiting), state: 'running', mode, door, attempt, ...doing(waiting) };
}

/** The cost of its tokens, at current prices; empty while it runs, or without prices. */
export function costOf({ usage }: SearchRecord, prices: ModelPrices | undefined): Pick<SearchRecord, 'cost'> {
  if (usage === undefined || prices === undefined) return {};
  return { cost: { amount: priceOf(prices, usage.tokens_in, usage.tokens_out), currency: prices.currency } };
}

function identify({ search_id, created_at, prompts, attempt }: Run | RunRecord | ShownBackgroundRun) {
  const about = { search_id, prompt: prompts.at(-1) ?? '', created_at };
  return attempt === undefined ? about : { ...about, attempt };
}

function doing({ progress }: ShownBackgroundRun) {
  return progress === undefined ? {} : { progress };
}

/** The fields of the terminal event except its type; none while the search runs. */
function resultOf(terminal: TerminalEvent | undefined) {
  const { type: _, ...result } = terminal ?? {};
  return result;
}
