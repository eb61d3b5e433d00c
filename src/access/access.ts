/**
 * Who is calling, and whether they may call now: the parts of this folder, assembled for the service. Without Redis
 * everything is kept in this process; with it, limits, tickets and revocations hold across all processes that share it.
 */
import type { TicketRequest } from '../../protocol/index.ts';
import { asAppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ModelPrices, PlanQuotas } from '../base/settings/quota-settings.ts';
import type { OidcConfig } from '../base/settings/sign-in-settings.ts';
import type { AccessRecords, Key } from './access-records.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type AccountList, createAccountList } from './administration/account-list.ts';
import { createInvitations, type Invitations } from './administration/invitations.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { createOverloadDetector } from './admission/overload-detector.ts';
import { type BrowserRequest, createBrowserRules } from './browser/request.ts';
import { isSessionKeyId } from './browser/session-key.ts';
import { createSessions, type Sessions } from './browser/sessions.ts';
import { type Caller, callerOf, createIdentity } from './identity.ts';
import type { RateDecision } from './limiter/limiter.ts';
import { createMemoryLimiter } from './limiter/memory.ts';
import { rateLimited } from './limiter/rate-limited.ts';
import type { OidcSignIn } from './oidc/oidc.ts';
import { type Limit, type PlanName, plans } from './plans.ts';
import { createRevocations } from './revocations.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';
import { createMemoryTicketStore, createTickets, type TicketGrant, type Tickets } from './tickets.ts';
import { createQuotas, type Quotas } from './usage/quotas.ts';
import { createRefusals, type Refusals } from './usage/refusals.ts';
import { createSharedNetworks } from './usage/shared-networks.ts';
import { createUsage, type Usage } from './usage/usage.ts';

export interface Credentials {
  readonly api_key: string | undefined;
  /** The client's IP address, for counting failed sign-ins. */
  readonly address: string;
  /** A request with cookies. An API key takes precedence over its session. */
  readonly browser?: BrowserRequest;
}

export interface Access {
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, 'issueLink' | 'checkOwnPage' | 'signIn' | 'describe' | 'signOut'> & {
    /** Begins a session with a key, and counts it with the writes of the key. Rejects as `identify` and `takeFrom` do. */
    signInWithKey(apiKey: string, from: BrowserRequest, address: string): ReturnType<Sessions['signIn']>;
  };
  readonly accountList: AccountList;
  readonly invitations: Invitations;
  /** Signing in through a provider, if there is one. */
  readonly oidc: OidcSignIn | undefined;
  readonly usage: Usage;
  readonly quotas: Quotas;
  readonly refusals: Refusals;
  readonly prices: ModelPrices | undefined;
  readonly admission: Pick<Admission, 'admit' | 'connect' | 'reportUpstreamLimit'>;
  /**
   * The caller with this key or browser session; given a caller who signed in earlier, checks that they still may call.
   * Rejects with `unauthorized`, `forbidden`, `rate_limited` or, when the store cannot be reached, `overloaded`.
   */
  identify(from: Credentials | Caller): Promise<Caller>;
  /** A ticket for one of the caller's pages. Rejects with `validation_error` or `rate_limited`. */
  issueTicket(caller: Caller, request: TicketRequest): ReturnType<Tickets['issue']>;
  /** Consumes a ticket. Rejects as `identify` does. */
  redeem(ticket: string, origin: string | undefined): Promise<TicketGrant>;
  /** The keys of an account, including the last uses that this process has not written yet. */
  keysOf(accountId: string): Promise<Key[]>;
  /** Counts one unit of the key's minute. Resolves with the remaining limit, whether allowed or not. */
  take(caller: Caller): Promise<RateDecision>;
  /** Counts an upgrade or a resume, which have a separate bucket. Rejects with `rate_limited`. */
  takeResume(caller: Caller): Promise<void>;
  /** Counts a read of what may be large, or a change of designs or keys. Rejects with `rate_limited`. */
  takeFrom(caller: Caller, bucket: 'reads' | 'writes'): Promise<void>;
  /** The remaining limit of the key's minute. Counts nothing. */
  peek(caller: Caller): Promise<RateDecision>;
  close(): Promise<void>;
}

