/**
 * `BackgroundRecords` in SQL. A claim is an update that names the owner and attempt it expects, so that of several processes one
 * succeeds, in every database. Leases are written and compared by one clock, that of the database if it is a server: by its
 * own, a server whose clock is ahead would take over what others run.
 */
import type { Insertable, Selectable } from 'kysely';
import type {
  BackgroundRecords,
  BackgroundRun,
  ClaimedRun,
  Hold,
  ShownBackgroundRun,
} from '../runs/records/background-records.ts';
import type { Echoed } from '../runs/records/run-records.ts';
import type { OpenDatabase } from './dialect.ts';
import type { Tables } from './tables/tables.ts';

type Row = Selectable<Tables['background_runs']>;

/** Columns that are shown; `input` may be large. */
const shown = [
  'search_id',
  'account_id',
  'created_at',
  'mode',
  'door',
  'prompts',
  'attempt',
  'progress',
  'idempotency_hash',
  'echoed',
] as const;

/** Over the table `background_runs`. */
export function createBackgroundRecords({ db, dialect }: OpenDatabase): BackgroundRecords {
  const held = (search_id: string, { owner, attempt }: Hold) =>
    db
      .updateTable('background_runs')
      .where('search_id', '=', search_id)
      .where('owner', '=', owner)
      .where('attempt', '=', attempt);
  const ofAccount = (account_id: string) =>
    db.selectFrom('background_runs').select(shown).where('account_id', '=', account_id);

  async function claimOne(row: Row, owner: string, lease_ms: number): Promise<ClaimedRun | undefined> {
    const deaths = row.deaths + (row.owner === null ? 0 : row.has_begun);
    const attempt = row.attempt + 1;
    const change = { owner, attempt, deaths, has_begun: 0, progress: null };
    const { numUpdatedRows } = await db
      .updateTable('background_runs')
      .set({ ...change, lease_until: dialect.timeIn(lease_ms) })
      .where('search_id', '=', row.search_id)
      .where('attempt', '=', row.attempt)
      .where('lease_until', '=', row.lease_until)
      .executeTakeFirst();
    return numUpdatedRows === 1n
      ? { ...toRun({ ...row, ...change }), deaths, isCancelled: row.is_cancelled === 1 }
      : undefined;
  }

  return {
    async add(run, owner, lease_ms) {
      const fresh = { deaths: 0, has_begun: 1, is_cancelled: 0, progress: null };
      const row = { ...toRow(run), owner, lease_until: dialect.timeIn(lease_ms), ...fresh };
      await db.insertInto('background_runs').values(row).execute();
    },

    async claim(owner, lease_ms, { limit, leftBy }) {
      const rows = await db
        .selectFrom('background_runs')
        .selectAll()
        .where((where) =>
          where.or([
            where('lease_until', '<', dialect.timeIn(0)),
            ...(leftBy === undefined
              ? []
              : [where.and([where('owner', '<>', owner), where('owner', 'like', `${leftBy}%`)])]),
          ]),
        )
        .orderBy('created_at')
        .limit(limit)
        .execute();
      const claimed: ClaimedRun[] = [];
      for (const row of rows) {
        const run = await claimOne(row, owner, lease_ms);
        if (run !== undefined) claimed.push(run);
      }
      return claimed;
    },

    async renew(owner, lease_ms) {
      const rows = await db
        .updateTable('background_runs')
        .set({ lease_until: dialect.timeIn(lease_ms) })
        .where('owner', '=', owner)
        .returning(['search_id', 'attempt', 'is_cancelled'])
        .execute();
      return rows.map(({ is_cancelled, ...row }) => ({ ...row, isCancelled: is_cancelled === 1 }));
    },

    async confirm(search_id, hold, lease_ms) {
      const change = { lease_until: dialect.timeIn(lease_ms), has_begun: 1 };
      const { numUpdatedRows } = await held(search_id, hold).set(change).executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async report(search_id, hold, progress) {
      await held(search_id, hold).set({ progress }).execute();
    },

    async release(owner, run) {
      const all = db.updateTable('background_runs').where('owner', '=', owner);
      const released = run === undefined ? all : held(run.search_id, { owner, attempt: run.attempt });
      await released.set({ owner: null, lease_until: '', progress: null }).execute();
    },

    async cancel(account_id, search_id) {
      const { numUpdatedRows } = await db
        .updateTable('background_runs')
        .set({ is_cancelled: 1 })
        .where('search_id', '=', search_id)
        .where('account_id', '=', account_id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async remove(account_id, search_id) {
      await db
        .deleteFrom('background_runs')
        .where('search_id', '=', search_id)
        .where('account_id', '=', account_id)
        .execute();
    },

    async get(account_id, search_id) {
      const row = await ofAccount(account_id).where('search_id', '=', search_id).executeTakeFirst();
      return row && toShown(row);
    },

    async byIdempotencyKey(account_id, key) {
      const row = await ofAccount(account_id).where('idempotency_key', '=', key).limit(1).executeTakeFirst();
      return row && toShown(row);
    },

    async list(account_id, limit) {
      const newest = ofAccount(account_id).orderBy('created_at', 'desc').orderBy('search_id', 'desc');
      return (await newest.limit(limit).execute()).map(toShown);
    },
  };
}

function toRow({
  prompts,
  idempotency,
  echoed,
  ...run
}: BackgroundRun): Omit<
  Insertable<Tables['background_runs']>,
  'owner' | 'lease_until' | 'deaths' | 'has_begun' | 'is_cancelled' | 'progress'
> {
  return {
    ...run,
    echoed: echoed === undefined ? null : JSON.stringify(echoed),
    prompts: JSON.stringify(prompts),
    idempotency_key: idempotency?.key ?? null,
    idempotency_hash: idempotency?.hash ?? null,
  };
}

function toRun({ search_id, account_id, created_at, mode, door, input, attempt, ...row }: Row): BackgroundRun {
  const { prompts, echoed, idempotency_key: key, idempotency_hash: hash } = row;
  const idempotency = key === null || hash === null ? undefined : { key, hash };
  const known = { search_id, account_id, created_at, mode, door, input, attempt };
  return { ...known, prompts: JSON.parse(prompts) as string[], idempotency, ...parsed(echoed) };
}

function toShown({
  prompts,
  progress,
  idempotency_hash,
  echoed,
  ...row
}: Pick<Row, (typeof shown)[number]>): ShownBackgroundRun {
  return {
    ...row,
    ...parsed(echoed),
    prompts: JSON.parse(prompts) as string[],
    progress: progress ?? undefined,
    idempotency_hash: idempotency_hash ?? undefined,
  };
}

function parsed(echoed: string | null): Pick<BackgroundRun, 'echoed'> {
  return echoed === null ? {} : { echoed: JSON.parse(echoed) as Echoed };
}
