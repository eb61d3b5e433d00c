/** What people at a browser do with their account: signing in, keys, and what was used. All of it (+). */
import { z } from 'zod';

const Timestamp = z.iso.datetime({ precision: 3 });
const Plan = z.enum(['starter', 'pro']);

/** Body of POST /v1/session. */
export const SignInRequest = z
  .strictObject({ link: z.string().min(1).max(200).describe('The secret part of a sign-in link.') })
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof SignInRequest>;

/** Body of GET and POST /v1/session; the session itself is a cookie. */
export const BrowserSession = z
  .object({
    account: z.object({ id: z.string(), name: z.string(), plan: Plan }),
    csrf_token: z.string().describe('For X-CSRF-Token on every call of this session that is not a GET.'),
    expires_at: Timestamp.describe('Until then, unless it is used.'),
  })
  .meta({ id: 'BrowserSession' });
export type BrowserSession = z.infer<typeof BrowserSession>;

/** Body of DELETE /v1/session. */
export const SignedOut = z.object({ status: z.literal('signed_out') }).meta({ id: 'SignedOut' });
export type SignedOut = z.infer<typeof SignedOut>;

/** What a key may be kept to. */
export const keyScopes = ['search', 'run', 'design'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const ApiKey = z
  .object({
    key_id: z.string().describe('The public part of the key.'),
    name: z.string(),
    scopes: z.array(z.enum(keyScopes)).describe('What it is kept to; empty: it may do everything.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

/** Body of GET /v1/keys. */
export const ApiKeyList = z.object({ items: z.array(ApiKey).describe('Oldest first.') }).meta({ id: 'ApiKeyList' });
export type ApiKeyList = z.infer<typeof ApiKeyList>;

const KeyName = z.string().trim().min(1).max(80).describe('What to call the key.');

/** Body of POST /v1/keys. */
export const ApiKeyRequest = z
  .strictObject({
    name: KeyName,
    scopes: z
      .array(z.enum(keyScopes))
      .max(keyScopes.length)
      .transform((scopes) => [...new Set(scopes)])
      .default([])
      .describe('What to keep it to; none: it may do everything.'),
  })
  .meta({ id: 'ApiKeyRequest' });
export type ApiKeyRequest = z.infer<typeof ApiKeyRequest>;

/** Body of PATCH /v1/keys/{key_id}. */
export const ApiKeyName = z.strictObject({ name: KeyName }).meta({ id: 'ApiKeyName' });
export type ApiKeyName = z.infer<typeof ApiKeyName>;

/** Answer of POST /v1/keys. */
export const NewApiKey = ApiKey.extend({ api_key: z.string().describe('The whole key, shown this once.') }).meta({
  id: 'NewApiKey',
});
export type NewApiKey = z.infer<typeof NewApiKey>;

/** Active keys of one account, at most. */
export const keysPerAccount = 100;

export const UsageCounts = z
  .object({
    calls: z.int().nonnegative().describe('Counted calls.'),
    refused: z.int().nonnegative().describe('Calls over the limit.'),
    searches: z.int().nonnegative(),
    contents: z.int().nonnegative(),
    input_tokens: z.int().nonnegative(),
    output_tokens: z.int().nonnegative(),
  })
  .meta({ id: 'UsageCounts' });
export type UsageCounts = z.infer<typeof UsageCounts>;

/** Query of GET /v1/account/usage. */
export const AccountUsageQuery = z
  .strictObject({
    key_id: z.string().min(1).max(100).optional().describe('Of this key alone, or of `browser`.'),
    minutes: z.coerce.number().int().min(1).max(1440).default(60).describe('How many minutes back.'),
  })
  .meta({ id: 'AccountUsageQuery' });
export type AccountUsageQuery = z.infer<typeof AccountUsageQuery>;

const Minute = z.string().describe('Its beginning: `YYYY-MM-DDTHH:MMZ`.');

/** Body of GET /v1/account/usage. Days and minutes in UTC, oldest first, those without use left out. */
export const AccountUsage = z
  .object({
    plan: Plan,
    limit: z.int().positive().describe('Counted calls that each key may make in `window_s` seconds.'),
    window_s: z.int().positive(),
    from_day: z.iso.date().describe('The first of the days looked at.'),
    from_minute: Minute,
    days: z.array(UsageCounts.extend({ day: z.iso.date() })),
    minutes: z.array(UsageCounts.extend({ minute: Minute })),
    keys: z
      .array(UsageCounts.extend({ key_id: z.string().describe('`browser` for what signed-in browsers did.') }))
      .describe('The same days, by key.'),
  })
  .meta({ id: 'AccountUsage' });
export type AccountUsage = z.infer<typeof AccountUsage>;
