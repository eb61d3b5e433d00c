/** What an account has in the store, for commands that its owner runs on the machine of the server. */
import { sessionKey } from '../../access/browser/session-key.ts';
import type { Caller } from '../../access/identity.ts';
import { neverAborted } from '../../base/abort.ts';
import type { Config } from '../../base/config.ts';
import { createDesigns } from '../../designs/designs.ts';
import type { Call } from '../../service/calls.ts';
import { createScheduleCalls, type ScheduleCalls } from '../../service/schedules.ts';
import { createWebhookCalls, type WebhookCalls } from '../../service/webhooks.ts';
import { openStore } from '../../store/store.ts';
import { createWebhookPoster } from '../../web/fetch/post-webhook.ts';
import { createSecretBox } from '../../webhooks/secret-box.ts';
import { chooseAccount } from './choose-account.ts';

export interface OfAccount {
  /** Its id; see `chooseAccount`. */
  readonly account?: string;
}

export interface AccountCalls {
  readonly webhooks: WebhookCalls;
  readonly schedules: ScheduleCalls;
  /**
   * Rejects with one sentence where the server has a SECRETS_KEY and none is set here: what is stored would be readable. Only warns on
   * stderr of another one: where the key was lost, a new secret sealed with a new key is the cure.
   */
  checkSecretsKey(): Promise<void>;
  /** The call of the account's owner. */
  readonly call: Call;
}

/**
 * Opens the store for `work`, and resolves with exit code 0. Throws `not_found` as `chooseAccount` does, and what `work` throws.
 */
export async function withAccountCalls(
  { account }: OfAccount,
  config: Config,
  work: (calls: AccountCalls) => Promise<void>,
): Promise<number> {
  const store = await openStore(config);
  const poster = createWebhookPoster({ allowHosts: config.fetchAllowHosts });
  try {
    const found = chooseAccount(await store.access.accounts(), account);
    // What is made here belongs to the account, not to one of its keys.
    const key = sessionKey(found.id, new Date().toISOString());
    if ((await store.access.keyWithAccount(key.id)) === undefined) await store.access.addKey(key);
    const owner: Caller = { key_id: key.id, account_id: found.id, plan: found.plan, scopes: [] };
    const access = { identify: async () => owner, takeFrom: async () => {} };
    const box = createSecretBox(config.secretsKey);
    const parts = { records: store.webhooks, box, checkUrl: poster.check };
    const webhooks = createWebhookCalls(parts, access);
    const designs = createDesigns(store.designs, () => {});
    const schedules = createScheduleCalls({ access, records: store.schedules, designs, webhookOfRun: webhooks.ofRun });
    await work({
      webhooks: webhooks.calls,
      schedules,
      async checkSecretsKey() {
        const newest = await store.webhooks.newestSecret();
        try {
          if (newest !== undefined) box.open(newest, 'the secrets of this database were');
        } catch (error) {
          if (config.secretsKey === undefined) throw error;
          const { message } = error as Error;
          process.stderr.write(
            `Warning: ${message}. Only servers with the one set here can sign with the new secret.\n`,
          );
        }
      },
      call: { request_id: 'cli', from: owner, signal: neverAborted, onCharged: () => {} },
    });
    return 0;
  } finally {
    await poster.close();
    await store.close();
  }
}
