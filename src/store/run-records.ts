/**
 * `RunRecords` in SQL. Records that arrive during a commit are written together in the next one, so a busy server does
 * not need a commit per search.
 */
import type { Insertable, Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import { outcomeOf, type TerminalEvent } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import { searchedText } from '../base/text/searched-text.ts';
import type { RecordedStep, RunFilter, RunRecord, RunRecords } from '../runs/run-records.ts';
import { containing } from './containing.ts';
import { type LargeColumn, readPage } from './keyset-page.ts';
import { marked } from './marked.ts';
import type { Tables } from './tables/tables.ts';
import { findReceivers, queueWebhooks } from './webhooks/queue-webhooks.ts';

interface Waiting {
  readonly record: RunRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/** Set by hand; below the parameter limits of both databases. */
const rowsPerStatement = 200;

const listedColumns = [
  'search_id',
  'created_at',
  'ended_at',
  'state',
  'mode',
  'door',
  'channel',
  'key_id',
  'status',
  'error_code',
  'prompts',
] as const;

/** A hundred prompts of 2,600 characters; set by hand. */
const prompts: LargeColumn = { name: 'prompts', maxBytes: 256 * 1024 };

/** Over the table `runs`; `onQueued` is called when webhooks were queued with records. */
export function createRunRecords(db: Kysely<Tables>, onQueued: () => void): RunRecords {
  const waiting: Waiting[] = [];
  let writing = false;

  /** Returns those that were not there yet. */
  async function insertRows(into: Kysely<Tables>, records: readonly RunRecord[]): Promise<RunRecord[]> {
    const rows = await into
      .insertInto('runs')
      .values(records.map(toRow))
      .onConflict((conflict) => conflict.column('search_id').doNothing())
      .returning('search_id')
      .execute();
    const inserted = new Set(rows.map(({ search_id }) => search_id));
    return records.filter(({ search_id }) => inserted.has(search_id));
  }

  async function insert(batch: readonly Waiting[]): Promise<void> {
    const records = batch.map(({ record }) => record);
    const receivers = await findReceivers(db, records);
    if (receivers === undefined) await insertRows(db, records);
    else {
      const queued = await db
        .transaction()
        .execute(async (trx) => queueWebhooks(trx, await insertRows(trx, records), receivers));
      if (queued) onQueued();
    }
    for (const { resolve } of batch) resolve();
  }

  /** Isolates a record that the database refuses, so the others in its batch are saved. */
  async function insertOrRefuse(batch: readonly Waiting[]): Promise<void> {
    try {
      await insert(batch);
    } catch (error) {
      if (batch.length === 1 || error instanceof AppError) for (const { reject } of batch) reject(error);
      else for (const each of batch) await insertOrRefuse([each]);
    }
  }

  /** Saves the record of a background run together with its end, unless another process has taken it over or it was removed. */
  async function end(record: RunRecord, attempt: number): Promise<void> {
    const receivers = await findReceivers(db, [record]);
    const queued = await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('background_runs')
        .where('search_id', '=', record.search_id)
        .where('owner', '=', record.owner ?? '')
        .where('attempt', '=', attempt)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      return queueWebhooks(trx, await insertRows(trx, [record]), receivers);
    });
    if (queued) onQueued();
  }

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await insertOrRefuse(waiting.splice(0, rowsPerStatement));
    writing = false;
  }

  return {
    save(record) {
      if (record.attempt !== undefined) return end(record, record.attempt);
      return new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject });
        if (!writing) void write();
      });
    },

    async get(account_id, search_id) {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('search_id', '=', search_id)
        .where('account_id', '=', account_id)
        .where('state', '<>', 'removed')
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async byIdempotencyKey(account_id, key) {
      const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('idempotency_key', '=', key)
        .where('ended_at', '>', dayAgo)
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async list(account_id, { cursor, limit, ...filter }) {
      const mine = filtered(
        db
          .selectFrom('runs')
          .select(listedColumns)
          .where('account_id', '=', account_id)
          .where('state', '<>', 'removed'),
        filter,
      );
      const page = { cursor, limit };
      const { rows, more } = await readPage(mine, { ended_at: 'string', search_id: 'string' }, page, prompts);
      const items = rows.map(({ state, prompts, ...row }) => {
        return { ...known(row), state: state as RunRecord['state'], prompts: JSON.parse(prompts) as string[] };
      });
      return { items, ...more };
    },

    async continueChat(account_id, chat_id, search_id) {
      const change = { search_id, updated_at: new Date().toISOString() };
      await db
        .insertInto('chats')
        .values({ account_id, chat_id, ...change })
        .onConflict((conflict) => conflict.columns(['account_id', 'chat_id']).doUpdateSet(change))
        .execute();
    },

    async lastOfChat(account_id, chat_id) {
      const row = await db
        .selectFrom('chats')
        .select('search_id')
        .where('account_id', '=', account_id)
        .where('chat_id', '=', chat_id)
        .executeTakeFirst();
      return row?.search_id;
    },

    async remove(account_id, search_id) {
      const nothing = {
        prompts: '[]',
        words: null,
        terminal: '{}',
        steps: null,
        idempotency_key: null,
        idempotency_hash: null,
      };
      const now = new Date().toISOString();
      const change = { ...nothing, state: 'removed', ended_at: now } as const;
      await db
        .deleteFrom('webhook_deliveries')
        .where('account_id', '=', account_id)
        .where('state', '=', 'pending')
        .where('search_id', '=', search_id)
        .where('tries', '=', 0)
        .execute();
      await db.deleteFrom('feedback').where('account_id', '=', account_id).where('search_id', '=', search_id).execute();
      await db
        .insertInto('runs')
        .values({ search_id, account_id, created_at: now, mode: 'text', door: 'native', engine: '', ...change })
        .onConflict((conflict) =>
          conflict.column('search_id').doUpdateSet(change).where('runs.account_id', '=', account_id),
        )
        .execute();
    },

    async removeBefore(ended_at, limit) {
      const oldChats = db.selectFrom('chats').select('updated_at').where('updated_at', '<', ended_at);
      const last = await oldChats
        .orderBy('updated_at')
        .offset(limit - 1)
        .limit(1)
        .executeTakeFirst();
      const chats = db.deleteFrom('chats').where('updated_at', '<', ended_at);
      await (last === undefined ? chats : chats.where('updated_at', '<=', last.updated_at)).execute();
      const old = db.selectFrom('runs').select('search_id').where('ended_at', '<', ended_at).orderBy('ended_at');
      await db.deleteFrom('feedback').where('search_id', 'in', old.limit(limit)).execute();
      await db.deleteFrom('runs').where('search_id', 'in', old.limit(limit)).execute();
      // The count of deleted rows would not do: another process may have deleted some of them.
      const left = await Promise.all([old.limit(1).executeTakeFirst(), oldChats.limit(1).executeTakeFirst()]);
      return left.some((row) => row !== undefined);
    },
  };
}

