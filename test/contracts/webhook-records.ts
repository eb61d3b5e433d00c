/** What every outbox must do: queue with the record and never without it, give each delivery to one, and lose none. */
import { describe, expect, it } from 'vitest';
import type { RunWebhook } from '../../src/runs/records/run-records.ts';
import type { Store } from '../../src/store/store.ts';
import type { ClaimLimits, WebhookEndpoint } from '../../src/webhooks/webhook-records.ts';
import { backgroundRun } from './background-records.ts';
import { runRecord } from './run-records.ts';

type Kept = Pick<Store, 'background' | 'runs' | 'webhooks'>;

const own: RunWebhook = { endpoint_id: null, url: 'https://own.example/hook', secret: 'whsec_b3du' };
const wide: ClaimLimits = {
  limit: 100,
  reserve: 0,
  inFlight: new Map(),
  perTarget: 100,
  perAccount: 100,
  left: [],
  slow: new Map(),
};
const first = { cursor: undefined, limit: 100 };
const [soon, later] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];

export function webhookEndpoint(
  id: string,
  account_id: string,
  change: Partial<WebhookEndpoint> = {},
): WebhookEndpoint {
  return {
    id,
    account_id,
    url: `https://${id}.example/hook`,
    name: id,
    events: [],
    secret: `whsec_${Buffer.from(id).toString('base64')}`,
    old_secret: null,
    old_until: null,
    created_at: new Date().toISOString(),
    disabled_at: null,
    disabled_reason: null,
    dropped: 0,
    ...change,
  };
}

