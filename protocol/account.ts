/**
 * What a signed-in browser can do with its account: sessions, keys and usage. All of it goes beyond the interface (+).
 */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { WholeText } from './common-fields.ts';
import { PageQuery } from './requests.ts';
import { Timestamp } from './timestamp.ts';

const Plan = z.enum(['starter', 'pro']);

/** Body of POST /v1/session. */
export const SignInRequest = z
  .strictObject({
    link: z.string().min(1).max(200).optional().describe('The secret part of a sign-in link, after its `#`.'),
    api_key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('An API key instead of a link: the session may do what the key may, and ends when it is revoked.'),
  })
  .refine(({ link, api_key }) => (link === undefined) !== (api_key === undefined), {
    message: 'expected either link or api_key; got both or neither',
  })
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof SignInRequest>;

/** Body of GET /v1/sign-in. */
export const SignInOptions = z
  .object({
    provider: z
      .object({ name: z.string().describe('What to call it.') })
      .nullable()
      .describe('The provider of OpenID Connect that `GET /v1/sign-in/provider` leads to; null if there is none.'),
  })
  .meta({ id: 'SignInOptions' });
export type SignInOptions = z.infer<typeof SignInOptions>;

/** What a key can be restricted to. */
export const keyScopes = ['search', 'run', 'design', 'webhooks', 'sources'] as const;
export type KeyScope = (typeof keyScopes)[number];
/** The same, and what only a command on the machine of the server gives a key. */
export const ownScopes = [...keyScopes, 'admin'] as const;
export type OwnScope = (typeof ownScopes)[number];

/** Body of GET and POST /v1/session; the session itself is a cookie. */
export const BrowserSession = z
  .object({
    account: z.object({ id: z.string(), name: z.string(), plan: Plan }),
    key: z
      .object({
        key_id: z.string(),
        name: z.string(),
        scopes: z.array(z.enum(ownScopes)),
        collections: z
          .array(z.string())
          .optional()
          .describe('Ids of the collections that the key is restricted to; absent if it is not.'),
      })
      .optional()
      .describe('The key that the session began with: it may do what the key may. Absent if it began with a link.'),
    administers: z.boolean().optional().describe('Whether it may manage the accounts of the server; absent if not.'),
    csrf_token: z.string().describe('Send it as `X-CSRF-Token` with every call of this session that is not a GET.'),
    expires_at: Timestamp.describe('When the session ends, unless it is used before.'),
  })
  .meta({ id: 'BrowserSession' });
export type BrowserSession = z.infer<typeof BrowserSession>;

/** Body of DELETE /v1/session. */
export const SignedOut = z.object({ status: z.literal('signed_out') }).meta({ id: 'SignedOut' });
export type SignedOut = z.infer<typeof SignedOut>;

