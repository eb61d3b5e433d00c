/** What holds for invitations and for the list of accounts that administrators see, whatever database they are kept in. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../../src/access/access-records.ts';
import { sessionKey } from '../../../src/access/browser/session-key.ts';

export function describeAccountListRecords(
  name: string,
  open: (accounts: readonly string[]) => Promise<AccessRecords>,
): void {
  describe(`the list of accounts and invitations over ${name}`, () => {
    let records: AccessRecords;
    const now = '2026-01-15T00:00:00.000Z';
    const later = '2026-02-01T00:00:00.000Z';
    beforeAll(async () => {
      records = await open([]);
      const all = [
        ['acc_1', 'Ada Lovelace', 'active'],
        ['acc_2', 'ÄRZTE 100%', 'suspended'],
        ['acc_3', 'ada research', 'active'],
      ] as const;
      for (const [at, [id, title, status]] of all.entries()) {
        const created_at = `2026-01-0${at + 1}T00:00:00.000Z`;
        await records.addAccount({ id, name: title, plan: 'pro', status, status_reason: null, created_at });
      }
    });

    const find = async (text: string, more: { status?: 'active' | 'suspended'; limit?: number } = {}) => {
      const words = text.split(' ').filter(Boolean);
      const { items } = await records.accountPage({ cursor: undefined, limit: 10, words, ...more });
      return items.map(({ id }) => id);
    };

    it('lists accounts newest first, page by page', async () => {
      const first = await records.accountPage({ cursor: undefined, limit: 2, words: [] });
      expect(first.items.map(({ id }) => id)).toEqual(['acc_3', 'acc_2']);
      const second = await records.accountPage({ cursor: first.cursor, limit: 2, words: [] });
      expect(second).toEqual({ items: [expect.objectContaining({ id: 'acc_1', name: 'Ada Lovelace' })] });
    });

    it('finds all words in a name or id, in any case, and takes none for a pattern', async () => {
      expect(await find('ADA')).toEqual(['acc_3', 'acc_1']);
      expect(await find('ada love')).toEqual(['acc_1']);
      expect(await find('ÄRZTE')).toEqual(['acc_2']);
      expect(await find('100%')).toEqual(['acc_2']);
      expect(await find('a_a')).toEqual([]);
      expect(await find('acc_3')).toEqual(['acc_3']);
      expect(await find('', { status: 'suspended' })).toEqual(['acc_2']);
      expect(await find('nobody')).toEqual([]);
    });

    it('counts keys that are not revoked, without those of sessions, and names identities', async () => {
      const key = sessionKey('acc_1', now);
      await records.addKey(key);
      await records.addKey({ ...key, id: 'key_1', secret_hash: 'key_1', last_used_at: now });
      await records.addKey({ ...key, id: 'key_2', secret_hash: 'key_2' });
      await records.addKey({ ...key, id: 'key_3', secret_hash: 'key_3', last_used_at: later, revoked_at: now });
      const linked = { id: 'acc_4', name: 'Linked', plan: 'starter', status: 'active', status_reason: null } as const;
      const identity = { issuer: 'https://id.example', subject: 'ada' };
      await records.addLinkedAccount({ ...linked, created_at: now }, identity);
      const details = await records.accountDetails(['acc_1', 'acc_4'], [key.id]);
      expect(details.get('acc_1')).toEqual({ keys: 2, last_used_at: now, identities: [] });
      expect(details.get('acc_4')).toEqual({ keys: 0, last_used_at: null, identities: [identity] });
      expect(await records.accountDetails([], [])).toEqual(new Map());
    });

    const invitation = (id: string, expires_at = later) => {
      const about = { name: 'Grace', plan: 'pro', created_at: now, accepted_at: null, account_id: null } as const;
      return { id, expires_at, ...about };
    };

    it('creates the account of an invitation for its first user only', async () => {
      expect(await records.addInvitation(invitation('open'), 10, now)).toBe(true);
      const drafts = ['acc_a', 'acc_b', 'acc_c', 'acc_d'].map((id) => ({ id }));
      const accepted = await Promise.all(drafts.map((draft) => records.acceptInvitation('open', draft, now)));
      const [account, ...others] = accepted.filter((each) => each !== undefined);
      expect(others).toEqual([]);
      expect(account).toMatchObject({ name: 'Grace', plan: 'pro', status: 'active', created_at: now });
      expect(await records.account(account!.id)).toEqual(account);
      expect(await find('Grace')).toEqual([account!.id]);
      expect((await records.invitations(10))[0]).toMatchObject({ accepted_at: now, account_id: account!.id });
      expect(await records.removeInvitation('open')).toBe(false);
    });

    it('accepts no invitation that has expired or was revoked, nor one that never was', async () => {
      await records.addInvitation(invitation('old', now), 10, now);
      await records.addInvitation(invitation('revoked'), 10, now);
      expect(await records.removeInvitation('revoked')).toBe(true);
      for (const id of ['old', 'revoked', 'never']) {
        expect(await records.acceptInvitation(id, { id: 'acc_never' }, now)).toBeUndefined();
      }
      expect(await records.account('acc_never')).toBeUndefined();
    });

    it('bounds the open invitations, and forgets those that expired long ago', async () => {
      await records.addInvitation(invitation('one'), 10, later);
      expect(await records.addInvitation(invitation('two'), 1, now)).toBe(false);
      expect((await records.invitations(10)).map(({ id }) => id)).not.toContain('old');
    });
  });
}
