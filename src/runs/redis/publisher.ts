/**
 * Copies the runs of this process to Redis in the background. New entries wait for the next flush, 40 ms for a run that is
 * read elsewhere and 500 ms otherwise, and go out with those of other runs in one write. Neighbouring deltas become one
 * entry, as in the log itself. A run has one batch in flight at a time, so a slow Redis gets fewer and larger entries.
 * Nothing waits for any of this.
 *
 * While Redis is unreachable the runs continue. Once it is back they catch up, from the start if Redis has lost them. Runs that
 * ended so long ago that Redis would have expired them are dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { isTerminal, type SearchEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { writeTogether } from '../../base/redis/redis.ts';
import { createSingleFlight } from '../../base/values/single-flight.ts';
import { coalesceFrom, frameText, type RunLog, sliceAfter } from '../log.ts';
import { stateOf } from '../replay.ts';
import type { RunDescriptor } from '../shared-runs.ts';
import type { RunLease } from '../start-run.ts';
import type { Batch, RunCommands } from './commands.ts';
import type { Lease } from './lease.ts';

export interface Publisher {
  publish(log: RunLog, descriptor: RunDescriptor, hooks: PublicationHooks): RunLease;
  /** Sends what Redis does not have of this run now, because a reader elsewhere is waiting. */
  hurry(search_id: string): void;
  /** Sends a batch of each run that Redis does not have in full; of every unfinished run if Redis may have lost data. */
  catchUp(mayHaveLostData: boolean): Promise<void>;
  /** Resolves when Redis has everything, is unreachable, or after `maxMs`. */
  finish(maxMs: number): Promise<void>;
}

interface PublicationHooks {
  /** Whether another process reads the run. */
  readonly isRead: () => boolean;
  /** Redis has new entries. */
  readonly onSent: () => void;
  /** Redis has the whole run, or will not accept more of it. */
  readonly onDone: () => void;
}

/** Publications that are sent together, `ms` after the first of them was added. */
interface FlushQueue {
  readonly ms: number;
  due: Set<Publication>;
  timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
}

interface Publication {
  /** Whether Redis lacks entries. */
  hasUnsent(): boolean;
  send(): Promise<void>;
}

/** The delay that a reader in another process adds. Set by hand. */
const readFlushMs = 40;
/** Set by hand. */
const unreadFlushMs = 500;
/** How long a slow Redis may delay the start of a search. Set by hand. */
const maxBeginMs = 500;
/** Keeps one batch well below Redis's limits and the command timeout. Set by hand. */
const batchCharacters = 512 * 1024;
const batchEntries = 500;
/** Between two tries to send the rest. Set by hand. */
const finishPollMs = 20;