export interface AccessOptions {
  readonly records: AccessRecords;
  readonly redisUrl: string | undefined;
  /** The URL at which browsers reach this server, if it is not its own address. */
  readonly publicUrl: string | undefined;
  /** Whether the server itself speaks TLS. */
  readonly isSecure?: boolean;
  /** The provider that people sign in with; none by default. */
  readonly oidc?: OidcConfig | undefined;
  /** None by default. */
  readonly quotas?: Partial<Record<PlanName, PlanQuotas | undefined>>;
  readonly prices?: ModelPrices | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** With `redisUrl`, waits up to a second for Redis, and continues without it until it answers. */
export async function openAccess({
  records,
  redisUrl,
  publicUrl,
  isSecure = false,
  oidc: provider,
  quotas: quotaLimits = {},
  prices,
  metrics,
  log,
}: AccessOptions): Promise<Access> {
  const onRedis =
    redisUrl === undefined
      ? undefined
      : await (await import('./redis-access.ts')).openRedisAccess(redisUrl, metrics, log);
  const revocations = onRedis?.revocations ?? createRevocations();
  const limiter = onRedis?.limiter ?? createMemoryLimiter();
  const store = onRedis?.ticketStore ?? createMemoryTicketStore();
  const throttle = createSignInThrottle();
  const identity = createIdentity({ records, revocations, throttle });
  const rules = createBrowserRules(publicUrl, isSecure);
  const sessions = createSessions({ records, rules, revocations, throttle });
  const accounts = createAccounts({ records, revocations });
  const oidc =
    provider === undefined
      ? undefined
      : (await import('./oidc/oidc.ts')).createOidcSignIn({ config: provider, accounts, sessions, rules, log });
  const overload = createOverloadDetector();
  const admission = createAdmission({ overload, shared: onRedis?.places });
  const tickets = createTickets({ store });
  const quotas = createQuotas({ records, limits: quotaLimits });
  const usage = createUsage({ records, limiter, quotas, prices });
  const networks = createSharedNetworks({ records });
  const refusals = createRefusals({ records });
  metrics.watch('searches_in_flight', () => admission.state().in_flight);
  metrics.watch('searches_waiting', () => admission.state().waiting);
  metrics.watch('overloaded', () => (admission.state().overloaded ? 1 : 0));
  metrics.watch('loop_delay_seconds', () => overload.loopDelayMs() / 1000);

  async function take(caller: Caller, limit: Limit): Promise<RateDecision> {
    const decision = await limiter.take(caller.key_id, limit);
    metrics.limited(limit.bucket, decision.allowed);
    return decision;
  }

  async function takeFrom(caller: Caller, bucket: 'reads' | 'writes'): Promise<void> {
    const decision = await take(caller, plans[caller.plan][bucket]);
    if (!decision.allowed) throw rateLimited(decision, bucket);
  }

  /** The one place that decides who is calling. */
  async function identify(from: Credentials | Caller): Promise<Caller> {
    if (!('api_key' in from)) return (from.session === undefined ? identity : sessions).recheck(from);
    const { api_key, address, browser } = from;
    if (api_key !== undefined || browser === undefined || !sessions.isNamed(browser)) {
      return identity.identify(api_key, address);
    }
    const caller = await sessions.identify(browser, address);
    if (!isSessionKeyId(caller.key_id)) identity.noteUse(caller.key_id);
    return caller;
  }

  return {
    accounts,
    sessions: {
      ...sessions,
      signIn: (link, browser, address) => sessions.signIn(link, browser, address).catch(refused),
      async signInWithKey(apiKey, browser, address) {
        sessions.checkOwnPage(browser);
        const { key, account } = await identity.authenticate(apiKey, address).catch(refused);
        await takeFrom(callerOf({ key, account }), 'writes');
        return sessions.begin(account, browser, sessions.idOf(browser), key);
      },
    },
    accountList: createAccountList(records),
    invitations: createInvitations(records),
    oidc,
    usage,
    quotas,
    refusals,
    prices,
    admission,
    async identify(from) {
      const caller = await identify(from).catch(refused);
      return from.address === undefined ? caller : { ...caller, address: from.address };
    },
    async keysOf(accountId) {
      await identity.write();
      return accounts.listKeys(accountId);
    },
    async issueTicket({ address: _, ...caller }, request) {
      const decision = await take(caller, plans[caller.plan].tickets);
      if (!decision.allowed) throw rateLimited(decision, 'tickets');
      return tickets.issue(caller, request);
    },
    async redeem(ticket, origin) {
      const grant = await tickets.redeem(ticket, origin).catch(refused);
      return { ...grant, caller: await identify(grant.caller).catch(refused) };
    },
    async take(caller) {
      const decision = await take(caller, plans[caller.plan].calls);
      usage.count(caller.key_id, decision.allowed ? 'calls' : 'refused');
      if (decision.allowed) networks.count(caller);
      return decision;
    },
    async takeResume(caller) {
      const decision = await take(caller, plans[caller.plan].resumes);
      if (!decision.allowed) throw rateLimited(decision, 'upgrades and resumes');
    },
    takeFrom,
    peek: (caller) => limiter.peek(caller.key_id, plans[caller.plan].calls),
    async close() {
      admission.close();
      await usage.close();
      await quotas.close();
      await networks.close();
      await refusals.close();
      await identity.close();
      await sessions.close();
      await limiter.close();
      await revocations.close();
      onRedis?.disconnect();
    },
  };

  function refused(error: unknown): never {
    const { code } = asAppError(error);
    if (code === 'unauthorized' || code === 'forbidden' || code === 'rate_limited') metrics.signInFailed(code);
    throw error;
  }
}
