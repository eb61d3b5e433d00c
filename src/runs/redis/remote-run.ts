/**
 * A run of another process, read here through a local log that follows the owner's over Redis. It polls when the owner
 * announces more, and once a second in case the announcement was lost.
 *
 * If the owner is dead, the first process that looks ends the run: `search.failed{lost}` is then in the log for everybody,
 * including the owner if it was not dead after all. An owner that recorded the search before it died ended it itself: the
 * log then ends with the recorded event. A loss is shown here only once it is recorded.
 *
 * A run that Redis has lost is awaited for several leases, because a living owner sends it again; then only the local log
 * ends. While Redis is unreachable, the local log ends only with what the owner recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchEvent, TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { createSingleFlight } from '../../base/values/single-flight.ts';
import { type CancelledBy, readAbortEvents } from '../abort-events.ts';
import { createRunLog, type Entry, sliceAfter, timestamp } from '../log.ts';
import { stateOfLog } from '../replay.ts';
import type { CursorState, Run } from '../run.ts';
import type { RunDescriptor } from '../shared-runs.ts';
import type { RunCommands, Seen } from './commands.ts';

export interface RemoteRun {
  readonly run: Run;
  readonly owner: string;
  /** A cancellation that the owner has not carried out yet. */
  readonly pendingCancel: CancelledBy | undefined;
  /** Reads new entries. Concurrent calls share one read; a call during a read causes another one. */
  refresh(): Promise<void>;
  /** When it was last refreshed, on the clock of `performance`. */
  readonly refreshedAt: number;
}

export interface RemoteRunOptions {
  readonly commands: RunCommands;
  /** The process that reads. */
  readonly process: string;
  readonly leaseMs: number;
  /** What the owner recorded as the end of the run; undefined if it did not, or if that cannot be known now. */
  readonly readRecorded: (descriptor: RunDescriptor) => Promise<TerminalEvent | undefined>;
  /** Records the end of a run that its owner did not record. Resolves when readers may see it; never rejects. */
  readonly recordLost: (descriptor: RunDescriptor, terminal: TerminalEvent) => Promise<unknown>;
  readonly onCancel: (remote: RemoteRun) => void;
  /** Called when a reader has seen more of the run than has arrived here. */
  readonly onLagging: (remote: RemoteRun) => void;
}

