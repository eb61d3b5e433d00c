/**
 * `RunRecords` in memory, for a process that keeps nothing. Passes the same tests as those in a database. It knows no
 * background runs, so it accepts the record of one from any owner.
 */
import { outcomeOf } from '../../../protocol/index.ts';
import { searchedText } from '../../base/text/searched-text.ts';
import { dayMs } from '../../base/values/day.ts';
import { readCursor, writeCursor } from '../../base/values/page-cursor.ts';
import type { RunFilter, RunRecord, RunRecords, RunSummary } from './run-records.ts';

/** Keeps the newest `max` searches, and remembers as many that were removed. */
export function createMemoryRunRecords(max = 1_000): RunRecords {
  const records = new Map<string, RunRecord>();
  const removed = new Set<string>();
  const chats = new Map<string, { readonly search_id: string; readonly updated_at: string }>();
  const dropOldest = (from: Set<string> | Map<string, unknown>) => {
    const oldest = from.keys().next().value;
    if (from.size > max && oldest !== undefined) from.delete(oldest);
  };
  const newestFirst = (account_id: string) =>
    [...records.values()].reverse().filter((record) => record.account_id === account_id);
  return {
    async save(record, after) {
      await after;
      const before = records.get(record.search_id);
      if (before !== undefined) return before.state === record.state ? undefined : before.state;
      if (removed.has(record.search_id)) return undefined;
      records.set(record.search_id, record);
      dropOldest(records);
      return undefined;
    },
    async get(account_id, search_id) {
      const record = records.get(search_id);
      return record?.account_id === account_id ? record : undefined;
    },
    async byIdempotencyKey(account_id, key) {
      const dayAgo = new Date(Date.now() - dayMs).toISOString();
      return newestFirst(account_id).find(({ idempotency, ended_at }) => idempotency?.key === key && ended_at > dayAgo);
    },
    async list(account_id, { cursor, limit, ...filter }) {
      const all = newestFirst(account_id).filter((record) => matches(record, filter));
      const [after] = cursor === undefined ? [] : readCursor(cursor, ['string']);
      const from = after === undefined ? 0 : all.findIndex(({ search_id }) => search_id === after) + 1;
      const items = all.slice(from, from + limit).map(summaryOf);
      const last = items.at(-1);
      return {
        items,
        ...(from + limit < all.length && last !== undefined ? { cursor: writeCursor([last.search_id]) } : {}),
      };
    },
    async continueChat(account_id, chat_id, search_id) {
      chats.set(JSON.stringify([account_id, chat_id]), { search_id, updated_at: new Date().toISOString() });
    },
    async lastOfChat(account_id, chat_id) {
      return chats.get(JSON.stringify([account_id, chat_id]))?.search_id;
    },
    async remove(account_id, search_id) {
      const record = records.get(search_id);
      if (record !== undefined && record.account_id !== account_id) return;
      records.delete(search_id);
      removed.add(search_id);
      dropOldest(removed);
    },
    async newestEnd() {
      return [...records.values()]
        .map(({ ended_at }) => ended_at)
        .sort()
        .at(-1);
    },
    async removeBefore(ended_at, max) {
      for (const [key, { updated_at }] of chats) if (updated_at < ended_at) chats.delete(key);
      const old = [...records.values()]
        .filter((record) => record.ended_at < ended_at)
        .sort((a, b) => (a.ended_at < b.ended_at ? -1 : 1));
      for (const { search_id } of old.slice(0, max)) records.delete(search_id);
      return old.length > max;
    },
  };
}

function matches(record: RunRecord, { outcome, key_id, channel, since, until, words = [], mark }: RunFilter): boolean {
  const { status } = outcomeOf(record.terminal);
  const text = searchedText(record.prompts.at(-1));
  return (
    (outcome === undefined || outcome === (status ?? record.state)) &&
    (key_id === undefined || key_id === record.key_id) &&
    (channel === undefined || channel === record.channel) &&
    (since === undefined || record.ended_at >= since) &&
    (until === undefined || record.ended_at < until) &&
    (mark === undefined || record.search_id.endsWith(mark)) &&
    words.every((word) => text.includes(word))
  );
}

function summaryOf(record: RunRecord): RunSummary {
  const { search_id, created_at, ended_at, state, mode, door, channel, key_id, prompts } = record;
  return {
    ...{ search_id, created_at, ended_at, state, mode, door, prompts },
    ...(channel === undefined ? {} : { channel }),
    ...(key_id === undefined ? {} : { key_id }),
    ...outcomeOf(record.terminal),
  };
}