/** Those that the filter lets through. */
function filtered<Row>(
  runs: SelectQueryBuilder<Tables, 'runs', Row>,
  { outcome, key_id, channel, since, until, words = [], mark }: RunFilter,
): SelectQueryBuilder<Tables, 'runs', Row> {
  let found = runs;
  if (outcome === 'failed' || outcome === 'cancelled') found = found.where('state', '=', outcome);
  else if (outcome !== undefined) found = found.where('status', '=', outcome);
  if (key_id !== undefined) found = found.where('key_id', '=', key_id);
  if (channel !== undefined) found = found.where('channel', '=', channel);
  if (since !== undefined) found = found.where('ended_at', '>=', since);
  if (until !== undefined) found = found.where('ended_at', '<', until);
  for (const word of words) found = found.where(containing('words', word));
  if (mark !== undefined) found = found.where(marked('search_id', mark));
  return found;
}

/** Without the columns that are null. */
function known<Row extends object>(row: Row): { [Name in keyof Row]: NonNullable<Row[Name]> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never;
}

function toRow({
  prompts,
  terminal,
  idempotency,
  owner: _owner,
  webhook: _webhook,
  traceparent: _traceparent,
  attempt,
  channel,
  key_id,
  steps,
  ...record
}: RunRecord): Insertable<Tables['runs']> {
  const { status, error_code } = outcomeOf(terminal);
  return {
    ...record,
    channel: channel ?? null,
    key_id: key_id ?? null,
    status: status ?? null,
    error_code: error_code ?? null,
    words: searchedText(prompts.at(-1)),
    prompts: JSON.stringify(prompts),
    terminal: JSON.stringify(terminal),
    steps: steps === undefined ? null : JSON.stringify(steps),
    idempotency_key: idempotency?.key ?? null,
    idempotency_hash: idempotency?.hash ?? null,
    attempt: attempt ?? null,
  };
}

function toRecord(row: Selectable<Tables['runs']>): RunRecord {
  const { state, prompts, terminal, idempotency_key: key, idempotency_hash: hash, attempt, ...rest } = row;
  const { status: _, error_code: _code, words: _words, channel, key_id, steps, ...record } = rest;
  return {
    ...record,
    ...known({ channel, key_id }),
    state: state as RunRecord['state'],
    prompts: JSON.parse(prompts) as string[],
    terminal: JSON.parse(terminal) as TerminalEvent,
    ...(steps === null ? {} : { steps: JSON.parse(steps) as RecordedStep[] }),
    idempotency: key === null || hash === null ? undefined : { key, hash },
    ...(attempt === null ? {} : { attempt }),
  };
}
