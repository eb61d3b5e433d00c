/**
 * Webhooks as an account uses them: its endpoints, what was sent to them, and where a single search is to be sent. A secret is
 * shown once, when it is made.
 */
import { randomBytes } from 'node:crypto';
import {
  type NewWebhookEndpoint,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryList,
  WebhookDeliveryQuery,
  type WebhookDeliveryRecord,
  WebhookEndpointChange,
  type WebhookEndpointList,
  type WebhookEndpointRemoved,
  WebhookEndpointRequest,
  type WebhookEndpoint as WireEndpoint,
  webhookLimits,
} from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { checkUnrestricted } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import { AppError, invalid, notFound, parse } from '../base/errors.ts';
import type { RunWebhook } from '../runs/records/run-records.ts';
import type { SecretBox } from '../webhooks/secret-box.ts';
import { newWebhookSecret } from '../webhooks/sign.ts';
import type { Delivery, WebhookEndpoint, WebhookRecords } from '../webhooks/webhook-records.ts';
import type { BodyCall, Call, CallAccess, Query } from './calls.ts';
import { createCallerCounter } from './count-caller.ts';

/** Every call rejects with 403 for a key without the scope, and with 404 for what the account does not have. */
export interface WebhookCalls {
  list(call: Call): Promise<WebhookEndpointList>;
  /** Rejects with 422 for an address that is not public, and with 403 beyond the limit of endpoints. */
  create(call: BodyCall): Promise<NewWebhookEndpoint>;
  change(call: BodyCall, webhook_id: string): Promise<WireEndpoint>;
  remove(call: Call, webhook_id: string): Promise<WebhookEndpointRemoved>;
  rotate(call: Call, webhook_id: string): Promise<NewWebhookEndpoint>;
  test(call: Call, webhook_id: string): Promise<WebhookDelivery>;
  deliveries(call: Call, query: Query): Promise<WebhookDeliveryList>;
  delivery(call: Call, delivery_id: string): Promise<WebhookDeliveryRecord>;
  redeliver(call: Call, delivery_id: string): Promise<WebhookDelivery>;
}

/** Secrets of an endpoint that stay valid beside the newest; set by hand. Each is another signature in the header. */
const maxOldSecrets = 2;

/** The webhook of a search, from its body or from the query of a run, which can have no secret. Rejects with 422 for a URL that is not allowed, or for which no secret is known. */
export type WebhookOfRun = (caller: Caller, webhook: Webhook, place?: 'body' | 'query') => Promise<RunWebhook>;

export interface WebhookParts {
  readonly records: WebhookRecords;
  readonly box: SecretBox;
  /** Throws an AppError `blocked_address` for a URL that is never posted to. */
  readonly checkUrl: (url: string) => void;
}

