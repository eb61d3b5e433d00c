/** What holds for links, sessions and usage by minute, whatever database they are kept in. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../src/access/access-records.ts';
import { sessionKey } from '../../src/access/browser/session-key.ts';

export function describeSessionRecords(
  name: string,
  open: (accounts: readonly string[]) => Promise<AccessRecords>,
): void {
  describe(`sessions and usage over ${name}`, () => {
    let records: AccessRecords;
    const later = '2026-02-01T00:00:00.000Z';
    const now = '2026-01-15T00:00:00.000Z';
    beforeAll(async () => {
      records = await open(['acc_a', 'acc_b']);
    });

    const addSession = (id: string, account_id = 'acc_a', expires_at = later, key_id: string | null = null) =>
      records.addSession({ id, account_id, created_at: now, expires_at, key_id }, sessionKey(account_id, now));

    it('gives a sign-in link to its first user only, and an expired one to nobody', async () => {
      await records.addLink({ id: 'fresh', account_id: 'acc_a', expires_at: later });
      await records.addLink({ id: 'old', account_id: 'acc_a', expires_at: now });
      const taken = await Promise.all(Array.from({ length: 8 }, () => records.takeLink('fresh', now)));
      expect(taken.filter((account) => account !== undefined)).toEqual(['acc_a']);
      expect(await records.takeLink('old', now)).toBeUndefined();
      expect(await records.takeLink('\0', now)).toBeUndefined();
    });

    it('stores a session with its account, and one key row for all browsers of an account', async () => {
      await Promise.all(['s1', 's2', 's3'].map((id) => addSession(id)));
      await addSession('s4', 'acc_b');
      expect(await records.sessionWithAccount('s1')).toMatchObject({
        session: { id: 's1', created_at: now, expires_at: later },
        account: { id: 'acc_a' },
      });
      expect((await records.keys()).map(({ id }) => id).sort()).toEqual(['browser_acc_a', 'browser_acc_b']);
      expect(await records.sessionWithAccount('none')).toBeUndefined();
    });

    it('stores the key that a session began with, and ends the session with it', async () => {
      const key = {
        ...sessionKey('acc_b', now),
        id: 'key_b',
        secret_hash: 'key_b',
        scopes: ['run'],
        collections: ['c'],
      };
      await records.addKey(key);
      await addSession('s-key', 'acc_b', later, 'key_b');
      await addSession('s-other', 'acc_a', later, 'key_b');
      expect(await records.sessionWithAccount('s-key')).toMatchObject({
        session: { key_id: 'key_b' },
        key: { id: 'key_b', scopes: ['run'], collections: ['c'] },
      });
      expect(await records.sessionWithAccount('s-other')).toBeUndefined();
      await records.revokeKey('key_b', now);
      expect(await records.sessionWithAccount('s-key')).toBeUndefined();
      await records.endSession('s-key');
      await records.endSession('s-other');
    });

    it('extends a session without ever shortening it, ends it once, and deletes expired ones', async () => {
      await addSession('s5', 'acc_a', '2026-01-20T00:00:00.000Z');
      await records.extendSessions(new Map([['s5', later]]));
      await records.extendSessions(new Map([['s5', now]]));
      expect((await records.sessionWithAccount('s5'))?.session.expires_at).toBe(later);
      expect(await records.endSession('s5')).toBe('acc_a');
      expect(await records.endSession('s5')).toBeUndefined();
      await addSession('s6', 'acc_a', '2026-01-14T00:00:00.000Z');
      await addSession('s7');
      expect(await records.sessionWithAccount('s6')).toBeUndefined();
    });

    it('keeps the newest refused calls of each account, and those of unknown keys not at all', async () => {
      await addSession('s9', 'acc_a');
      await addSession('s10', 'acc_b');
      const refusal = (n: number, key_id: string) => ({
        ...{ at: `2026-01-01T00:00:00.00${n}Z`, key_id, method: 'GET', path: '/', status: 401, code: 'unauthorized' },
        ...{ message: `no ${n}`, request_id: `r${n}` },
      });
      const page = { cursor: undefined, limit: 10 };
      await records.addRefusals([refusal(1, 'browser_acc_a'), refusal(1, 'browser_acc_b'), refusal(1, 'none')], 3);
      await records.addRefusals(
        [2, 3, 4].map((n) => refusal(n, 'browser_acc_a')),
        3,
      );
      const kept = [4, 3, 2].map((n) => refusal(n, 'browser_acc_a'));
      expect([...(await records.secretHashes(['browser_acc_a', 'none'])).keys()]).toEqual(['browser_acc_a']);
      expect((await records.refusals('acc_a', page)).items).toEqual(kept);
      expect((await records.refusals('acc_b', page)).items).toEqual([refusal(1, 'browser_acc_b')]);
      expect((await records.refusals('acc_a', { ...page, key_id: 'browser_acc_b' })).items).toEqual([]);
      const { items, cursor } = await records.refusals('acc_a', { ...page, limit: 2 });
      expect([...items, ...(await records.refusals('acc_a', { cursor, limit: 2 })).items]).toEqual(kept);
    });

    it('deletes the links and sessions of an account that becomes inactive, and no others', async () => {
      await records.addLink({ id: 'of-a', account_id: 'acc_a', expires_at: later });
      await records.changeAccount('acc_a', { status: 'suspended', status_reason: null });
      expect(await records.sessionWithAccount('s1')).toBeUndefined();
      expect(await records.takeLink('of-a', now)).toBeUndefined();
      expect(await records.sessionWithAccount('s4')).toBeDefined();
    });

    it('sums the usage of an account by day, minute and key, and deletes old minutes', async () => {
      const [one, two, other] = ['browser_acc_a', 'key_a', 'browser_acc_b'];
      await records.addKey({ ...sessionKey('acc_a', now), id: two!, secret_hash: two! });
      const count = (key_id: string, minute: string, amount: number) => ({ key_id, minute, counter: 'calls', amount });
      await records.addUsage([count(one!, '2026-01-15T11:58', 7), count(two!, '2026-01-14T12:00', 1)], '2026-01-14');
      await records.addUsage(
        [count(one!, '2026-01-15T12:00', 2), count(two!, '2026-01-15T12:00', 3), count(other!, '2026-01-15T12:00', 99)],
        '2026-01-15T11:59',
      );
      const span = { account_id: 'acc_a', from_day: '2026-01-01', from_minute: '2026-01-15T00:00' };
      expect(await records.accountUsage(span)).toEqual({
        days: [
          { at: '2026-01-14', counter: 'calls', amount: 1 },
          { at: '2026-01-15', counter: 'calls', amount: 12 },
        ],
        minutes: [{ at: '2026-01-15T12:00', counter: 'calls', amount: 5 }],
        keys: [
          { at: one, counter: 'calls', amount: 9 },
          { at: two, counter: 'calls', amount: 4 },
        ],
      });
      const ofOne = await records.accountUsage({ ...span, key_id: two, from_day: '2026-01-15' });
      expect(ofOne.days).toEqual([{ at: '2026-01-15', counter: 'calls', amount: 3 }]);
      expect((await records.accountUsage({ ...span, key_id: other })).days).toEqual([]);
    });

    it('links an identity to one account, also when it signs in several times simultaneously', async () => {
      const identity = { issuer: 'https://id.example', subject: 'ada' };
      expect(await records.accountOfIdentity(identity)).toBeUndefined();
      const fixed = { plan: 'pro', status: 'active', status_reason: null, created_at: now } as const;
      const drafts = ['acc_c', 'acc_d', 'acc_e', 'acc_f'].map((id) => ({ id, name: 'Ada', ...fixed }));
      const added = await Promise.all(drafts.map((draft) => records.addLinkedAccount(draft, identity)));
      expect(added.filter((isNew) => isNew)).toHaveLength(1);
      const linked = await records.accountOfIdentity(identity);
      expect(linked).toEqual(drafts[added.indexOf(true)]);
      const ids = (await records.accounts()).map(({ id }) => id);
      expect(ids.filter((id) => drafts.some((draft) => draft.id === id))).toEqual([linked?.id]);
      expect(await records.accountOfIdentity({ ...identity, issuer: 'https://other.example' })).toBeUndefined();
      expect(
        await records.addLinkedAccount(drafts.find(({ id }) => id !== linked?.id)!, { ...identity, subject: 'Ada' }),
      ).toBe(true);
    });

    it('renames a key only for its own account', async () => {
      expect(await records.renameKey('acc_a', 'key_a', 'desk')).toMatchObject({ id: 'key_a', name: 'desk' });
      expect(await records.renameKey('acc_b', 'key_a', 'theirs')).toBeUndefined();
    });
  });
}
