/** `citewire webhooks` where the secrets of the database are encrypted with the SECRETS_KEY of the server. */
import { afterAll, expect, it, vi } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { readConfig } from '../../src/base/config.ts';
import { addWebhook, rotateWebhook } from '../../src/cli/accounts/webhooks.ts';
import { openStore } from '../../src/store/store.ts';
import { createSecretBox } from '../../src/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { webhookEndpoint } from '../contracts/webhook-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dataDir = temporaryFolder();
const key = 'a key that nobody can guess';
const configWith = (SECRETS_KEY?: string) =>
  readConfig({ DATA_DIR: dataDir, ...(SECRETS_KEY === undefined ? {} : { SECRETS_KEY }) });
const printed: string[] = [];
vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
afterAll(() => vi.restoreAllMocks());

it('stores no secret that the server could not read', async () => {
  const store = await openStore({ dataDir });
  const { account } = await createAccounts({ records: store.access }).createKey({ name: 'k', plan: 'pro' });
  const url = 'https://a.example/hook';
  expect(await addWebhook(url, {}, configWith())).toBe(0);
  const [first] = await store.webhooks.endpoints(account.id);
  await store.webhooks.removeEndpoint(account.id, first!.id);
  const secret = createSecretBox(key).seal(newWebhookSecret());
  await store.webhooks.addEndpoint(webhookEndpoint('we_1', account.id, { secret }), 10);
  printed.length = 0;
  for (const config of [configWith(), configWith('another key that nobody can guess')]) {
    for (const run of [() => addWebhook(url, {}, config), () => rotateWebhook('we_1', {}, config)]) {
      await expect(run()).rejects.toThrow(
        /^expected .*SECRETS_KEY.* with which the secrets of this database were encrypted; got /,
      );
    }
  }
  expect(printed).toEqual([]);
  expect(await addWebhook(url, {}, configWith(key))).toBe(0);
  expect(await rotateWebhook('we_1', {}, configWith(key))).toBe(0);
  expect(printed).toHaveLength(2);
  for (const each of await store.webhooks.endpoints(account.id)) expect(each.secret).toMatch(/^sealed_/);
  await store.close();
});
