/**
 * Signing in through a provider of OpenID Connect. What binds the answer to the browser that asked is in a cookie of that
 * browser, not in this process: any process can finish what another began. An account is found by issuer and subject,
 * never by e-mail address, which providers reassign and other providers may claim.
 *
 * A failure is not an exception: it is one word, for which the sign-in page has a sentence. Details go to the log.
 */

import { networkOf } from '../../base/addresses.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { OidcConfig } from '../../base/settings/sign-in-settings.ts';
import type { Account } from '../access-records.ts';
import type { Accounts } from '../accounts.ts';
import type { BrowserRequest, BrowserRules } from '../browser/request.ts';
import type { Sessions } from '../browser/sessions.ts';
import { createMemoryLimiter } from '../limiter/memory.ts';
import type { Limit } from '../plans.ts';
import { readPending, returnPath, writePending } from './pending-sign-in.ts';
import { type Claims, createProvider, kindOfFailure, newChecks } from './provider.ts';

/** Why nobody was signed in; the values of `problem` in the address of the sign-in page. */
export type SignInProblem =
  | 'cancelled'
  | 'unavailable'
  | 'invalid'
  | 'expired'
  | 'not_allowed'
  | 'inactive'
  | 'rate_limited';

/** Where the browser goes next, and the cookie that it takes along. */
export type NextStep = { readonly to: string; readonly cookie: string } | { readonly problem: SignInProblem };

export interface OidcSignIn {
  /** The provider's name, as pages show it. */
  readonly name: string;
  /** Leads to the provider, and from there to `callbackUrl`. `returnTo` is a path of this server, by default `/`. */
  begin(from: BrowserRequest, callbackUrl: string, returnTo: string | undefined): Promise<NextStep>;
  /** Leads back to where the user was. `answer` is the URL that the provider sent the browser to. */
  finish(from: BrowserRequest, answer: string, address: string): Promise<NextStep>;
}

/** Longest time between the two steps, s. Set by hand: people reset passwords there. */
const pendingS = 15 * 60;
/** Each answer makes this server call the provider. Set by hand: an office may share one address. */
const answers: Limit = { bucket: 'sign_in', policy: 'sign_in', limit: 60, window_s: 60 };

/** Loads the library for the protocol. */
export function createOidcSignIn(options: {
  readonly config: OidcConfig;
  readonly accounts: Pick<Accounts, 'accountOfIdentity' | 'ensureLinkedAccount'>;
  readonly sessions: Pick<Sessions, 'begin' | 'idOf'>;
  readonly rules: BrowserRules;
  readonly log: Log;
}): OidcSignIn {
  const { config, accounts, sessions, rules, log } = options;
  const provider = createProvider(config);
  const limiter = createMemoryLimiter({ now: () => performance.now(), capacity: 50_000 });

  function failed(problem: SignInProblem, error: unknown): NextStep {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : undefined;
    log.warn({ issuer: config.issuer, problem, reason: message, why }, 'a sign-in through the provider failed');
    return { problem };
  }

  /** The account of the person that the claims describe; undefined if they may not have one. */
  async function accountOf(claims: Claims): Promise<Account | undefined> {
    const { iss: issuer, sub: subject } = claims;
    if (!isAllowed(claims, config.allowedDomains)) return undefined;
    const identity = { issuer, subject };
    const known = await accounts.accountOfIdentity(identity);
    if (known !== undefined || config.plan === 'none') return known;
    return accounts.ensureLinkedAccount(identity, { name: nameOf(claims), plan: config.plan });
  }

  return {
    name: config.name,

    async begin(from, callbackUrl, returnTo) {
      const checks = newChecks();
      try {
        const url = await provider.authorizationUrl(callbackUrl, checks);
        const pending = { ...checks, before: sessions.idOf(from), return_to: returnPath(returnTo) };
        return { to: url.href, cookie: rules.setCookie(from, writePending(pending), pendingS, 'sign_in') };
      } catch (error) {
        return failed('unavailable', error);
      }
    },

    async finish(from, answer, address) {
      const pending = readPending(rules.tokenOf(from, 'sign_in'));
      if (pending === undefined || !URL.canParse(answer)) return { problem: 'expired' };
      const url = new URL(answer);
      // Checked here too, so that an answer for another browser costs the provider nothing.
      if (url.searchParams.get('state') !== pending.state) return { problem: 'expired' };
      if (!limiter.takeNow(networkOf(address), answers).allowed) return { problem: 'rate_limited' };
      let claims: Claims;
      try {
        claims = await provider.redeem(url, pending);
      } catch (error) {
        return failed(kindOfFailure(error), error);
      }
      const account = await accountOf(claims);
      if (account === undefined) return { problem: 'not_allowed' };
      try {
        const { cookie } = await sessions.begin(account, from, pending.before);
        return { to: pending.return_to, cookie };
      } catch (error) {
        if (error instanceof AppError && error.code === 'forbidden') return { problem: 'inactive' };
        throw error;
      }
    },
  };
}

/** Whether the e-mail address, which the provider must have verified, is in one of the domains, if there are any. */
function isAllowed({ sub, email, email_verified }: Claims, domains: readonly string[]): boolean {
  // The protocol's limit: at most 255 ASCII characters.
  if (!/^[\x20-\x7e]{1,255}$/.test(sub)) return false;
  if (domains.length === 0) return true;
  if (typeof email !== 'string' || email_verified !== true) return false;
  return domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** How administrators recognise the account: anybody may have chosen it, so nothing is decided by it. */
function nameOf({ email, preferred_username, name, sub }: Claims): string {
  const texts = [email, preferred_username, name, sub].filter((text) => typeof text === 'string');
  const [first = 'unnamed'] = texts.map((text) => text.replace(/[^\P{C}]/gu, '').trim()).filter((text) => text !== '');
  return [...first].slice(0, 100).join('');
}
