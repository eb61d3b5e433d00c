/** `citewire doctor` against real things that are broken: what it says, what it advises, and that it says no secret. */
import { execFile } from 'node:child_process';
import { chmodSync, closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { checkCertificate } from '../../src/cli/doctor/certificate.ts';
import { startOidcProvider } from '../support/oidc/oidc-provider.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { smallDisks } from '../support/processes/small-disk.ts';
import { hasOpenssl, makeCertificate } from '../support/servers/certificates.ts';
import { startModelServer } from '../support/servers/model-server.ts';
import { hasOwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { hasRedis, startRedis } from '../support/servers/redis.ts';
import { startTestApp, testPages } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly fix?: string;
}

const secret = 'hunter2-of-the-test';
/** Before a command: root may write everything. */
const ordinaryUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
const nobody = 'http://127.0.0.1:9/v1';

describe('a machine on which all is well', () => {
  it('finds no problem beside a running server, reaches its services, and changes nothing', async () => {
    await using app = await startTestApp();
    await using model = await startModelServer();
    const { port } = new URL(app.url);
    const before = readFileSync(join(app.dataDir, 'citewire.db'));
    const found = await examine({ DATA_DIR: app.dataDir, PORT: port, MODEL: 'scripted', OPENAI_BASE_URL: model.url });
    expect(found.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(of(found, 'port')).toMatchObject({ status: 'ok', message: expect.stringContaining('A Citewire server') });
    expect(of(found, 'index').message).toMatch(/^3 pages with \d+ passages/);
    expect(of(found, 'database').message).toMatch(/is intact and has (\d+) of \1 migrations\.$/);
    expect(of(found, 'model')).toMatchObject({ status: 'ok', message: 'scripted answers.' });
    expect(model.calls.map(({ kind }) => kind)).toEqual(['other']);
    expect(of(found, 'clock').status).toBe('ok');
    expect(readFileSync(join(app.dataDir, 'citewire.db'))).toEqual(before);
    const people = await runCli(['doctor'], { DATA_DIR: app.dataDir, PORT: port, MEDIAWIKI_URL: 'off' });
    expect(people).toMatchObject({ code: 0, stderr: '' });
    expect(people.stdout).toMatch(/^Citewire \d.*\n\nok {7}node .*\n[\s\S]*\n0 problems, \d warnings?\.\n$/);
  });

  it('says that what does not exist yet will be created, and does not create it', async () => {
    const missing = join(temporaryFolder(), 'a', 'b');
    const found = await examine({ DATA_DIR: missing, PORT: '0' });
    expect(of(found, 'data folder').message).toContain('will be created');
    expect(of(found, 'database').status).toBe('skipped');
    expect(statSync(missing, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('settings', () => {
  it('reports an invalid one instead of everything else', async () => {
    const { code, stdout } = await runCli(['doctor', '--json'], { REDIS_URL: `http://:${secret}@127.0.0.1` });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, checks: [{ check: 'settings', status: 'problem' }] });
    expect(stdout).not.toContain(secret);
  });
});

describe('files', () => {
  it('finds damage in the database and in the index', async () => {
    const folder = temporaryFolder();
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: folder });
    await runCli(['index', testPages], { DATA_DIR: folder });
    for (const name of ['citewire.db', 'index.db']) damage(join(folder, name));
    const found = await examine({ DATA_DIR: folder, PORT: '0' });
    expect(of(found, 'database')).toMatchObject({ status: 'problem', fix: expect.stringContaining('restore') });
    expect(of(found, 'index')).toMatchObject({ status: 'problem', fix: expect.stringContaining('citewire index') });
    expect(of(found, 'index').message).toContain('is damaged');
  });

  it('finds files that this user may not write', async () => {
    const folder = temporaryFolder();
    await runCli(['index', testPages], { DATA_DIR: folder });
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: folder });
    for (const name of ['citewire.db', 'index.db']) chmodSync(join(folder, name), 0o444);
    chmodSync(folder, 0o777);
    const found = await examine({ DATA_DIR: folder, PORT: '0' }, ordinaryUser);
    const wanted = { status: 'problem', fix: expect.stringContaining('the user who runs the server') };
    expect(of(found, 'database')).toMatchObject(wanted);
    expect(of(found, 'index')).toMatchObject(wanted);
  });

  it('finds a database of a newer version', async () => {
    const folder = temporaryFolder();
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: folder });
    const database = new (loadSqlite())(join(folder, 'citewire.db'));
    database.exec("insert into migrations values ('999-future', '')");
    database.close();
    const found = await examine({ DATA_DIR: folder, PORT: '0' });
    expect(of(found, 'database')).toMatchObject({ status: 'problem', message: expect.stringContaining('999-future') });
  });

  it('finds a file where the folder should be', async () => {
    const file = join(temporaryFolder(), 'data');
    writeFileSync(file, '');
    const found = await examine({ DATA_DIR: file, PORT: '0' });
    expect(of(found, 'data folder')).toMatchObject({ status: 'problem', message: expect.stringContaining(file) });
  });

  it.skipIf(!smallDisks[0]!.isPossible)('finds a disk that is full, and one that is read-only', async () => {
    const folder = temporaryFolder();
    const mount = smallDisks[0]!.through(folder);
    const made = temporaryFolder();
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: made });
    const fill = [
      'sh',
      '-c',
      `cp '${made}/citewire.db' '${folder}'; head -c 100M /dev/zero > '${folder}/filler' 2>/dev/null; exec "$@"`,
      'sh',
    ];
    const readOnly = ['sh', '-c', `mount -o remount,ro '${folder}' && exec "$@"`, 'sh'];
    const full = await examine({ DATA_DIR: folder, PORT: '0' }, [...mount, ...fill]);
    const wanted = { status: 'problem', fix: expect.stringContaining('Free some space') };
    expect(of(full, 'data folder')).toMatchObject(wanted);
    expect(of(full, 'database')).toMatchObject(wanted);
    const locked = await examine({ DATA_DIR: folder, PORT: '0' }, [...mount, ...readOnly]);
    expect(of(locked, 'data folder')).toMatchObject({ status: 'problem', fix: expect.stringContaining('read-only') });
  });
});

