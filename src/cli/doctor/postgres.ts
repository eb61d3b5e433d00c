/** The Postgres of DATABASE_URL. */
import { type Check, problem, reasonOf, skipped } from './check.ts';
import { judgeMigrations } from './migrations.ts';

/** Whether it answers, and has the migrations of this version. */
export const checkPostgres: Check = async ({ config: { databaseUrl }, reportTime }) => {
  if (databaseUrl === undefined) return skipped('DATABASE_URL is not set: everything is in DATA_DIR.');
  const { inspectPostgres } = await import('../../store/postgres/postgres.ts');
  try {
    const { version, applied, timeMs } = await inspectPostgres(databaseUrl);
    reportTime('Postgres', timeMs);
    return judgeMigrations(`The database in Postgres ${version}`, applied);
  } catch (error) {
    return problem(`${reasonOf(error)}.`, 'Start Postgres, or correct DATABASE_URL.');
  }
};
