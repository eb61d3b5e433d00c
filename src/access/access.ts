/**
 * Who calls, and may they now: the parts of this folder as the service needs them. Alone, everything is kept in this
 * process; with a Redis, limits, tickets and revocations hold across all processes that share it.
 */
import type { TicketRequest } from '../../protocol/index.ts';
import { asAppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { AccessRecords, Key } from './access-records.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Admission, createAdmission } from './admission.ts';
import { type BrowserRequest, createBrowserRules } from './browser/request.ts';
import { createSessions, type Sessions } from './browser/sessions.ts';
import { type Caller, createIdentity } from './identity.ts';
import type { RateDecision } from './limiter/limiter.ts';
import { createMemoryLimiter } from './limiter/memory.ts';
import { rateLimited } from './limiter/rate-limited.ts';
import { createOverloadDetector } from './overload-detector.ts';
import { type Limit, plans } from './plans.ts';
import { createRevocations } from './revocations.ts';
import { createSharedNetworks } from './shared-networks.ts';
import { createSignInThrottle } from './sign-in-throttle.ts';
import { createMemoryTicketStore, createTickets, type TicketGrant, type Tickets } from './tickets.ts';
import { createUsage, type Usage } from './usage.ts';

export interface Credentials {
  readonly api_key: string | undefined;
  /** The client's address, for counting failed sign-ins. */
  readonly address: string;
  /** A request with cookies; a key goes before its session. */
  readonly browser?: BrowserRequest;
}

export interface Access {
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, 'issueLink' | 'signIn' | 'describe' | 'signOut'>;
  readonly usage: Usage;
  readonly admission: Pick<Admission, 'admit' | 'connect' | 'reportUpstreamLimit'>;
  /** By key, by the session of a browser, or whether a caller who signed in before still may. Rejects with 401, 403, 429. */
  identify(from: Credentials | Caller): Promise<Caller>;
  /** A ticket for a page of the caller. Rejects with 422, or 429. */
  issueTicket(caller: Caller, request: TicketRequest): ReturnType<Tickets['issue']>;
  /** Uses a ticket up. Rejects as `identify` does. */
  redeem(ticket: string, origin: string | undefined): Promise<TicketGrant>;
  /** The keys of an account, with their last uses as this process knows them. */
  keysOf(accountId: string): Promise<Key[]>;
  /** Counts one unit of the key's minute. Gives what is left, allowed or not. */
  take(caller: Caller): Promise<RateDecision>;
  /** Counts an upgrade or a resume, which have a bucket of their own. Rejects with 429. */
  takeResume(caller: Caller): Promise<void>;
  /** What is left of the key's minute. */
  peek(caller: Caller): Promise<RateDecision>;
  close(): Promise<void>;
}

export interface AccessOptions {
  readonly records: AccessRecords;
  readonly redisUrl: string | undefined;
  /** Where browsers find this server, where that is not its own address. */
  readonly publicUrl: string | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
}

export async function openAccess({ records, redisUrl, publicUrl, metrics, log }: AccessOptions): Promise<Access> {
  const onRedis =
    redisUrl === undefined
      ? undefined
      : await (await import('./redis-access.ts')).openRedisAccess(redisUrl, metrics, log);
  const revocations = onRedis?.revocations ?? createRevocations();
  const limiter = onRedis?.limiter ?? createMemoryLimiter();
  const store = onRedis?.ticketStore ?? createMemoryTicketStore();
  const failures = createSignInThrottle();
  const identity = createIdentity({ records, revocations, failures });
  const rules = createBrowserRules(publicUrl);
  const sessions = createSessions({ records, rules, revocations, failures });
  const accounts = createAccounts({ records, revocations });
  const load = createOverloadDetector();
  const admission = createAdmission({ load });
  const tickets = createTickets({ store });
  const usage = createUsage({ records, limiter });
  const networks = createSharedNetworks({ records });
  metrics.watch('searches_in_flight', () => admission.state().in_flight);
  metrics.watch('searches_waiting', () => admission.state().waiting);
  metrics.watch('overloaded', () => (admission.state().overloaded ? 1 : 0));
  metrics.watch('loop_delay_seconds', () => load.loopDelayMs() / 1000);

  async function take(caller: Caller, limit: Limit): Promise<RateDecision> {
    const decision = await limiter.take(caller.key_id, limit);
    metrics.limited(limit.bucket, decision.allowed);
    return decision;
  }

  /** The one place that says who calls. */
  function identify(from: Credentials | Caller): Promise<Caller> {
    if (!('api_key' in from)) return (from.session === undefined ? identity : sessions).recheck(from);
    const { api_key, address, browser } = from;
    if (api_key !== undefined || browser === undefined || !sessions.isNamed(browser)) {
      return identity.identify(api_key, address);
    }
    return sessions.identify(browser, address);
  }

  return {
    accounts,
    sessions: {
      ...sessions,
      signIn: (link, browser, address) => sessions.signIn(link, browser, address).catch(refused),
    },
    usage,
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
    peek: (caller) => limiter.peek(caller.key_id, plans[caller.plan].calls),
    async close() {
      admission.close();
      await usage.close();
      await networks.close();
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
