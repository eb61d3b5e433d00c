/**
 * Sends webhooks: claims what is due in the outbox, signs it and posts it, a bounded number at a time, of which one target and
 * one account get only a part, and of which some are kept for accounts with nothing in flight: a receiver that hangs holds up nothing
 * but what is sent to itself. Each try lasts 15 s at most.
 * Delivered means at least once: a process that dies within a try leaves it to the next one, which uses the same id.
 */
import { randomUUID } from 'node:crypto';
import { type WebhookEvent, webhookLimits } from '../../protocol/index.ts';
import { timeLimit } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import { dayMs } from '../base/values/day.ts';
import { maxPauseMs, maxRetryAfterMs, outcomeOf, type TryResult } from './retry-schedule.ts';
import type { SecretBox } from './secret-box.ts';
import { signatureHeaders } from './sign.ts';
import type { ClaimedDelivery, Delivery, TryOutcome, WebhookRecords } from './webhook-records.ts';

export interface Posted extends TryResult {
  /** Why there is no status, in words for the owner of the endpoint. */
  readonly error?: string | undefined;
}

/** Posts a JSON body once, to a public address only, following no redirect. Never rejects. */
export type PostWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<Posted>;

export interface Deliveries {
  /** Begins to send what is due. */
  start(): void;
  /** Looks for what is due now; resolves when all of it that this process may send was tried. */
  run(): Promise<void>;
  /** Tries in flight. */
  inFlight(): number;
  /** Ends the tries in flight, which are made again later, by any process. */
  close(): Promise<void>;
}

/** A try that begins: `headers` go with it, and `end` is called with the status of the answer, if there was one. */
export type WatchTry = (delivery: Pick<Delivery, 'url' | 'round' | 'type' | 'traceparent'>) => {
  readonly headers: Readonly<Record<string, string>>;
  end(status: number | undefined): void;
};

export interface DeliveriesOptions {
  readonly records: WebhookRecords;
  readonly post: PostWebhook;
  readonly box: SecretBox;
  readonly onFault: (error: unknown) => void;
  /** Called with the reason for each secret that cannot be read. */
  readonly onUnreadable?: (reason: string) => void;
  readonly onTry?: (outcome: 'delivered' | 'retried' | 'failed') => void;
  /** Absent unless traces are exported. */
  readonly watchTry?: WatchTry | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** How often the outbox is looked at for what other processes queued. Set by hand. */
const pollMs = 5_000;
/** Above the length of a try and of the commit after it. Set by hand. */
const leaseMs = 30_000;
/** At a time, in one process. Set by hand: sockets that mostly wait. */
const places = 64;
/** More, which only an account with nothing in flight gets: all others may wait for receivers that hang. */
const reserve = 16;
const perAccount = 16;
const perTarget = 4;
/** Targets whose wish for time is remembered; set by hand. Of more, what is queued later is tried as it comes. */
const maxSlow = 1_000;
/**
 * How long a delivery whose secret this process cannot read is left to others, which may have another SECRETS_KEY, and how
 * many are remembered: with more, nothing is claimed for as long. Set by hand.
 */
const leftMs = 60_000;
const maxLeft = 1_000;
/** Once it was due for so long, no other process can read its secret either, and a try is counted. Set by hand. */
const unsignedMs = 3_600_000;
/** How often deliveries that ended long ago are removed, and how many at a time. Set by hand. */
const cleanMs = 3_600_000;
const cleanRows = 1_000;

/** Sends nothing until it is started. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const {
    records,
    post,
    box,
    onFault,
    onUnreadable = () => {},
    onTry = () => {},
    watchTry,
    now = () => Date.now(),
    random = Math.random,
  } = options;
  const owner = randomUUID();
  const closing = new AbortController();
  const tries = new Set<Promise<void>>();
  /** By target and by account. */
  const held = new Map<string, number>();
  /** Until when nothing is sent to a target: what waits for it is in the outbox, and what is queued later is not known there. */
  const slow = new Map<string, string>();
  /** Deliveries that are left to others, by their ids, and until when. */
  const left = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let cleanAt = 0;

