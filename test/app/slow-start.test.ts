/** What an operator sees of a start that takes long. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startServe } from '../support/processes/start-process.ts';
import { hasOwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.skipIf(!hasOwnPostgres)('a start that waits for a migration', () => {
  it('says what it waits for, and goes on once it can', async () => {
    const postgres = await startPostgres();
    const migrating = new pg.Client({ connectionString: postgres.url });
    await migrating.connect();
    // As another server does that migrates the database and its corpus.
    await migrating.query('select pg_advisory_lock(7233190461), pg_advisory_lock(7233190462)');
    const server = startServe({ DATABASE_URL: postgres.url, DATA_DIR: temporaryFolder() });
    try {
      let err = '';
      const said = new Promise<void>((resolve) => {
        server.child.stderr!.on('data', (bytes) => {
          err += bytes;
          if (err.includes('still opening')) resolve();
        });
      });
      await Promise.race([said, server.ended]);
      expect(err).toContain('still opening the database and the index: a migration to this version may be running');
      await migrating.query('select pg_advisory_unlock_all()');
      expect((await fetch(`${(await server.listening).url}/healthz`)).status).toBe(200);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      await migrating.end();
      await postgres.stop();
    }
  });
});