describe('the provider to sign in with', () => {
  const examineOidc = async (env: Record<string, string>) =>
    of(await examine({ DATA_DIR: temporaryFolder(), PORT: '0', ...env }), 'sign-in');

  it('has to answer, and to be the issuer', async () => {
    await using provider = await startOidcProvider();
    const env = { ...provider.env, PUBLIC_URL: 'https://search.example.org' };
    expect(await examineOidc(env)).toMatchObject({ status: 'ok', message: `${provider.issuer} answers.` });
    expect(await examineOidc(provider.env)).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('origin'),
    });
    provider.tamper.metadata = (metadata) => ({ ...metadata, issuer: 'https://other.example' });
    expect(await examineOidc(env)).toMatchObject({ status: 'problem', message: expect.stringContaining('issuer') });
    provider.isDown = true;
    expect(await examineOidc(env)).toMatchObject({ status: 'problem' });
    expect(await examineOidc({ ...env, OIDC_ISSUER: 'http://127.0.0.1:9' })).toMatchObject({ status: 'problem' });
    expect(await examineOidc({})).toMatchObject({ status: 'skipped' });
  });
});

describe.skipIf(!hasOpenssl)('the certificate', () => {
  const folder = temporaryFolder();
  const [long, short, over] = [30, 6, -1].map((days) => makeCertificate(folder, `valid-${days}`, days));
  const examineWith = async (certFile: string, keyFile: string) =>
    of(await examine({ DATA_DIR: temporaryFolder(), PORT: '0', TLS_CERT: certFile, TLS_KEY: keyFile }), 'certificate');

  it('is well for a while, has to be renewed soon, or has expired', async () => {
    expect(await examineWith(long!.certFile, long!.keyFile)).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/valid-30\.crt expires on \d{4}-\d\d-\d\d\.$/),
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const found = await checkCertificate({ config: { tls: long! } } as Parameters<typeof checkCertificate>[0]);
    expect(found).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/, in [89] days\.$/),
      fix: expect.stringContaining('Renew it'),
    });
    vi.useRealTimers();
    expect(await examineWith(over!.certFile, over!.keyFile)).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/, which is over\.$/),
      fix: expect.stringContaining('Renew it'),
    });
  });

  it('that lives for six days is well at first', async () => {
    expect(await examineWith(short!.certFile, short!.keyFile)).toMatchObject({ status: 'ok' });
  });

  it('has to be there, to be a certificate, and to have this key', async () => {
    const missing = await examineWith(join(folder, 'missing.crt'), long!.keyFile);
    expect(missing).toMatchObject({ status: 'problem', message: expect.stringContaining('TLS_CERT: expected a file') });
    const swapped = await examineWith(long!.keyFile, long!.keyFile);
    expect(swapped).toMatchObject({ status: 'problem', message: expect.stringContaining('expected a certificate') });
    const another = await examineWith(long!.certFile, short!.keyFile);
    expect(another).toMatchObject({ status: 'problem', message: expect.stringContaining('is that of another one') });
    expect(another.fix).toContain('docs/deploy.md');
  });

  it('is not needed', async () => {
    const found = await examine({ DATA_DIR: temporaryFolder(), PORT: '0' });
    expect(of(found, 'certificate')).toMatchObject({ status: 'skipped' });
  });
});