/** `seen` is the reply to reading the run from its start. */
export async function openRemoteRun(
  descriptor: RunDescriptor,
  seen: Seen,
  options: RemoteRunOptions,
): Promise<RemoteRun> {
  const { commands, process, leaseMs, readRecorded, recordLost, onCancel, onLagging } = options;
  const { search_id, account_id, created_at, prompts, attempt, echoed } = descriptor;
  let { owner } = seen;
  const absentMs = maxAbsentLeases * leaseMs;
  const log = createRunLog(search_id);
  const done = new Promise<TerminalEvent>((resolve) => {
    log.watch(() => log.terminal() !== undefined && resolve(log.terminal()!));
  });
  /** The last seq that the owner's log had where others ended it; undefined if nobody did. */
  let left = seen.left;
  let lastSeen = performance.now();
  let refreshedAt = performance.now();
  let pendingCancel: CancelledBy | undefined;
  let again = false;

  /** Returns whether the entries follow the local log: the log in Redis may have lost its beginning. */
  async function adoptAll(entries: readonly Entry[]): Promise<boolean> {
    const last = entries.at(-1)?.event;
    // The process that ended the run may have died before it recorded that. A background run ends only with its record.
    const isLost = last?.type === 'search.failed' && last.error.code === 'lost';
    if (isLost && attempt === undefined) await recordLost(descriptor, last);
    for (const entry of entries) {
      if (entry.first_seq > log.head() + 1) return false;
      if (entry.seq > log.head()) log.adopt(sliceAfter(entry, log.head()));
    }
    return true;
  }

  function refresh(): Promise<void> {
    refreshedAt = performance.now();
    again = read.current !== undefined;
    return read();
  }

  const read = createSingleFlight(async () => {
    do {
      again = false;
      await readNew();
    } while (again);
  });

  async function readNew(): Promise<void> {
    for (let hasMore = true; hasMore && log.terminal() === undefined; ) {
      const next = await commands.follow(process, search_id, log.head()).catch(() => 'unsure' as const);
      if (next === 'unsure') return endIfOverdue(maxUnsureMs);
      left ??= next?.left;
      if (next === undefined || !(await adoptAll(next.entries))) return endIfOverdue(absentMs);
      if (next.owner === '') return endRemoved();
      lastSeen = performance.now();
      // A background run may be continued by another process.
      owner = next.owner;
      hasMore = next.isCut;
      // The entries that end an orphan are then read like all others.
      if (!hasMore && !next.isHeld) hasMore = await endOrphan();
    }
  }

  /** A run is removed only once it has ended, and cancelled before that: a reader who had not read so far sees it so. */
  function endRemoved(): void {
    endHere(readAbortEvents(log).cancelled('client'));
  }

  /** Ends the local log with what the owner recorded, or as lost once the run has not been seen for `maxMs`. */
  async function endIfOverdue(maxMs: number): Promise<void> {
    const unseenMs = performance.now() - lastSeen;
    if (unseenMs < absentMs || log.terminal() !== undefined) return;
    const recorded = await readRecorded(descriptor);
    if (recorded === undefined && (attempt !== undefined || unseenMs < maxMs)) return;
    endHere(lastEvents(recorded));
  }

  /** Ends the log in this process alone. */
  function endHere(events: readonly SearchEvent[]): void {
    left ??= log.head();
    for (const event of events) log.append(event);
  }

  async function endOrphan(): Promise<boolean> {
    const recorded = await readRecorded(descriptor);
    // Until it is recorded, another process begins a background run again.
    if (attempt !== undefined && recorded === undefined) return false;
    const at = timestamp(Date.now());
    const events = lastEvents(recorded);
    const entries = events.map((event, index) => {
      const seq = log.head() + 1 + index;
      return { first_seq: seq, seq, at, event };
    });
    return commands.endOrphan(search_id, owner, entries).catch(() => false);
  }

  /** The events that end the run in place of its owner. */
  function lastEvents(recorded: TerminalEvent | undefined) {
    if (recorded !== undefined) return readAbortEvents(log).recorded(recorded);
    const error = new AppError('lost', 'The process that ran this search is gone.');
    return readAbortEvents(log).failed(error, descriptor.request_id);
  }

  async function reaches(seq: number): Promise<CursorState> {
    // Two leases after its last sign of life the owner counts as dead.
    const until = performance.now() + 2 * leaseMs + patienceMs;
    await refresh();
    if (log.head() < seq && log.terminal() === undefined) onLagging(remote);
    while (log.head() < seq && log.terminal() === undefined && performance.now() < until) {
      await sleep(pollMs);
      await refresh();
    }
    if (left !== undefined && seq > left) return 'gone';
    return seq <= log.head() ? 'held' : 'ahead';
  }

  const run: Run = {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    attempt,
    echoed,
    done,
    state: () => stateOfLog(log),
    isEnding: () => pendingCancel !== undefined && log.terminal() === undefined,
    reaches,
    cancel(by) {
      if (log.terminal() !== undefined) return;
      pendingCancel = by;
      onCancel(remote);
    },
  };
  const remote: RemoteRun = {
    run,
    get owner() {
      return owner;
    },
    get pendingCancel() {
      return log.terminal() === undefined ? pendingCancel : undefined;
    },
    refresh,
    get refreshedAt() {
      return refreshedAt;
    },
  };
  await adoptAll(seen.entries);
  return remote;
}

/** How many leases a run may be missing from Redis, because its owner may send it again. Set by hand. */
const maxAbsentLeases = 3;
/**
 * How long Redis may be unreachable, ms: longer than any search may take, except those in the background, which end only with their
 * record. Set by hand.
 */
const maxUnsureMs = 5 * 60_000;
/** How much longer than two leases to wait for a seq that the owner sent to a reader but not yet to Redis. Set by hand. */
const patienceMs = 3_000;
/** How often Redis is polled for such a seq. Set by hand. */
const pollMs = 50;
