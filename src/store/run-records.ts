/**
 * `RunRecords` in SQL. Records that arrive during a commit are written together in the next one, so a busy server does
 * not need a commit per search.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import { AppError } from '../base/errors.ts';
import { dayMs } from '../base/values/day.ts';
import type { RunRecord, RunRecords } from '../runs/records/run-records.ts';
import type { OpenDatabase } from './dialect.ts';
import { type LargeColumn, readPage } from './keyset-page.ts';
import { filtered, listedColumns, toListed, toRecord, toRow } from './run-rows.ts';
import type { Tables } from './tables/tables.ts';
import { findReceivers, queueWebhooks, type Receivers } from './webhooks/queue-webhooks.ts';

interface Waiting {
  readonly record: RunRecord;
  readonly after: Promise<void> | undefined;
  resolve(otherState: RunRecord['state'] | undefined): void;
  reject(error: unknown): void;
}

interface Prepared {
  readonly records: readonly RunRecord[];
  /** Inserts those that are not there yet, and returns their ids. */
  readonly insertion: CompiledQuery<{ readonly search_id: string }>;
  readonly receivers: Receivers;
}

/** Set by hand; below the parameter limits of both databases. */
const rowsPerStatement = 200;

/** A hundred prompts of 2,600 characters; set by hand. */
const prompts: LargeColumn = { name: 'prompts', maxBytes: 256 * 1024 };

/** Over the table `runs`; `onQueued` is called when webhooks were queued with records. */
export function createRunRecords({ db, dialect }: OpenDatabase, onQueued: () => void): RunRecords {
  const waiting: Waiting[] = [];
  let writing = false;

  /** Returns the records of those that were not there yet. */
  async function insertRows(into: Kysely<Tables>, { records, insertion }: Prepared): Promise<RunRecord[]> {
    const { rows } = await into.executeQuery(insertion);
    const inserted = new Set(rows.map(({ search_id }) => search_id));
    return records.filter(({ search_id }) => inserted.has(search_id));
  }

  /** Does what can be done before the records may be written. */
  async function prepare(batch: readonly Pick<Waiting, 'record' | 'after'>[]): Promise<Prepared> {
    const records = batch.map(({ record }) => record);
    const finding = findReceivers(db, records);
    const insertion = db
      .insertInto('runs')
      .values(records.map(toRow))
      .onConflict((conflict) => conflict.column('search_id').doNothing())
      .returning('search_id')
      .compile();
    const [receivers] = await Promise.all([finding, ...batch.map(({ after }) => after)]);
    return { records, insertion, receivers };
  }

  async function insert(batch: readonly Waiting[]): Promise<void> {
    const prepared = await prepare(batch);
    const { records, receivers } = prepared;
    let inserted: RunRecord[] = [];
    if (receivers === undefined) inserted = await insertRows(db, prepared);
    else {
      const queued = await db.transaction().execute(async (trx) => {
        inserted = await insertRows(trx, prepared);
        return queueWebhooks(trx, inserted, receivers);
      });
      if (queued) onQueued();
    }
    const before = await storedStates(records.filter((record) => !inserted.includes(record)));
    for (const { record, resolve } of batch) {
      const state = before.get(record.search_id);
      resolve(state === record.state ? undefined : state);
    }
  }

  /** The states of those that are stored, by id; removed ones are not. */
  async function storedStates(records: readonly RunRecord[]): Promise<ReadonlyMap<string, RunRecord['state']>> {
    const states = new Map<string, RunRecord['state']>();
    if (records.length === 0) return states;
    const ids = records.map(({ search_id }) => search_id);
    const rows = await db.selectFrom('runs').select(['search_id', 'state']).where('search_id', 'in', ids).execute();
    for (const { search_id, state } of rows) if (state !== 'removed') states.set(search_id, state);
    return states;
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
  async function end(record: RunRecord, attempt: number, after: Promise<void> | undefined): Promise<void> {
    const prepared = await prepare([{ record, after }]);
    const queued = await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('background_runs')
        .where('search_id', '=', record.search_id)
        .where('owner', '=', record.owner ?? '')
        .where('attempt', '=', attempt)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      return queueWebhooks(trx, await insertRows(trx, prepared), prepared.receivers);
    });
    if (queued) onQueued();
  }

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await insertOrRefuse(waiting.splice(0, rowsPerStatement));
    writing = false;
  }

  return {
    save(record, after) {
      if (record.attempt !== undefined) return end(record, record.attempt, after).then(() => undefined);
      return new Promise((resolve, reject) => {
        waiting.push({ record, after, resolve, reject });
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
      const dayAgo = new Date(Date.now() - dayMs).toISOString();
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
      return { items: rows.map(toListed), ...more };
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
        echoed: null,
        idempotency_key: null,
        idempotency_hash: null,
      };
      const now = new Date().toISOString();
      const change = { ...nothing, state: 'removed', ended_at: now } as const;
      await db.transaction().execute(async (trx) => {
        // First, because this waits for a rating that is being stored.
        await trx
          .insertInto('runs')
          .values({ search_id, account_id, created_at: now, mode: 'text', door: 'native', engine: '', ...change })
          .onConflict((conflict) =>
            conflict.column('search_id').doUpdateSet(change).where('runs.account_id', '=', account_id),
          )
          .execute();
        const mine = { account_id, search_id };
        await trx
          .deleteFrom('feedback')
          .where((eb) => eb.and(mine))
          .execute();
        await trx
          .deleteFrom('webhook_deliveries')
          .where((eb) => eb.and({ ...mine, state: 'pending', tries: 0 }))
          .execute();
      });
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
      const oldest = (from: Kysely<Tables>, count: number) =>
        from.selectFrom('runs').select('search_id').where('ended_at', '<', ended_at).orderBy('ended_at').limit(count);
      await db.transaction().execute(async (trx) => {
        const ids = (await dialect.skipLocked(oldest(trx, limit)).execute()).map(({ search_id }) => search_id);
        if (ids.length === 0) return;
        await trx.deleteFrom('feedback').where('search_id', 'in', ids).execute();
        await trx.deleteFrom('runs').where('search_id', 'in', ids).execute();
      });
      // The count of deleted rows would not do: another process may have deleted some of them.
      const left = await Promise.all([oldest(db, 1).executeTakeFirst(), oldChats.limit(1).executeTakeFirst()]);
      return left.some((row) => row !== undefined);
    },
  };
}