/** `open` gives a store in which the accounts exist and nothing is kept yet. */
export function describeWebhookRecords(name: string, open: (accounts: string[]) => Promise<Kept>): void {
  describe(`webhooks in ${name}`, () => {
    const queuedOf = async ({ webhooks }: Kept, account: string) =>
      (await webhooks.deliveries(account, first)).items.map(({ endpoint_id, search_id, type }) => [
        search_id,
        endpoint_id,
        type,
      ]);

    it('queues what is sent about a search together with its record, once', async () => {
      const store = await open(['a', 'b']);
      for (const id of ['all', 'off', 'failures']) await store.webhooks.addEndpoint(webhookEndpoint(id, 'a'), 10);
      await store.webhooks.changeEndpoint('a', 'off', { disabled_at: soon });
      await store.webhooks.changeEndpoint('a', 'failures', { events: ['search.failed'] });
      const record = runRecord('s1', 'a', { webhook: own });
      await Promise.all([store.runs.save(record), store.runs.save(runRecord('s2', 'b'))]);
      await store.runs.save(record);
      const { webhook: _, ...kept } = record;
      expect(await store.runs.get('a', 's1')).toEqual(kept);
      expect(new Set(await queuedOf(store, 'a'))).toEqual(
        new Set([
          ['s1', 'all', 'search.cancelled'],
          ['s1', null, 'search.cancelled'],
        ]),
      );
      expect(await queuedOf(store, 'b')).toEqual([]);
    });

    it('answers an endpoint as it is where nothing is to change, and only to its account', async () => {
      const { webhooks } = await open(['a', 'b']);
      const endpoint = webhookEndpoint('e', 'a', { events: ['search.failed'] });
      await webhooks.addEndpoint(endpoint, 10);
      expect(await webhooks.changeEndpoint('a', 'e', {})).toEqual(endpoint);
      expect(await webhooks.changeEndpoint('b', 'e', {})).toBeUndefined();
      expect(await webhooks.endpoint('a', 'e')).toEqual(endpoint);
    });

    it('queues one delivery where the request names an endpoint, whatever the endpoint is sent otherwise', async () => {
      const store = await open(['a']);
      await store.webhooks.addEndpoint(webhookEndpoint('e', 'a', { events: ['search.failed'] }), 10);
      const webhook = { endpoint_id: 'e', url: 'https://e.example/hook', secret: null } as const;
      await store.runs.save(runRecord('s1', 'a', { webhook, door: 'responses', state: 'completed' }));
      const [delivery, ...more] = (await store.webhooks.deliveries('a', first)).items;
      expect(more).toEqual([]);
      expect(delivery).toMatchObject({ type: 'response.completed', subject: 'resp_s1', endpoint_id: 'e' });
    });

    it('queues nothing about a search that is not recorded', async () => {
      const store = await open(['a']);
      await store.webhooks.addEndpoint(webhookEndpoint('e', 'a'), 10);
      await store.background.add(backgroundRun('s1', 'a'), 'p', 60_000);
      await store.runs.save(runRecord('s1', 'a', { attempt: 1, owner: 'other', webhook: own }));
      await store.runs.remove('a', 's2');
      await store.runs.save(runRecord('s2', 'a', { webhook: own }));
      await expect(store.runs.save(runRecord('s3', 'nobody', { webhook: own }))).rejects.toThrow();
      expect(await queuedOf(store, 'a')).toEqual([]);
      await store.runs.save(runRecord('s1', 'a', { attempt: 1, owner: 'p', webhook: own }));
      expect(await queuedOf(store, 'a')).toHaveLength(2);
    });

    it('gives each delivery to one of those that claim, and back once its lease has run out', async () => {
      const { runs, webhooks } = await open(['a']);
      await Promise.all(Array.from({ length: 20 }, (_, n) => runs.save(runRecord(`s${n}`, 'a', { webhook: own }))));
      const owners = ['p', 'q', 'r'];
      const claims = await Promise.all(
        owners.map((owner) => webhooks.claim(owner, soon, later, { ...wide, limit: 8 })),
      );
      const rest = await webhooks.claim('p', soon, later, wide);
      const ids = [...claims.flat(), ...rest].map(({ id }) => id);
      expect(ids).toHaveLength(20);
      expect(new Set(ids).size).toBe(20);
      expect(claims.flat()[0]!.secrets).toEqual([own.secret]);
      expect(await webhooks.claim('q', soon, later, wide)).toEqual([]);
      const again = await webhooks.claim('q', later, later, wide);
      expect(new Set(again.map(({ id }) => id))).toEqual(new Set(ids));
      // What the earlier owner still does has no effect.
      const made = { at: soon, status: 204, error: null, duration_ms: 1 };
      await webhooks.finish('p', ids[0]!, made, { state: 'delivered', next_at: null });
      expect(await webhooks.delivery('a', ids[0]!)).toMatchObject({ delivery: { state: 'pending' }, log: [] });
      await webhooks.finish('q', ids[0]!, made, { state: 'delivered', next_at: null });
      expect(await webhooks.delivery('a', ids[0]!)).toMatchObject({
        delivery: { state: 'delivered', tries: 1 },
        log: [made],
      });
      await webhooks.release('q', soon);
      expect(await webhooks.claim('p', soon, later, wide)).toHaveLength(19);
    });

    it('claims no more for a target or an account than there is room for', async () => {
      const { runs, webhooks } = await open(['a', 'b']);
      const at = (url: string): RunWebhook => ({ ...own, url });
      for (const [n, url] of ['https://x.example/1', 'https://x.example/2', 'https://y.example/'].entries()) {
        for (const m of [1, 2, 3]) await runs.save(runRecord(`a${n}${m}`, 'a', { webhook: at(url) }));
        await runs.save(runRecord(`b${n}`, 'b', { webhook: at(url) }));
      }
      const limits = { ...wide, perTarget: 2, perAccount: 3 };
      const claimed = await webhooks.claim('p', soon, later, limits);
      const count = (wanted: string) =>
        claimed.filter(({ target, account_id }) => [target, account_id].includes(wanted)).length;
      expect(['a https://x.example', 'a', 'b'].map(count)).toEqual([2, 3, 3]);
      const inFlight = new Map(['a', 'b'].map((account) => [account, 3]));
      expect(await webhooks.claim('p', soon, later, { ...limits, inFlight })).toEqual([]);
      const free = await webhooks.claim('p', soon, later, {
        ...limits,
        inFlight: new Map([['a https://x.example', 2]]),
      });
      expect(free.map(({ target }) => target)).toEqual(['a https://y.example', 'a https://y.example']);
    });

    it('serves accounts with nothing in flight first, and keeps places for them', async () => {
      const names = ['a', 'b', 'c', 'd'];
      const { runs, webhooks } = await open(names);
      const queue = (id: string, account: string, minute: number) =>
        runs.save(runRecord(id, account, { ended_at: `2026-01-01T00:0${minute}:00.000Z`, webhook: own }));
      for (const account of ['a', 'b']) for (const n of [1, 2, 3, 4, 5, 6]) await queue(`${account}${n}`, account, 1);
      for (const n of [1, 2]) for (const account of ['c', 'd']) await queue(`${account}${n}`, account, 1 + n);
      const accountsOf = (claimed: readonly { account_id: string }[]) => claimed.map(({ account_id }) => account_id);
      const busy = new Map([
        ['a', 1],
        ['b', 1],
      ]);
      // Only the places that are kept are left: one for each of the others, however many are due before theirs.
      const kept = { ...wide, limit: 3, reserve: 3, perAccount: 5 };
      expect(accountsOf(await webhooks.claim('p', soon, later, { ...kept, inFlight: busy }))).toEqual(['c', 'd']);
      const all = new Map([...busy, ['c', 1], ['d', 1]]);
      expect(await webhooks.claim('p', soon, later, { ...kept, inFlight: all })).toEqual([]);
      // Of those that are free for everybody, none is lost.
      const rest = await webhooks.claim('p', soon, later, {
        ...wide,
        limit: 20,
        reserve: 2,
        perAccount: 5,
        inFlight: all,
      });
      expect(accountsOf(rest).sort()).toEqual([...Array(4).fill('a'), ...Array(4).fill('b'), 'c', 'd']);
    });

    it('signs with two secrets until the old one has run out', async () => {
      const { runs, webhooks } = await open(['a']);
      const old = { old_secret: 'whsec_b2xk', old_until: soon };
      await webhooks.addEndpoint(webhookEndpoint('e', 'a', old), 10);
      await runs.save(runRecord('s1', 'a'));
      const now = new Date().toISOString();
      const [claimed] = await webhooks.claim('p', new Date(Date.now() + 1).toISOString(), now, wide);
      expect(claimed!.secrets).toEqual([webhookEndpoint('e', 'a').secret, 'whsec_b2xk']);
      const [again] = await webhooks.claim('p', later, later, wide);
      expect(again!.secrets).toEqual([webhookEndpoint('e', 'a').secret]);
      await webhooks.changeEndpoint('a', 'e', { disabled_at: now });
      expect(await webhooks.claim('p', later, later, wide)).toMatchObject([{ secrets: [] }]);
    });

    it('waits with all that goes to a receiver that asks for time', async () => {
      const { runs, webhooks } = await open(['a']);
      for (const n of [1, 2, 3]) await runs.save(runRecord(`s${n}`, 'a', { webhook: own }));
      await runs.save(runRecord('s4', 'a', { webhook: { ...own, url: 'https://else.example/' } }));
      const now = new Date(Date.now() + 1_000).toISOString();
      const [one] = await webhooks.claim('p', now, later, { ...wide, limit: 1 });
      const made = { at: now, status: 429, error: 'Busy.', duration_ms: 1 };
      await webhooks.finish('p', one!.id, made, { state: 'pending', next_at: later, slow_until: soon });
      expect((await webhooks.claim('p', now, later, wide)).map(({ search_id }) => search_id)).toEqual(['s4']);
      expect(await webhooks.claim('p', soon, later, wide)).toHaveLength(2);
    });

    it('waits also with what was queued after the receiver asked for time', async () => {
      const { runs, webhooks } = await open(['a']);
      await runs.save(runRecord('s1', 'a', { webhook: own }));
      await runs.save(runRecord('s2', 'a', { webhook: { ...own, url: 'https://else.example/' } }));
      const now = new Date(Date.now() + 1_000).toISOString();
      const slow = new Map([[`a ${new URL(own.url).origin}`, soon]]);
      const claimed = await webhooks.claim('p', now, later, { ...wide, slow });
      expect(claimed.map(({ search_id }) => search_id)).toEqual(['s2']);
      expect((await webhooks.deliveries('a', first)).items).toEqual(
        expect.arrayContaining([expect.objectContaining({ search_id: 's1', next_at: soon })]),
      );
      expect((await webhooks.claim('p', soon, later, wide)).map(({ search_id }) => search_id)).toEqual(['s1']);
    });

    it('sends again what its account asks for, and disables an endpoint that is gone', async () => {
      const { runs, webhooks } = await open(['a', 'b']);
      await webhooks.addEndpoint(webhookEndpoint('e', 'a'), 10);
      await runs.save(runRecord('s1', 'a'));
      const { id } = (await webhooks.claim('p', soon, later, wide))[0]!;
      const made = { at: soon, status: 410, error: 'Gone.', duration_ms: 1 };
      await webhooks.finish('p', id, made, { state: 'failed', next_at: null, disable: 'Gone.' });
      expect(await webhooks.endpoint('a', 'e')).toMatchObject({ disabled_at: soon, disabled_reason: 'Gone.' });
      expect(await webhooks.nextDue()).toBeUndefined();
      expect(await webhooks.redeliver('b', id, soon)).toBe(false);
      expect(await webhooks.redeliver('a', id, soon)).toBe(true);
      expect(await webhooks.nextDue()).toBe(soon);
      expect(await webhooks.claim('p', soon, later, wide)).toMatchObject([{ id, tries: 1, round: 0 }]);
    });

    it('adds no more endpoints than the limit, and removes one with what was to be sent to it', async () => {
      const store = await open(['a']);
      const ids = Array.from({ length: 8 }, (_, n) => `e${n}`);
      const added = await Promise.all(ids.map((id) => store.webhooks.addEndpoint(webhookEndpoint(id, 'a'), 3)));
      expect(added.filter(Boolean)).toHaveLength(3);
      await store.runs.save(runRecord('s1', 'a'));
      const { id } = (await store.webhooks.endpoints('a'))[0]!;
      expect(await store.webhooks.removeEndpoint('b', id)).toBe(false);
      expect(await store.webhooks.removeEndpoint('a', id)).toBe(true);
      expect(await queuedOf(store, 'a')).toHaveLength(2);
      await store.runs.remove('a', 's1');
      expect(await queuedOf(store, 'a')).toEqual([]);
    });

    it('makes due now what is due later than any schedule says, and nothing else', async () => {
      const { runs, webhooks } = await open(['a']);
      for (const id of ['s1', 's2']) await runs.save(runRecord(id, 'a', { webhook: own }));
      const claimed = await webhooks.claim('p', soon, later, wide);
      const made = { at: soon, status: 500, error: null, duration_ms: 1 };
      const due = ['2099-01-01T00:00:00.000Z', later];
      for (const [n, { id }] of claimed.entries()) {
        await webhooks.finish('p', id, made, { state: 'pending', next_at: due[n]! });
      }
      await webhooks.pullBack(later, soon);
      const { items } = await webhooks.deliveries('a', first);
      expect(items.map(({ next_at }) => next_at).sort()).toEqual([soon, later].sort());
    });

    it('lists deliveries page by page, newest first, and forgets those that ended long ago', async () => {
      const { runs, webhooks } = await open(['a']);
      for (const n of [1, 2, 3]) {
        const ended_at = `2026-01-0${n}T00:00:00.000Z`;
        await runs.save(runRecord(`s${n}`, 'a', { ended_at, webhook: own }));
      }
      const page = await webhooks.deliveries('a', { cursor: undefined, limit: 2 });
      const next = await webhooks.deliveries('a', { cursor: page.cursor, limit: 2 });
      expect([...page.items, ...next.items].map(({ search_id }) => search_id)).toEqual(['s3', 's2', 's1']);
      expect(next.cursor).toBeUndefined();
      for (const { id } of await webhooks.claim('p', soon, later, { ...wide, limit: 2 })) {
        const made = { at: soon, status: 204, error: null, duration_ms: 1 };
        await webhooks.finish('p', id, made, { state: 'delivered', next_at: null });
      }
      expect(await webhooks.removeBefore('2026-02-01T00:00:00.000Z', 1)).toBe(true);
      expect(await webhooks.removeBefore('2026-02-01T00:00:00.000Z', 10)).toBe(false);
      expect((await webhooks.deliveries('a', first)).items.map(({ search_id }) => search_id)).toEqual(['s3']);
      expect(await webhooks.pending('a', 10)).toBe(1);
    });
  });
}
