/** What administrators do with accounts. All of it goes beyond the interface (+). */
import * as z from 'zod';
import { Quota } from './account.ts';
import { Whole } from './common-fields.ts';
import { PageQuery } from './requests.ts';
import { Timestamp } from './timestamp.ts';

const Plan = z.enum(['starter', 'pro']);
const Status = z.enum(['active', 'suspended', 'banned']);
const Name = z.string().trim().min(1).max(100);

export const AccountSummary = z
  .object({
    account_id: z.string(),
    name: z.string(),
    plan: Plan,
    status: Status,
    status_reason: z.string().nullable().describe('Why it is not active, as shown to its callers.'),
    created_at: Timestamp,
    keys: z.int().nonnegative().describe('Keys that are not revoked.'),
    last_used_at: Timestamp.nullable().describe('When one of its keys was last used.'),
    identities: z
      .array(z.object({ issuer: z.string(), subject: z.string() }))
      .describe('Who signs in to it through a provider of OpenID Connect.'),
    quotas: z.array(Quota).describe('Those of its plan, with what it has used; empty if the plan has none.'),
  })
  .meta({ id: 'AccountSummary' });
export type AccountSummary = z.infer<typeof AccountSummary>;

/** Body of GET /v1/accounts. */
export const AccountList = z
  .object({
    items: z.array(AccountSummary).describe('Newest first.'),
    cursor: z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.'),
  })
  .meta({ id: 'AccountList' });
export type AccountList = z.infer<typeof AccountList>;

/** Query of GET /v1/accounts. */
export const AccountListQuery = PageQuery.extend({
  q: z.string().trim().max(200).optional().describe('Words that must all occur in the name or id of the account.'),
  status: Status.optional().describe('Only accounts with this status.'),
});
export type AccountListQuery = z.infer<typeof AccountListQuery>;

/** Body of POST /v1/accounts. */
export const AccountRequest = z
  .strictObject({ name: Name.describe('A name for the account.'), plan: Plan })
  .meta({ id: 'AccountRequest' });
export type AccountRequest = z.infer<typeof AccountRequest>;

/** Body of PATCH /v1/accounts/{account_id}. */
export const AccountChange = z
  .strictObject({
    plan: Plan.optional(),
    status: Status.optional(),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe('Why the account is suspended or banned, as shown to its callers. Only with such a `status`.'),
  })
  .meta({ id: 'AccountChange' });
export type AccountChange = z.infer<typeof AccountChange>;

/** Body of GET /v1/accounts/suspects. */
export const SuspectList = z
  .object({
    items: z
      .array(
        z.object({
          accounts: z
            .array(
              z.object({
                account_id: z.string(),
                name: z.string(),
                plan: Plan,
                status: Status,
                calls: z.int().positive(),
              }),
            )
            .describe('By calls, most first.'),
          minutes: z.int().positive().describe('Minutes in which they were over the limit together.'),
          peak: z.int().positive().describe('The highest number of calls that they made together in one minute.'),
          limit: z.int().positive().describe('Calls per minute that the best of their plans allows one key.'),
        }),
      )
      .describe(
        'Groups of accounts of the last week that called from one network and may be one user: hints, not proof.',
      ),
  })
  .meta({ id: 'SuspectList' });
export type SuspectList = z.infer<typeof SuspectList>;

/** Most days that an invitation is valid, and invitations that are open; both set by hand. */
export const invitationLimits = { days: 30, open: 200 } as const;

/** Body of POST /v1/accounts/invitations. */
export const InvitationRequest = z
  .strictObject({
    name: Name.describe('The name of the account that the invitation creates.'),
    plan: Plan,
    days: Whole.min(1).max(invitationLimits.days).default(7).describe('How long it is valid.'),
  })
  .meta({ id: 'InvitationRequest' });
export type InvitationRequest = z.infer<typeof InvitationRequest>;

export const Invitation = z
  .object({
    invitation_id: z.string(),
    name: z.string(),
    plan: Plan,
    created_at: Timestamp,
    expires_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    account_id: z.string().nullable().describe('The account that it created, once it was accepted.'),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

/** Body of GET /v1/accounts/invitations. */
export const InvitationList = z
  .object({ items: z.array(Invitation).describe('Newest first, at most 200.') })
  .meta({ id: 'InvitationList' });
export type InvitationList = z.infer<typeof InvitationList>;

/** Answer of POST /v1/accounts/invitations. */
export const NewInvitation = Invitation.extend({
  url: z.string().describe('The link to send, shown only once: it creates the account and signs one browser in.'),
}).meta({ id: 'NewInvitation' });
export type NewInvitation = z.infer<typeof NewInvitation>;

/** Answer of DELETE /v1/accounts/invitations/{invitation_id}. */
export const InvitationRevoked = z
  .object({ invitation_id: z.string(), revoked: z.literal(true) })
  .meta({ id: 'InvitationRevoked' });
export type InvitationRevoked = z.infer<typeof InvitationRevoked>;