describe('the network', () => {
  it('finds a port that another program holds, and an address that is not of this machine', async () => {
    await using other = await listen((_, response) => response.end('hello'));
    const taken = await examine({ DATA_DIR: temporaryFolder(), PORT: String(other.port) });
    expect(of(taken, 'port')).toMatchObject({ status: 'problem', message: expect.stringContaining('Another program') });
    const away = await examine({ DATA_DIR: temporaryFolder(), HOST: '192.0.2.1' });
    expect(of(away, 'port')).toMatchObject({ status: 'problem', message: expect.stringContaining('192.0.2.1') });
  });

  it('finds a model that refuses the key, one of another name, and one that is not there', async () => {
    await using server = await listen((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'small' }], error: { message: secret } }));
    });
    const endpoint = { DATA_DIR: temporaryFolder(), PORT: '0', OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1` };
    const wrong = await examine({ ...endpoint, MODEL: 'small', OPENAI_API_KEY: secret });
    expect(of(wrong, 'model')).toMatchObject({ status: 'problem', message: expect.stringMatching(/refused the key/) });
    const named = await examine({ ...endpoint, MODEL: 'large', OPENAI_API_KEY: 'right' });
    expect(of(named, 'model').message).toContain('it has small');
    const away = await examine({ ...endpoint, MODEL: 'small', OPENAI_BASE_URL: nobody });
    expect(of(away, 'model')).toMatchObject({ status: 'problem', fix: expect.stringContaining('MODEL_BASE_URL') });
  });

  it('finds a search provider that refuses the key, and a clock that is wrong', async () => {
    await using server = await listen((_, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.statusCode = 403;
      response.end('{}');
    });
    const at = `http://127.0.0.1:${server.port}`;
    const found = await examine({ DATA_DIR: temporaryFolder(), PORT: '0', BRAVE_API_KEY: secret, BRAVE_URL: at });
    expect(of(found, 'providers')).toMatchObject({ status: 'problem', message: expect.stringMatching(/^brave: /) });
    expect(of(found, 'clock')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^It is 3\d{3} s ahead/),
    });
  });
});

