/**
 * Invitations: links that create one account each and sign its user in. The secret of a link is stored as SHA-256, like those
 * of sign-in links, and `POST /v1/session` takes either.
 */
import { dayMs } from '../../base/values/day.ts';
import { isoTime } from '../../base/values/iso-time.ts';
import type { InvitationRecord, InvitationRecords } from '../access-records.ts';
import { hashSecret, newSecret } from '../keys.ts';
import type { PlanName } from '../plans.ts';

export interface Invitations {
  /** `link` is the secret part of its link. Undefined while too many are open. */
  create(about: {
    readonly name: string;
    readonly plan: PlanName;
    readonly days: number;
  }): Promise<{ readonly invitation: InvitationRecord; readonly link: string } | undefined>;
  list(): Promise<InvitationRecord[]>;
  /** Resolves with false if there is none, or if it was accepted. */
  revoke(id: string): Promise<boolean>;
}

/** Both set by hand. */
const maxOpen = 200;
const keptMs = 30 * dayMs;

/** Over these records. */
export function createInvitations(records: InvitationRecords): Invitations {
  return {
    async create({ name, plan, days }) {
      const link = newSecret();
      const time = Date.now();
      const [created_at, expires_at] = [isoTime(time), isoTime(time + days * dayMs)];
      const invitation = {
        id: hashSecret(link),
        name,
        plan,
        created_at,
        expires_at,
        accepted_at: null,
        account_id: null,
      };
      const isAdded = await records.addInvitation(invitation, maxOpen, isoTime(time - keptMs));
      return isAdded ? { invitation, link } : undefined;
    },
    list: () => records.invitations(maxOpen),
    revoke: (id) => records.removeInvitation(id),
  };
}
