/** `citewire accounts invite` and its companions: work directly on the store. Each command resolves with its exit code. */
import { signInUrl } from '../../access/browser/sessions.ts';
import type { PlanName } from '../../access/plans.ts';
import type { Config } from '../../base/config.ts';
import { printRow } from '../print-row.ts';
import { serverUrl } from './login.ts';
import { withAccess } from './with-access.ts';

export interface InviteOptions {
  readonly name: string;
  readonly plan: PlanName;
  readonly days: number;
  /** Base URL of the server, as for `citewire login`. */
  readonly server?: string;
}

/** Prints only the link. Rejects while too many invitations are open, or when the URL of the server is not clear. */
export function invite({ server, ...about }: InviteOptions, config: Config): Promise<number> {
  return withAccess(config, async ({ invitations }) => {
    const url = server ?? (await serverUrl(config));
    const made = await invitations.create(about);
    if (made === undefined) throw new Error('Too many invitations are open; revoke some first.');
    process.stdout.write(`${signInUrl(url, made.link)}\n`);
    process.stderr.write(`Creates one account, once. Expires at ${made.invitation.expires_at}.\n`);
  });
}

/** Prints one tab-separated line per invitation: id, plan, name, state and time. */
export function listInvitations(config: Config): Promise<number> {
  return withAccess(config, async ({ invitations }) => {
    const now = new Date().toISOString();
    for (const { id, plan, name, expires_at, accepted_at, account_id } of await invitations.list()) {
      const open = expires_at > now ? `open until ${expires_at}` : `expired ${expires_at}`;
      const state = accepted_at === null ? open : `accepted ${accepted_at} by ${account_id}`;
      printRow([id, plan, name, state]);
    }
  });
}

/** Rejects if there is no such invitation, or if it was accepted. */
export function revokeInvitation(id: string, config: Config): Promise<number> {
  return withAccess(config, async ({ invitations }) => {
    if (!(await invitations.revoke(id))) throw new Error('There is no open invitation with this id.');
    process.stderr.write('Invitation revoked.\n');
  });
}