describe.skipIf(!hasRedis)('Redis', () => {
  it('finds one that answers, one that evicts, one that wants a password, one that hangs and one that stopped', async () => {
    const redis = await startRedis();
    try {
      const env = { DATA_DIR: temporaryFolder(), PORT: '0', REDIS_URL: redis.url };
      const well = await examine(env);
      expect(of(well, 'redis')).toMatchObject({ status: 'ok', message: expect.stringMatching(/^Redis \d/) });
      expect(of(well, 'clock').message).toContain('Redis');
      redis.pause();
      expect(of(await examine(env), 'redis')).toMatchObject({ status: 'problem' });
      redis.resume();
      const admin = new Redis(redis.url);
      await admin.config('SET', 'maxmemory', '100mb');
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect(of(await examine(env), 'redis')).toMatchObject({
        status: 'problem',
        message: expect.stringContaining('got allkeys-lru'),
        fix: expect.stringContaining('noeviction'),
      });
      await admin.config('SET', 'requirepass', 'another');
      admin.disconnect();
      const refused = await examine({ ...env, REDIS_URL: `redis://:${secret}@127.0.0.1:${redis.port}` });
      expect(of(refused, 'redis').message).toContain('refused the user or the password');
      await redis.kill();
      const stopped = of(await examine(env), 'redis');
      expect(stopped).toMatchObject({ status: 'problem', message: expect.stringContaining('ECONNREFUSED') });
      expect(stopped.fix).toContain('Start Redis');
    } finally {
      await redis.stop();
    }
  });
});

describe.skipIf(!hasOwnPostgres)('Postgres', () => {
  it('finds one that answers, which it does not migrate, one without that database, and one that has stopped', async () => {
    const postgres = await startPostgres();
    try {
      const env = { DATA_DIR: temporaryFolder(), PORT: '0', DATABASE_URL: await postgres.fresh() };
      const well = await examine(env);
      expect(of(well, 'postgres')).toMatchObject({ status: 'ok', message: expect.stringMatching(/has 0 of \d+ migr/) });
      expect(of(await examine(env), 'postgres').message).toContain('has 0 of');
      expect(of(well, 'clock').message).toContain('Postgres');
      const none = `postgres://postgres:${secret}@127.0.0.1:${postgres.port}/none`;
      expect(of(await examine({ ...env, DATABASE_URL: none }), 'postgres').message).toContain('no such database');
      await postgres.kill();
      expect(of(await examine(env), 'postgres')).toMatchObject({
        status: 'problem',
        message: expect.stringContaining('no Postgres answers'),
      });
    } finally {
      await postgres.stop();
    }
  });
});

/** The findings of `citewire doctor --json`, whose exit code agrees with them and which holds no secret. */
async function examine(env: Record<string, string>, through: readonly string[] = []): Promise<Finding[]> {
  const all = { MEDIAWIKI_URL: 'off', ...env };
  const { code, stdout, stderr } = await (through.length === 0
    ? runCli(['doctor', '--json'], all)
    : runIn(through, all));
  expect(stderr).toBe('');
  expect(stdout).not.toContain(secret);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  const problems = checks.filter(({ status }) => status === 'problem');
  expect([ok, code]).toEqual(problems.length === 0 ? [true, 0] : [false, 1]);
  for (const { fix, message } of problems) expect(fix, message).toMatch(/\.$/);
  return checks;
}

function of(found: readonly Finding[], check: string): Finding {
  const [finding] = found.filter((each) => each.check === check);
  if (finding === undefined) throw new Error(`expected a finding of ${check}; got ${JSON.stringify(found)}`);
  return finding;
}

/** The command, started by another one. */
function runIn(through: readonly string[], env: Record<string, string>) {
  const cli = fileURLToPath(new URL('../../tools/start.js', import.meta.url));
  const [command = '', ...args] = [...through, process.execPath, cli, 'doctor', '--json'];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const all = { PATH: process.env.PATH ?? '', ...env };
    execFile(command, args, { env: all }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

/** Overwrites the pages after the first, once they are all in the file itself. */
function damage(file: string): void {
  const database = new (loadSqlite())(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const { size } = statSync(file);
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096);
  closeSync(opened);
}

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
