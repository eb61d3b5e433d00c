/** `citewire webhooks` where the secrets of the database are encrypted with the SECRETS_KEY of the server. */
import { afterAll, expect, it, vi } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { type Config, readConfig } from '../../src/base/config.ts';
import { addWebhook, rotateWebhook } from '../../src/cli/accounts/webhooks.ts';
import { openStore } from '../../src/store/store.ts';
import { createSecretBox } from '../../src/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { webhookEndpoint } from '../contracts/webhook-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dataDir = temporaryFolder();
const lostDir = temporaryFolder();
const key = 'a key that nobody can guess';
const configWith = (SECRETS_KEY?: string, DATA_DIR = dataDir) =>
  readConfig({ DATA_DIR, ...(SECRETS_KEY === undefined ? {} : { SECRETS_KEY }) });
const printed: string[] = [];
vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
const said: string[] = [];
vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
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
  for (const run of [() => addWebhook(url, {}, configWith()), () => rotateWebhook('we_1', {}, configWith())]) {
    await expect(run()).rejects.toThrow(
      'expected SECRETS_KEY, with which the secrets of this database were encrypted; got none',
    );
  }
  expect(printed).toEqual([]);
  said.length = 0;
  expect(await addWebhook(url, {}, configWith(key))).toBe(0);
  expect(await rotateWebhook('we_1', {}, configWith(key))).toBe(0);
  expect(printed).toHaveLength(2);
  expect(said.join('')).not.toContain('Warning');
  for (const each of await store.webhooks.endpoints(account.id)) expect(each.secret).toMatch(/^sealed_/);
  await store.close();
});

it('rotates and adds secrets with a new key where the key was lost, and warns of it', async () => {
  const store = await openStore({ dataDir: lostDir });
  const { account } = await createAccounts({ records: store.access }).createKey({ name: 'k', plan: 'pro' });
  const secret = createSecretBox('the key that was lost').seal(newWebhookSecret());
  const newKey = 'a new key that nobody can guess';
  for (const act of [
    (config: Config) => rotateWebhook('we_1', {}, config),
    (config: Config) => addWebhook('https://a.example/hook', {}, config),
  ]) {
    for (const { id } of await store.webhooks.endpoints(account.id)) {
      await store.webhooks.removeEndpoint(account.id, id);
    }
    await store.webhooks.addEndpoint(webhookEndpoint('we_1', account.id, { secret }), 10);
    said.length = 0;
    printed.length = 0;
    expect(await act(configWith(newKey, lostDir))).toBe(0);
    expect(said.join('')).toMatch(/^Warning: .* got another one\. Only servers with the one set here can sign/);
    const sealed = (await store.webhooks.endpoints(account.id)).map((each) => each.secret);
    const opened = sealed.flatMap((each) => {
      try {
        return [createSecretBox(newKey).open(each)];
      } catch {
        return [];
      }
    });
    expect(opened).toEqual([printed.join('').trim()]);
  }
  await store.close();
});
