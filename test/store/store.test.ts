import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { createIdentity } from '../../src/access/identity.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
/** `TEST_LONG=1` kills 200 times. */
const kills = process.env.TEST_LONG === '1' ? 200 : 5;

describe('the store', () => {
  it('is readable by its owner alone', async () => {
    const dataDir = `${folder}/modes`;
    const store = await openStore({ dataDir });
    await createAccounts({ records: store.access }).createAccount({ name: 'one', plan: 'pro' });
    const modes = ['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
    expect(modes).toEqual([
      ['.', 0o700],
      ['citewire.db', 0o600],
      ['citewire.db-shm', 0o600],
      ['citewire.db-wal', 0o600],
    ]);
    await store.close();
    chmodSync(join(dataDir, 'citewire.db'), 0o644);
    await (await openStore({ dataDir })).close();
    expect(statSync(join(dataDir, 'citewire.db')).mode & 0o777).toBe(0o600);
  });

  it('keeps what it was given when it is opened again', async () => {
    const dataDir = `${folder}/again`;
    const first = await openStore({ dataDir });
    const { account, key } = await createAccounts({ records: first.access }).createKey({ name: 'k', plan: 'starter' });
    await first.close();
    const second = await openStore({ dataDir });
    expect(await second.access.account(account.id)).toEqual(account);
    expect(await second.access.keys()).toEqual([key]);
    await second.close();
  });

  it('refuses a database that a newer version has made', async () => {
    const dataDir = `${folder}/newer`;
    await (await openStore({ dataDir })).close();
    const database = new Database(join(dataDir, 'citewire.db'));
    database.prepare('insert into migrations values (?, ?)').run('999-later', '2030-01-01T00:00:00.000Z');
    database.close();
    await expect(openStore({ dataDir })).rejects.toThrow('newer version: this one does not know 999-later');
  });

  it('refuses a key without an account, and a plan or status that there is not', async () => {
    const store = await openStore({ dataDir: `${folder}/constraints` });
    const accounts = createAccounts({ records: store.access });
    const { key } = await accounts.createKey({ name: 'k', plan: 'pro' });
    await expect(
      store.access.addKey({ ...key, id: 'otherkey', secret_hash: 'x', account_id: 'acc_none' }),
    ).rejects.toThrow('FOREIGN KEY');
    const account = { id: 'a', name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '' } as const;
    await expect(store.access.addAccount({ ...account, plan: 'gold' as 'pro' })).rejects.toThrow('CHECK');
    await expect(store.access.addAccount({ ...account, status: 'odd' as 'active' })).rejects.toThrow('CHECK');
    await store.close();
  });

  it('is made once by processes that start at once, and gives one of them the first key', async () => {
    const dataDir = `${folder}/race`;
    const printed = await Promise.all([1, 2, 3, 4].map(() => outputOf(startProcess(dataDir, 'first'))));
    const keys = printed.flat().filter((line) => line !== 'none');
    expect(printed.flat()).toHaveLength(4);
    expect(keys).toHaveLength(1);
    expect(await unknownKeys(dataDir, keys)).toEqual([]);
  });

  it(`loses no key that was printed, and opens again, when it is killed ${kills} times`, async () => {
    const dataDir = `${folder}/killed`;
    const keys: string[] = [];
    for (let round = 0; round < kills; round++) {
      const child = startProcess(dataDir, 'endless');
      const lines = outputOf(child);
      await once(child.stdout!, 'readable');
      await sleep(Math.random() * 60);
      child.kill('SIGKILL');
      keys.push(...(await lines));
    }
    expect(keys.length).toBeGreaterThanOrEqual(kills);
    expect(await unknownKeys(dataDir, keys)).toEqual([]);
    const database = new Database(join(dataDir, 'citewire.db'), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  }, 900_000);

  it('holds no key, in any of its files', async () => {
    const dataDir = `${folder}/secrets`;
    const store = await openStore({ dataDir });
    const accounts = createAccounts({ records: store.access });
    const identity = createIdentity({ records: store.access });
    const keys: string[] = [];
    for (let i = 0; i < 50; i++) {
      const { plaintext, key } = await accounts.createKey({ name: `key ${i}`, plan: 'pro' });
      await identity.identify(plaintext, '127.0.0.1');
      if (i % 3 === 0) await accounts.revokeKey(key.id);
      keys.push(plaintext);
    }
    await identity.close();
    const whileOpen = bytesIn(dataDir);
    await store.close();
    for (const bytes of [whileOpen, bytesIn(dataDir)]) {
      expect(bytes.includes(keys[0]!.slice(3, 11))).toBe(true);
      expect(keys.filter((key) => bytes.includes(key) || bytes.includes(key.slice(12, 44)))).toEqual([]);
    }
  });
});

function startProcess(dataDir: string, mode: 'first' | 'endless'): ChildProcess {
  const script = new URL('./create-keys-process.ts', import.meta.url).pathname;
  return spawn(process.execPath, ['--import', 'tsx', script, dataDir, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The whole lines that the process printed until its end. */
async function outputOf(child: ChildProcess): Promise<string[]> {
  let text = '';
  child.stdout!.on('data', (bytes) => {
    text += bytes;
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}

async function unknownKeys(dataDir: string, keys: readonly string[]): Promise<string[]> {
  const store = await openStore({ dataDir });
  const identity = createIdentity({ records: store.access });
  const unknown: string[] = [];
  for (const key of keys) await identity.identify(key, '127.0.0.1').catch(() => unknown.push(key));
  await identity.close();
  await store.close();
  return unknown;
}

function bytesIn(dataDir: string): Buffer {
  return Buffer.concat(readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name))));
}
