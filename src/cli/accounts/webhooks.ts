/**
 * `citewire webhooks`: works directly on the store, whether or not a server is running. Each command resolves with its exit code.
 */
import type { WebhookDelivery } from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { counted } from '../../base/text/counted.ts';
import type { Call } from '../../service/calls.ts';
import type { WebhookCalls } from '../../service/webhooks.ts';
import { printRow } from '../print-row.ts';
import { type OfAccount, withAccountCalls } from './with-account-calls.ts';

/** Prints only the secret of the new endpoint. */
export function addWebhook(
  url: string,
  options: OfAccount & { readonly name?: string },
  config: Config,
): Promise<number> {
  return withAccountCalls(options, config, async ({ webhooks, call, checkSecretsKey }) => {
    await checkSecretsKey();
    const { name = '' } = options;
    const { webhook_id, secret } = await webhooks.create({ ...call, body: async () => ({ url, name }) });
    process.stderr.write(`Webhook ${webhook_id} added. Its secret, which is not shown again:\n`);
    process.stdout.write(`${secret}\n`);
  });
}

/** Prints one tab-separated line per endpoint: id, state, URL, name and events. */
export function listWebhooks(options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => {
    for (const { webhook_id, url, name, events, disabled_reason, dropped } of (await webhooks.list(call)).items) {
      const state = disabled_reason === null ? 'enabled' : `disabled: ${disabled_reason}`;
      const rest = [
        events.length === 0 ? 'all events' : events.join(', '),
        ...(dropped > 0 ? [`${dropped} dropped`] : []),
      ];
      printRow([webhook_id, state, url, name, ...rest]);
    }
  });
}

/** Prints only the new secret. Throws `not_found` when there is no such endpoint, as the other commands do. */
export function rotateWebhook(id: string, options: OfAccount, config: Config): Promise<number> {
  return withAccountCalls(options, config, async ({ webhooks, call, checkSecretsKey }) => {
    await checkSecretsKey();
    const { secret, rotated_until } = await webhooks.rotate(call, id);
    process.stderr.write(`Until ${rotated_until} the secret before this one signs as well.\n`);
    process.stdout.write(`${secret}\n`);
  });
}

/** Removes the endpoint, and what was to be sent to it. */
export function removeWebhook(id: string, options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => {
    await webhooks.remove(call, id);
    process.stderr.write(`Webhook ${id} removed.\n`);
  });
}

/** Enables or disables the endpoint. */
export function setWebhook(id: string, enabled: boolean, options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => {
    await webhooks.change({ ...call, body: async () => ({ enabled }) }, id);
    process.stderr.write(`Webhook ${id} ${enabled ? 'enabled' : 'disabled'}.\n`);
  });
}

/** Queues a `webhook.test`, which a running server sends within seconds. */
export function testWebhook(id: string, options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => queued(await webhooks.test(call, id)));
}

/**
 * Prints one tab-separated line per delivery, the latest 100: id, state, type, search, URL, attempts and the outcome of the last one.
 */
export function listDeliveries(options: OfAccount & { readonly webhook?: string }, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => {
    const query = { limit: '100', ...(options.webhook === undefined ? {} : { webhook_id: options.webhook }) };
    for (const each of (await webhooks.deliveries(call, query)).items) {
      const { delivery_id, state, type, search_id, url, tries, last_error, last_status } = each;
      printRow([
        delivery_id,
        state,
        type,
        search_id ?? '',
        url,
        counted(tries, 'attempt'),
        last_error ?? `${last_status ?? ''}`,
      ]);
    }
  });
}

/** Prints one tab-separated line per attempt of a delivery: time, status or error, and how long it took. */
export function listTries(id: string, options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => {
    for (const { at, status, error, duration_ms } of (await webhooks.delivery(call, id)).log) {
      printRow([at, error ?? String(status), `${duration_ms} ms`]);
    }
  });
}

/** Queues a delivery to be sent again. */
export function redeliver(id: string, options: OfAccount, config: Config): Promise<number> {
  return withWebhooks(options, config, async (webhooks, call) => queued(await webhooks.redeliver(call, id)));
}

/** Opens the store for `work` with the webhooks of an account. Throws `not_found` for an unknown account. */
function withWebhooks(
  account: OfAccount,
  config: Config,
  work: (webhooks: WebhookCalls, call: Call) => Promise<void>,
): Promise<number> {
  return withAccountCalls(account, config, ({ webhooks, call }) => work(webhooks, call));
}

function queued({ delivery_id }: WebhookDelivery): void {
  process.stderr.write(`${delivery_id} is queued; a running server sends it within seconds.\n`);
}
