/**
 * Saves the records of ended runs, with the webhooks that are to be called. Records that arrive during a commit are written together in
 * the next one, so a busy server does not need a commit per search.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { RunRecord, RunRecords } from '../runs/records/run-records.ts';
import type { OpenDatabase } from './dialect.ts';
import { toRow } from './run-rows.ts';
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

/** `save` over the table `runs`; `onQueued` is called when webhooks were queued with records. */
export function createRunSaver({ db }: Pick<OpenDatabase, 'db'>, onQueued: () => void): RunRecords['save'] {
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

  return async (record, after) => {
    if (record.attempt !== undefined) {
      await end(record, record.attempt, after);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      waiting.push({ record, after, resolve, reject });
      if (!writing) void write();
    });
  };
}