  const add = (name: string, change: number) => {
    const count = (held.get(name) ?? 0) + change;
    if (count === 0) held.delete(name);
    else held.set(name, count);
  };

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const begun = now();
    const isOff = delivery.secrets.length === 0;
    const secrets = openAll(delivery.secrets);
    if (!isOff && secrets.length === 0 && begun < Date.parse(delivery.next_at ?? '') + unsignedMs) {
      left.set(delivery.id, begun + leftMs);
      return records.giveBack(owner, delivery, unreadable.error);
    }
    const posted = isOff ? switchedOff : await send(delivery, secrets, begun);
    if (closing.signal.aborted) return;
    const ended = now();
    const outcome = isOff ? givenUp : outcomeOf(posted, delivery.round + 1, ended, random());
    const { status = null, error = null } = posted;
    if (outcome.slow_until !== undefined) slowDown(delivery.target, outcome.slow_until);
    const made = { at: new Date(begun).toISOString(), status, error, duration_ms: Math.max(0, ended - begun) };
    await records.finish(owner, delivery.id, made, outcome);
    onTry(outcome.state === 'pending' ? 'retried' : outcome.state);
  }

  function slowDown(target: string, until: string): void {
    const later = (slow.get(target) ?? '') > until ? slow.get(target)! : until;
    slow.delete(target);
    slow.set(target, later);
    if (slow.size > maxSlow) slow.delete(slow.keys().next().value!);
  }

  /** Those that can be opened. After SECRETS_KEY was lost, the old secret of a rotation cannot: the new one is enough to sign. */
  function openAll(sealed: readonly string[]): string[] {
    return sealed.flatMap((each) => {
      try {
        return [box.open(each)];
      } catch (error) {
        onUnreadable(error instanceof Error ? error.message : String(error));
        return [];
      }
    });
  }

  async function send(delivery: ClaimedDelivery, secrets: readonly string[], time: number): Promise<Posted> {
    if (secrets.length === 0) return unreadable;
    const body = JSON.stringify(eventOf(delivery));
    const signed = signatureHeaders({ id: delivery.id, body, seconds: Math.floor(time / 1000) }, secrets);
    const signal = AbortSignal.any([closing.signal, timeLimit(1000 * webhookLimits.try_s)]);
    const watched = watchTry?.(delivery);
    const headers = { 'content-type': 'application/json', ...watched?.headers, ...signed };
    const posted = await post(delivery.url, headers, body, signal);
    watched?.end(posted.status);
    return posted;
  }

  function begin(delivery: ClaimedDelivery): void {
    const names = [delivery.target, delivery.account_id];
    for (const name of names) add(name, 1);
    const done: Promise<void> = attempt(delivery)
      .catch(report)
      .finally(() => {
        tries.delete(done);
        for (const name of names) add(name, -1);
        // A place is free.
        void look();
      });
    tries.add(done);
  }

  /** An outage of the store is reported elsewhere; the lease brings the delivery back. */
  function report(error: unknown): void {
    if (!(error instanceof AppError)) onFault(error);
  }

  async function claimAll(): Promise<void> {
    while (!closing.signal.aborted && tries.size < places + reserve) {
      const [from, until] = [now(), now() + leaseMs].map((time) => new Date(time).toISOString()) as [string, string];
      // Times beyond any possible wait were set by a clock that ran ahead.
      const latest = new Date(now() + maxRetryAfterMs).toISOString();
      for (const [target, time] of slow) if (time <= from || time > latest) slow.delete(target);
      for (const [id, time] of left) if (time <= now() || time > now() + leftMs) left.delete(id);
      if (left.size >= maxLeft) return;
      const room = { limit: places + reserve - tries.size, reserve, inFlight: held, perTarget, perAccount };
      const limits = { ...room, slow, left: [...left.keys()] };
      const claimed = await records.claim(owner, from, until, limits);
      if (claimed.length === 0) return;
      claimed.forEach(begin);
    }
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  function look(): Promise<void> {
    lookAgain = true;
    looking ??= (async () => {
      while (lookAgain && !closing.signal.aborted) {
        lookAgain = false;
        await claimAll().catch(report);
      }
      looking = undefined;
    })();
    return looking;
  }

  /** A clock that was ahead, here or on another server, must not hold up what it has planned. */
  function pullBack(): Promise<void> {
    const [latest, from] = [now() + maxPauseMs, now()].map((time) => new Date(time).toISOString()) as [string, string];
    return records.pullBack(latest, from).catch(report);
  }

  async function clean(): Promise<void> {
    if (now() < cleanAt && cleanAt <= now() + cleanMs) return;
    cleanAt = now() + cleanMs;
    const before = new Date(now() - webhookLimits.kept_days * dayMs).toISOString();
    while (!closing.signal.aborted && (await records.removeBefore(before, cleanRows)));
  }

  function next(ms: number): void {
    if (closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => void round(), ms);
    timer.unref();
  }

  async function round(): Promise<void> {
    await pullBack();
    await look();
    await clean().catch(report);
    const due = await records.nextDue().catch(() => undefined);
    const wait = due === undefined ? pollMs : Date.parse(due) - now();
    // What is due and not claimed waits for a place.
    next(wait <= 0 ? pollMs : Math.min(wait, pollMs));
  }

  records.onQueued(() => {
    if (isStarted) void look();
  });

  return {
    start() {
      isStarted = true;
      next(0);
    },
    async run() {
      await pullBack();
      await look();
      while (tries.size > 0) {
        await Promise.all(tries);
        await look();
      }
    },
    inFlight: () => tries.size,
    async close() {
      clearTimeout(timer);
      closing.abort();
      await looking;
      await Promise.all(tries);
      await records.release(owner, new Date(now()).toISOString()).catch(() => {});
    },
  };
}

const switchedOff: Posted = { status: undefined, error: 'The endpoint is disabled.' };
const unreadable = { status: undefined, error: 'The server could not read the signing secret.' } satisfies Posted;
const givenUp: TryOutcome = { state: 'failed', next_at: null };

function eventOf({ type, occurred_at, subject }: Delivery): WebhookEvent {
  return { type, timestamp: occurred_at, data: { id: subject } };
}