export const ApiKey = z
  .object({
    key_id: z.string().describe('The public part of the key.'),
    name: z.string(),
    scopes: z.array(z.enum(ownScopes)).describe('What the key is restricted to; empty means unrestricted.'),
    collections: z
      .array(z.string())
      .optional()
      .describe('Ids of the collections that the key is restricted to; absent if it is not.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

/** Body of GET /v1/keys. */
export const ApiKeyList = z
  .object({
    items: z.array(ApiKey).describe('Oldest first: all active keys, and the latest revoked ones, up to 300 keys.'),
  })
  .meta({ id: 'ApiKeyList' });
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const KeyName = z.string().trim().min(1).max(80).describe('A name for the key.');

/** Body of POST /v1/keys. */
export const ApiKeyRequest = z
  .strictObject({
    name: KeyName,
    scopes: z
      .array(z.enum(keyScopes))
      .max(keyScopes.length)
      .transform((scopes) => [...new Set(scopes)])
      .default([])
      .describe('What to restrict the key to; unrestricted if omitted or empty.'),
    collections: CollectionNames.optional().describe(
      'Names or ids of collections: the key never sees anything else. Unrestricted if omitted or empty.',
    ),
  })
  .meta({ id: 'ApiKeyRequest' });
export type ApiKeyRequest = z.infer<typeof ApiKeyRequest>;

/** Body of PATCH /v1/keys/{key_id}. */
export const ApiKeyName = z.strictObject({ name: KeyName }).meta({ id: 'ApiKeyName' });
export type ApiKeyName = z.infer<typeof ApiKeyName>;

/** Answer of POST /v1/keys. */
export const NewApiKey = ApiKey.extend({ api_key: z.string().describe('The complete key, shown only once.') }).meta({
  id: 'NewApiKey',
});
export type NewApiKey = z.infer<typeof NewApiKey>;

/** Maximum number of active keys per account; set by hand. */
export const keysPerAccount = 100;

/** Maximum number of keys in a list: keys may be created and revoked without end. Set by hand. */
export const listedKeys = 300;

export const UsageCounts = z
  .object({
    calls: z.int().nonnegative().describe('Calls that count towards the limit.'),
    refused: z.int().nonnegative().describe('Calls refused because they exceeded the limit.'),
    searches: z.int().nonnegative(),
    contents: z.int().nonnegative(),
    input_tokens: z.int().nonnegative(),
    output_tokens: z.int().nonnegative(),
  })
  .meta({ id: 'UsageCounts' });
export type UsageCounts = z.infer<typeof UsageCounts>;

export const Quota = z
  .object({
    name: z.enum(['searches_per_day', 'searches_per_month', 'tokens_per_day', 'tokens_per_month']),
    limit: z.int().positive(),
    used: z.int().nonnegative().describe('By all keys of the account.'),
    resets_at: Timestamp,
  })
  .meta({ id: 'Quota' });
export type Quota = z.infer<typeof Quota>;

export const Cost = z
  .object({
    currency: z.string().describe('ISO 4217.'),
    today: z.number().nonnegative(),
    month: z.number().nonnegative().describe('Of this month, in UTC.'),
  })
  .meta({ id: 'Cost' });
export type Cost = z.infer<typeof Cost>;

const quotas = z.array(Quota).optional().describe('The quotas of the plan, if the server has any.');
const cost = Cost.optional().describe('What the tokens cost, if the server knows their prices.');
/** What KeyUsage and AccountUsage have in common. */
export const usageExtras = { quotas, cost };

/** Query of GET /v1/account/usage. */
export const AccountUsageQuery = z
  .strictObject({
    key_id: z.string().min(1).max(100).optional().describe('Only the usage of this key, or of `browser`.'),
    minutes: WholeText.min(1).max(1440).default(60).describe('How many minutes to look back.'),
  })
  .meta({ id: 'AccountUsageQuery' });
export type AccountUsageQuery = z.infer<typeof AccountUsageQuery>;

const Minute = z.string().describe('Start of the minute: `YYYY-MM-DDTHH:MMZ`.');

/** Body of GET /v1/account/usage. Days and minutes are in UTC, oldest first; those without usage are omitted. */
export const AccountUsage = z
  .object({
    plan: Plan,
    limit: z.int().positive().describe('Calls per key allowed in any `window_s` seconds.'),
    window_s: z.int().positive(),
    from_day: z.iso.date().describe('First day of the period.'),
    from_minute: Minute,
    days: z.array(UsageCounts.extend({ day: z.iso.date() })),
    minutes: z.array(UsageCounts.extend({ minute: Minute })),
    keys: z
      .array(UsageCounts.extend({ key_id: z.string().describe('A key id, or `browser` for signed-in browsers.') }))
      .describe('Totals of the same days, by key.'),
    ...usageExtras,
  })
  .meta({ id: 'AccountUsage' });
export type AccountUsage = z.infer<typeof AccountUsage>;

/** A call that was refused to a key. */
export const Refusal = z
  .object({
    at: Timestamp,
    key_id: z.string(),
    method: z.string().describe('`WS` for a frame on a WebSocket.'),
    path: z.string().describe('Without its query, cut after 300 characters; empty for a key with a wrong secret.'),
    status: z.int().describe('401, 403, 409, 413, 415, 422 or 429.'),
    code: z.string().describe('The code of the error table.'),
    message: z.string(),
    request_id: z.string(),
  })
  .meta({ id: 'Refusal' });
export type Refusal = z.infer<typeof Refusal>;

/** Body of GET /v1/account/refusals. */
export const RefusalList = z
  .object({
    items: z.array(Refusal).describe('Newest first, up to the 500 newest of the account.'),
    cursor: z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.'),
  })
  .meta({ id: 'RefusalList' });
export type RefusalList = z.infer<typeof RefusalList>;

/** Query of GET /v1/account/refusals. */
export const RefusalListQuery = PageQuery.extend({
  key_id: z.string().min(1).max(64).optional().describe('Only calls with this key.'),
});
export type RefusalListQuery = z.infer<typeof RefusalListQuery>;
