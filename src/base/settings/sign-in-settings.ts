/** Settings of signing in by OpenID Connect: set together, or not at all. */
import * as z from 'zod';
import { commaSeparated } from './setting-values.ts';

/** How people sign in through the provider of their organisation. */
export interface OidcConfig {
  /** As the provider writes it, without a path beyond its own. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; contains `openid`. */
  readonly scopes: string;
  /** Domains of e-mail addresses, lower case; empty for any. */
  readonly allowedDomains: readonly string[];
  /** The plan of the account that a first sign-in creates; `none` creates no account. */
  readonly plan: 'starter' | 'pro' | 'none';
  /** What the pages call the provider. */
  readonly name: string;
}

/** Names and addresses that lead to this machine whatever a resolver says. */
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const signInSettings = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => isProtected(url))
    .refine((url) => !/[?#@]/.test(url))
    .optional()
    .describe('an https URL such as https://login.example.org/realms/staff; http only for this machine'),
  OIDC_CLIENT_ID: z.string().optional().describe('the id under which the provider knows this server'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('the secret that belongs to OIDC_CLIENT_ID'),
  OIDC_SCOPES: z
    .string()
    .default('openid email profile')
    .refine((scopes) => scopes.split(/\s+/).includes('openid'))
    .describe('scopes separated by spaces, with openid among them'),
  OIDC_ALLOWED_DOMAINS: commaSeparated
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .refine((domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)))
    .describe('a comma-separated list of domains such as example.org'),
  OIDC_PLAN: z.enum(['starter', 'pro', 'none']).default('starter').describe('starter, pro or none'),
  OIDC_NAME: z.string().max(40).optional().describe('at most 40 characters'),
};

function isProtected(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || loopbackHost.test(hostname);
}

/** The values of the settings as they were read. */
type Values = { readonly [Name in keyof typeof signInSettings]: z.infer<(typeof signInSettings)[Name]> };

/** Undefined if nothing is set; the sentence to show if only a part is. */
export function readOidcConfig(values: Values): OidcConfig | string | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const { OIDC_SCOPES: scopes, OIDC_ALLOWED_DOMAINS: allowedDomains, OIDC_PLAN: plan } = values;
    const name = values.OIDC_NAME ?? new URL(issuer).host;
    return { issuer, clientId, clientSecret, scopes, allowedDomains, plan, name };
  }
  const together = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const names = Object.entries(together);
  const given = names.find(([, value]) => value !== undefined)?.[0];
  if (given === undefined) return undefined;
  const missing = names.find(([, value]) => value === undefined)![0];
  return `${missing}: expected a value, because ${given} is set; got nothing.`;
}
