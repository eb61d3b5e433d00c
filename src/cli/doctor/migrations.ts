/** Compares the migrations that a database has with those of this version. */
import { migrations, unknownMigrations } from '../../store/migrations/all.ts';
import { type Finding, ok, problem } from './check.ts';

/** `what` is the beginning of the sentence, such as "The database …". */
export function judgeMigrations(what: string, applied: readonly string[]): Finding {
  const known = migrations.map(({ name }) => name);
  const unknown = unknownMigrations(applied);
  if (unknown.length > 0) {
    return problem(
      `${what} was made by a newer version: unknown migrations ${unknown.join(', ')}.`,
      'Run the newer version, or restore a backup made before it.',
    );
  }
  const missing = known.filter((name) => !applied.includes(name));
  const said = `${what} is intact and has ${applied.length} of ${known.length} migrations`;
  return ok(missing.length === 0 ? `${said}.` : `${said}; the next start adds the others.`);
}
