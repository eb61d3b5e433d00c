/** What an operator sees of a start that takes long, and how one ends it. */
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { hasOwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.skipIf(!hasOwnPostgres)('a start that waits for a migration', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let migrating: pg.Client;
  const servers: ServeProcess[] = [];
  beforeEach(async () => {
    postgres = await startPostgres();
    migrating = new pg.Client({ connectionString: postgres.url });
    await migrating.connect();
    // As another server does that migrates the database and its corpus.
    await migrating.query('select pg_advisory_lock(7233190461), pg_advisory_lock(7233190462)');
  });
  afterEach(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.splice(0).map(({ ended }) => ended));
    await migrating.end();
    await postgres.stop();
  });

  function start(dataDir: string): ServeProcess {
    const server = startServe({ DATABASE_URL: postgres.url, DATA_DIR: dataDir });
    servers.push(server);
    return server;
  }

  async function expectToListen({ listening }: ServeProcess): Promise<void> {
    await migrating.query('select pg_advisory_unlock_all()');
    expect((await fetch(`${(await listening).url}/healthz`)).status).toBe(200);
  }

  /** Resolves with what it has written once it says what it waits for, or has ended. */
  async function untilReported({ child, ended }: ServeProcess): Promise<string> {
    let err = '';
    const said = new Promise<void>((resolve) => {
      child.stderr!.on('data', (bytes) => {
        err += bytes;
        if (err.includes('still opening')) resolve();
      });
    });
    await Promise.race([said, ended]);
    return err;
  }

  it('says what it waits for, and goes on once it can', async () => {
    const server = start(temporaryFolder());
    const err = await untilReported(server);
    expect(err).toContain('still opening the database and the index: a migration to this version may be running');
    await expectToListen(server);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('is ended by one %s, and another start goes on', async (name) => {
    const dataDir = temporaryFolder();
    const stopped = start(dataDir);
    await untilReported(stopped);
    stopped.child.kill(name);
    const { code, signal, err } = await stopped.ended;
    expect(signal ?? code).toBe(name);
    expect(err).toContain(`"signal":"${name}","msg":"stopped before the start was complete"`);
    await expectToListen(start(dataDir));
  });
});
