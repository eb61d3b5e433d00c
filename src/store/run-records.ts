/**
 * `RunRecords` in SQL. Records that come while a commit is on its way to the disk wait and are written together in the
 * next one, so a busy server pays for one commit at a time, not for one a search.
 */
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { TerminalEvent } from '../../protocol/index.ts';
import type { RunRecord, RunRecords } from '../runs/records.ts';
import type { Tables } from './tables.ts';

interface Waiting {
  readonly row: Insertable<Tables['runs']>;
  resolve(): void;
  reject(error: unknown): void;
}

const rowsOfOneStatement = 200;

export function createRunRecords(db: Kysely<Tables>): RunRecords {
  const waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, rowsOfOneStatement);
      const rows = batch.map(({ row }) => row);
      try {
        await db
          .insertInto('runs')
          .values(rows)
          .onConflict((conflict) => conflict.column('search_id').doNothing())
          .execute();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = false;
  }

  return {
    save(record) {
      return new Promise((resolve, reject) => {
        waiting.push({ row: toRow(record), resolve, reject });
        if (!writing) void write();
      });
    },

    async get(account_id, search_id) {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('search_id', '=', search_id)
        .where('account_id', '=', account_id)
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

    async list(account_id, { cursor, limit }) {
      let query = db
        .selectFrom('runs')
        .select(['search_id', 'created_at', 'ended_at', 'state', 'mode', 'prompts'])
        .where('account_id', '=', account_id)
        .orderBy('ended_at', 'desc')
        .orderBy('search_id', 'desc')
        .limit(limit + 1);
      const after = readCursor(cursor);
      if (after !== undefined) {
        const { ended_at, search_id } = after;
        query = query.where((eb) =>
          eb.or([
            eb('ended_at', '<', ended_at),
            eb.and([eb('ended_at', '=', ended_at), eb('search_id', '<', search_id)]),
          ]),
        );
      }
      const rows = await query.execute();
      const items = rows.slice(0, limit).map((row) => ({ ...row, prompts: JSON.parse(row.prompts) as string[] }));
      const last = items.at(-1);
      const more = rows.length > limit && last !== undefined ? { cursor: writeCursor(last) } : {};
      return { items, ...more };
    },
  };
}

function toRow({ prompts, terminal, idempotency, ...record }: RunRecord): Insertable<Tables['runs']> {
  return {
    ...record,
    prompts: JSON.stringify(prompts),
    terminal: JSON.stringify(terminal),
    idempotency_key: idempotency?.key ?? null,
    idempotency_hash: idempotency?.hash ?? null,
  };
}

function toRecord(row: Selectable<Tables['runs']>): RunRecord {
  const { prompts, terminal, idempotency_key: key, idempotency_hash: hash, ...record } = row;
  return {
    ...record,
    prompts: JSON.parse(prompts) as string[],
    terminal: JSON.parse(terminal) as TerminalEvent,
    idempotency: key === null || hash === null ? undefined : { key, hash },
  };
}

function writeCursor({ ended_at, search_id }: { ended_at: string; search_id: string }): string {
  return Buffer.from(`${ended_at} ${search_id}`).toString('base64url');
}

/** Undefined for a cursor that no page gave. */
function readCursor(cursor = ''): { ended_at: string; search_id: string } | undefined {
  const [ended_at, search_id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  return ended_at === undefined || search_id === undefined ? undefined : { ended_at, search_id };
}