/** The calls of accounts, and the function that finds the webhook of a search. */
export function createWebhookCalls(
  { records, box, checkUrl }: WebhookParts,
  access: Pick<CallAccess, 'identify' | 'takeFrom'>,
): { readonly calls: WebhookCalls; readonly ofRun: WebhookOfRun } {
  const countCaller = createCallerCounter(access, (caller) => {
    checkScope(caller, 'webhooks');
    checkUnrestricted(caller, 'manage the webhooks of the account');
  });

  async function find({ account_id }: Caller, id: string): Promise<WebhookEndpoint> {
    const endpoint = await records.endpoint(account_id, id);
    if (endpoint === undefined) throw notFound('webhook', id);
    return endpoint;
  }

  async function findDelivery({ account_id }: Caller, id: string) {
    const found = await records.delivery(account_id, id);
    if (found === undefined) throw notFound('delivery', id);
    return found;
  }

  const calls: WebhookCalls = {
    async list(call) {
      const { account_id } = await countCaller(call, 'reads');
      return { items: (await records.endpoints(account_id)).map(showEndpoint) };
    },

    async create(call) {
      const { account_id } = await countCaller(call, 'writes');
      const given = parse(WebhookEndpointRequest, await call.body());
      checkUrl(given.url);
      const secret = newWebhookSecret();
      const endpoint = newEndpoint({ ...given, account_id, secret: box.seal(secret) });
      if (!(await records.addEndpoint(endpoint, webhookLimits.endpoints))) {
        throw new AppError(
          'forbidden',
          `An account has at most ${webhookLimits.endpoints} webhooks; remove one that is not used.`,
        );
      }
      return { ...showEndpoint(endpoint), secret };
    },

    async change(call, webhook_id) {
      const caller = await countCaller(call, 'writes');
      const { enabled, name, events } = parse(WebhookEndpointChange, await call.body());
      const { disabled_at } = await find(caller, webhook_id);
      const endpoint = await records.changeEndpoint(caller.account_id, webhook_id, {
        ...(name === undefined ? {} : { name }),
        ...(events === undefined ? {} : { events }),
        ...(enabled === true ? { disabled_at: null, disabled_reason: null, dropped: 0 } : {}),
        ...(enabled === false && disabled_at === null
          ? { disabled_at: now(), disabled_reason: 'Disabled by the account.' }
          : {}),
      });
      if (endpoint === undefined) throw notFound('webhook', webhook_id);
      return showEndpoint(endpoint);
    },

    async remove(call, webhook_id) {
      const { account_id } = await countCaller(call, 'writes');
      if (!(await records.removeEndpoint(account_id, webhook_id))) throw notFound('webhook', webhook_id);
      return { webhook_id, deleted: true };
    },

    async rotate(call, webhook_id) {
      const caller = await countCaller(call, 'writes');
      const { secret: last, old_secret: olds, old_until: until } = await find(caller, webhook_id);
      // A receiver may still have the one before: the new one that it was to get may have been lost.
      const older = olds !== null && until !== null && until > now() ? olds.split(' ') : [];
      const old_secret = [last, ...older].slice(0, maxOldSecrets).join(' ');
      const secret = newWebhookSecret();
      const old_until = new Date(Date.now() + 1000 * webhookLimits.old_secret_s).toISOString();
      const change = { secret: box.seal(secret), old_secret, old_until };
      const endpoint = await records.changeEndpoint(caller.account_id, webhook_id, change);
      if (endpoint === undefined) throw notFound('webhook', webhook_id);
      return { ...showEndpoint(endpoint), secret };
    },

    async test(call, webhook_id) {
      const caller = await countCaller(call, 'writes');
      const { id: endpoint_id, url, account_id } = await find(caller, webhook_id);
      await checkRoom(account_id);
      const at = now();
      const id = `msg_${randomBytes(20).toString('base64url')}`;
      const about = {
        search_id: null,
        type: 'webhook.test',
        subject: endpoint_id,
        occurred_at: at,
        created_at: at,
      } as const;
      const delivery = await records.add({ id, account_id, endpoint_id, url, ...about });
      return showDelivery(delivery);
    },

    async deliveries(call, query) {
      const { account_id } = await countCaller(call, 'reads');
      const { webhook_id, cursor, limit } = parse(WebhookDeliveryQuery, query, 'query');
      const { items, ...next } = await records.deliveries(account_id, { cursor, limit, endpoint_id: webhook_id });
      return { items: items.map(showDelivery), ...next };
    },

    async delivery(call, delivery_id) {
      const { delivery, log } = await findDelivery(await countCaller(call, 'reads'), delivery_id);
      return { ...showDelivery(delivery), log };
    },

    async redeliver(call, delivery_id) {
      const caller = await countCaller(call, 'writes');
      await findDelivery(caller, delivery_id);
      await checkRoom(caller.account_id);
      // A delivery that is being tried is sent anyway.
      await records.redeliver(caller.account_id, delivery_id, now());
      return showDelivery((await findDelivery(caller, delivery_id)).delivery);
    },
  };

  async function checkRoom(account_id: string): Promise<void> {
    const { pending } = webhookLimits;
    if ((await records.pending(account_id, pending)) < pending) return;
    const message = `${pending.toLocaleString('en')} webhooks of this account are waiting to be delivered.`;
    throw new AppError('rate_limited', message, { retry_after_ms: 60_000 });
  }

  return {
    calls,
    async ofRun({ account_id }, { url, secret }, place = 'body') {
      checkUrl(url);
      await checkRoom(account_id);
      if (secret !== undefined) return { endpoint_id: null, url, secret: box.seal(secret) };
      const known = (await records.endpoints(account_id)).find((each) => each.url === url && each.disabled_at === null);
      if (known !== undefined) return { endpoint_id: known.id, url, secret: null };
      if (place === 'query') {
        throw invalid(['query', 'webhook'], 'expected the URL of an enabled webhook of this account', 'value_error');
      }
      const msg = 'expected a secret, because no enabled webhook of this account has this URL';
      throw invalid(['body', 'webhook', 'secret'], msg, 'value_error');
    },
  };
}

/** An endpoint that is not stored yet, with its sealed secret. */
function newEndpoint(
  given: Pick<WebhookEndpoint, 'account_id' | 'url' | 'name' | 'events' | 'secret'>,
): WebhookEndpoint {
  const rest = { old_secret: null, old_until: null, disabled_at: null, disabled_reason: null, dropped: 0 };
  return { id: `we_${randomBytes(12).toString('base64url')}`, ...given, ...rest, created_at: now() };
}

function now(): string {
  return new Date().toISOString();
}

function showEndpoint({ id, account_id: _, secret: _s, old_secret: _o, old_until, ...endpoint }: WebhookEndpoint) {
  const rotated_until = old_until !== null && old_until > now() ? old_until : null;
  return { webhook_id: id, ...endpoint, events: [...endpoint.events], rotated_until } satisfies WireEndpoint;
}

function showDelivery(delivery: Delivery): WebhookDelivery {
  const { id, endpoint_id, url, search_id, type, state, created_at, tries, next_at, last_status, last_error } =
    delivery;
  const what = { delivery_id: id, webhook_id: endpoint_id, url, search_id, type, state, created_at };
  return { ...what, tries, next_try_at: next_at, last_status, last_error };
}
