/** Callers who are counted leave what `citewire accounts suspects` shows. */
import { expect, it } from 'vitest';
import { openAccess } from '../../../src/access/access.ts';
import { createLog } from '../../../src/base/log.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { openStore } from '../../../src/store/store.ts';
import { runCli } from '../../support/processes/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

it('lists the accounts whose calls exceeded a limit together, without an address', async () => {
  const where = { dataDir: folder, redisUrl: undefined, publicUrl: undefined };
  const store = await openStore(where);
  const access = await openAccess({
    ...where,
    records: store.access,
    metrics: createMetrics(),
    log: createLog('silent'),
  });
  const keys = await Promise.all(
    ['one', 'two', 'apart'].map((name) => access.accounts.createKey({ name, plan: 'starter' })),
  );
  const addresses = ['93.184.216.7', '::ffff:93.184.216.7', '93.184.216.8'];
  const signedIn = await Promise.all(
    keys.map(({ plaintext }, at) => access.identify({ api_key: plaintext, address: addresses[at]! })),
  );
  for (let round = 0; round < 15; round++) {
    // A connection that lives on is where it began.
    for (const caller of signedIn) await access.take(await access.identify(caller));
  }
  await access.close();
  await store.close();

  const { code, stdout } = await runCli(['accounts', 'suspects'], { DATA_DIR: folder });
  expect(code).toBe(0);
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^One IP address: over 10 calls combined in \d minutes?, peak \d\d:$/);
  expect(lines.map((line) => line.split('\t').slice(0, 4)).sort()).toEqual(
    keys
      .slice(0, 2)
      .map(({ account }) => [account.id, 'starter', 'active', account.name])
      .sort(),
  );
  expect(stdout).not.toContain('93.184');
});
