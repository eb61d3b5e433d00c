/**
 * What administrators do with accounts over HTTP: list them, create and invite, change plan and status. Every change is one line
 * in the log, with who made it and without secrets.
 */
import {
  AccountChange,
  type AccountList,
  AccountListQuery,
  AccountRequest,
  type AccountSummary,
  type Invitation,
  type InvitationList,
  InvitationRequest,
  type InvitationRevoked,
  invitationLimits,
  type NewInvitation,
  type SuspectList,
} from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import type { Access } from '../../access/access.ts';
import type { Account, AccountDetails, InvitationRecord } from '../../access/access-records.ts';
import { checkAdministrator } from '../../access/administration/administrators.ts';
import type { Caller } from '../../access/identity.ts';
import { AppError, invalid, parse } from '../../base/errors.ts';
import type { BodyCall, Call, Query } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';

/** All reject with `forbidden` for a caller who is not an administrator. */
export interface AccountAdministration {
  list(call: Call, query: Query): Promise<AccountList>;
  create(call: BodyCall): Promise<AccountSummary>;
  /** Rejects with 404 if there is no such account, and with 422 for the caller's own where it would lock them out. */
  change(call: BodyCall, account_id: string): Promise<AccountSummary>;
  suspects(call: Call): Promise<SuspectList>;
  /** `link` is the secret part of the link. */
  invite(call: BodyCall): Promise<Omit<NewInvitation, 'url'> & { readonly link: string }>;
  invitations(call: Call): Promise<InvitationList>;
  /** Rejects with 404 if there is no open invitation with this id. */
  revokeInvitation(call: Call, invitation_id: string): Promise<InvitationRevoked>;
}

export interface AdministrationOptions {
  /** The ids of ADMIN_ACCOUNTS. */
  readonly admins: readonly string[];
  /** Notes a change: who made it, and what it was. */
  readonly audit: (change: Readonly<Record<string, unknown>>) => void;
}

/** Its calls need an administrator; see access/administration/administrators.ts. */
export function createAccountAdministration(
  access: Pick<Access, 'identify' | 'takeFrom' | 'accounts' | 'accountList' | 'invitations' | 'quotas'>,
  { admins, audit }: AdministrationOptions,
): AccountAdministration {
  const { accounts, accountList, invitations, quotas } = access;

  const countCaller = createCallerCounter(access, (caller) => checkAdministrator(caller, admins));

  /** Notes a change that this caller made. */
  function note({ request_id }: Call, { account_id, key_id }: Caller, action: string, about: object): void {
    audit({ action, by: account_id, by_key: key_id, request_id, ...about });
  }

  async function summarize(all: readonly Account[]): Promise<AccountSummary[]> {
    const details = await accountList.accountDetails(all.map(({ id }) => id));
    return Promise.all(
      all.map(async ({ id: account_id, ...account }) => ({
        account_id,
        ...account,
        ...copyOf(details.get(account_id)),
        quotas: await quotas.report({ account_id, plan: account.plan }),
      })),
    );
  }

  return {
    async list(call, query) {
      await countCaller(call, 'reads');
      const { q = '', ...page } = parse(AccountListQuery, query, 'query');
      const words = q.split(/\s+/).filter(Boolean);
      const { items, ...more } = await accountList.accountPage({ ...page, cursor: page.cursor, words });
      return { items: await summarize(items), ...more };
    },

    async create(call) {
      const caller = await countCaller(call, 'writes');
      const account = await accounts.createAccount(parse(AccountRequest, await call.body()));
      note(call, caller, 'create', { account: account.id, plan: account.plan });
      return (await summarize([account]))[0]!;
    },

    async change(call, account_id) {
      const caller = await countCaller(call, 'writes');
      const { plan, status, reason } = parse(AccountChange, await call.body());
      const isStopped = status !== undefined && status !== 'active';
      if (plan === undefined && status === undefined) {
        throw invalid(['body'], 'expected plan, status, or both; got neither', 'value_error');
      }
      if (reason !== undefined && !isStopped) {
        const msg = `expected a reason only with the status suspended or banned; got ${preview(status ?? 'no status')}`;
        throw invalid(['body', 'reason'], msg, 'value_error');
      }
      if (isStopped && account_id === caller.account_id) {
        throw invalid(
          ['body', 'status'],
          'expected an account other than your own: nobody can lock themselves out',
          'value_error',
        );
      }
      const account = await accounts.change(account_id, { plan, status, reason });
      if (account === undefined) {
        throw new AppError('not_found', `There is no account ${JSON.stringify(account_id.slice(0, 64))}.`);
      }
      note(call, caller, 'change', { account: account_id, plan, status, reason });
      return (await summarize([account]))[0]!;
    },

    async suspects(call) {
      await countCaller(call, 'reads');
      const groups = await accounts.listSuspects();
      return {
        items: groups.map(({ accounts: members, ...group }) => ({
          accounts: members.map(({ id: account_id, name, plan, status, calls }) => ({
            account_id,
            name,
            plan,
            status,
            calls,
          })),
          ...group,
        })),
      };
    },

    async invite(call) {
      const caller = await countCaller(call, 'writes');
      const made = await invitations.create(parse(InvitationRequest, await call.body()));
      if (made === undefined) {
        throw new AppError('forbidden', `At most ${invitationLimits.open} invitations are open; revoke some first.`);
      }
      const { invitation, link } = made;
      note(call, caller, 'invite', { invitation: invitation.id, plan: invitation.plan, until: invitation.expires_at });
      return { ...show(invitation), link };
    },

    async invitations(call) {
      await countCaller(call, 'reads');
      return { items: (await invitations.list()).map(show) };
    },

    async revokeInvitation(call, invitation_id) {
      const caller = await countCaller(call, 'writes');
      if (!(await invitations.revoke(invitation_id))) {
        throw new AppError('not_found', 'There is no open invitation with this id.');
      }
      note(call, caller, 'revoke_invitation', { invitation: invitation_id });
      return { invitation_id, revoked: true };
    },
  };
}

function copyOf({ keys = 0, last_used_at = null, identities = [] }: Partial<AccountDetails> = {}) {
  return { keys, last_used_at, identities: identities.map((identity) => ({ ...identity })) };
}

function show({ id: invitation_id, ...about }: InvitationRecord): Invitation {
  return { invitation_id, ...about };
}