/** `lease` is a function because the lease is opened after the publisher. */
export function createPublisher(options: {
  readonly redis: Redis;
  readonly commands: RunCommands;
  readonly process: string;
  readonly lease: () => Lease;
  /** How long Redis keeps a run that has ended. */
  readonly retentionMs: number;
}): Publisher {
  const { redis, commands, process, lease, retentionMs } = options;
  const unfinished = new Map<string, Publication>();
  const [urgent, read, unread] = [0, readFlushMs, unreadFlushMs].map(createFlushQueue) as [
    FlushQueue,
    FlushQueue,
    FlushQueue,
  ];

  function enqueue(publication: Publication, queue: FlushQueue): void {
    queue.due.add(publication);
    if (queue.ms === 0) queue.timer ??= setImmediate(flush, queue);
    else queue.timer ??= setTimeout(flush, queue.ms, queue);
  }

  function flush(queue: FlushQueue): void {
    const sending = queue.due;
    queue.due = new Set();
    queue.timer = undefined;
    if (!lease().isAway()) sendAll(sending);
  }

  async function sendAll(publications: Iterable<Publication>): Promise<void> {
    writeTogether(redis);
    // Batches that fail are sent again after the next lease renewal.
    await Promise.all([...publications].map((publication) => publication.send().catch(() => {})));
  }

  function hurry(publication: Publication | undefined): void {
    if (publication?.hasUnsent()) enqueue(publication, urgent);
  }

  const unsent = () => [...unfinished.values()].filter((publication) => publication.hasUnsent());

  function publish(log: RunLog, descriptor: RunDescriptor, { isRead, onSent, onDone }: PublicationHooks): RunLease {
    const lost = new AbortController();
    const publication: Publication = { hasUnsent: () => acknowledged < log.head(), send };
    const unwatch = log.watch(onAppended);
    let acknowledged = 0;
    let isQueued = false;
    let expiry: NodeJS.Timeout | undefined;
    let resolveBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      resolveBegun = resolve;
      setTimeout(resolve, maxBeginMs).unref();
    });

    function onAppended(event: SearchEvent): void {
      const isUrgent = event.type === 'search.accepted' || isTerminal(event);
      if (isTerminal(event)) expiry ??= setTimeout(stop, retentionMs).unref();
      if (isQueued && !isUrgent) return;
      isQueued = true;
      enqueue(publication, isUrgent ? urgent : isRead() ? read : unread);
    }

    async function send(): Promise<void> {
      isQueued = false;
      if (!isPublished()) return;
      await sendBatch();
    }

    const sendBatch = createSingleFlight(() => append(batchAfter(log, acknowledged)).finally(() => resolveBegun()));

    async function append(batch: Batch): Promise<void> {
      const { verdict, head } = await commands.append(process, descriptor, batch);
      if (verdict === 'lost') return loseRun();
      acknowledged = head;
      if (batch.entries.length > 0) onSent();
      if (acknowledged < log.head()) onAppended(log.entry(log.head())!.event);
      else if (log.terminal() !== undefined) stop();
    }

    /** A later attempt of the run may have been published instead. */
    const isPublished = () => unfinished.get(log.search_id) === publication;

    function stop(): void {
      clearTimeout(expiry);
      unwatch();
      if (isPublished()) unfinished.delete(log.search_id);
      onDone();
    }

    function loseRun(): void {
      stop();
      lost.abort(new AppError('lost', 'Another process considered this one dead and ended the search.'));
    }

    /** The lease has expired by our clock, so another process may have ended the run; renewing and sending shows which. */
    async function regain(): Promise<void> {
      if (lease().isAway() || !(await lease().renew())) return;
      await sendBatch.current?.catch(() => {});
      await send().catch(() => {});
      lost.signal.throwIfAborted();
    }

    unfinished.set(log.search_id, publication);
    if (lease().isAway()) resolveBegun();
    return {
      begun,
      lost: lost.signal,
      regain() {
        if (lost.signal.aborted) return Promise.reject(lost.signal.reason);
        return lease().isHeld() || !isPublished() ? undefined : regain();
      },
      hurry: () => hurry(publication),
      leave: stop,
    };
  }

  return {
    publish,
    hurry: (search_id) => hurry(unfinished.get(search_id)),
    catchUp: (mayHaveLostData) => sendAll(mayHaveLostData ? unfinished.values() : unsent()),
    async finish(maxMs) {
      const until = performance.now() + maxMs;
      const mayGoOn = () => unsent().length > 0 && !lease().isAway() && performance.now() < until;
      while (mayGoOn()) {
        await Promise.race([sendAll(unsent()), sleep(until - performance.now(), undefined, { ref: false })]);
        // Sends fail without delay while the connection is down.
        if (mayGoOn()) await sleep(finishPollMs);
      }
    },
  };
}

function createFlushQueue(ms: number): FlushQueue {
  return { ms, due: new Set(), timer: undefined };
}

function batchAfter(log: RunLog, after: number): Batch {
  const { search_id } = log;
  const entries: Batch['entries'][number][] = [];
  let characters = 0;
  let at = after;
  while (characters < batchCharacters && entries.length < batchEntries) {
    const found = log.entry(at + 1);
    if (found === undefined) break;
    const entry = coalesceFrom(sliceAfter(found, at), (seq) => log.entry(seq + 1));
    const text = entry === found ? log.text(entry) : frameText(search_id, entry);
    entries.push({ entry, text });
    characters += text.length;
    at = entry.seq;
  }
  const terminal = log.terminal();
  const ended = terminal === undefined || at < log.head() ? undefined : stateOf(terminal);
  return { search_id, after, entries, ended };
}
