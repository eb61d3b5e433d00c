/**
 * A run of another process, read here: a log of this process's own that follows the owner's through Redis. It looks again
 * when it is told that there is more, and once a second in case nobody could tell it.
 *
 * A run whose owner's lease is gone is ended in its place, once, whoever looks first: `search.failed{lost}` is then in the
 * log for everybody, the owner included if it was not dead after all. Where Redis itself has not had the run for long
 * (it was away, or has lost its memory and nobody gave it back), only this log ends so, for who reads it here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { type CancelledBy, readAbortEvents } from '../abort-events.ts';
import { createRunLog, type Entry, sliceAfter, timestamp } from '../log.ts';
import { stateOf } from '../replay.ts';
import type { Run } from '../run.ts';
import type { RunDescriptor } from '../shared-runs.ts';
import type { RunCommands, Seen } from './commands.ts';
import type { Lease } from './lease.ts';

export interface RemoteRun {
  readonly run: Run;
  readonly owner: string;
  /** How it shall be cancelled, until it has ended. */
  readonly wish: CancelledBy | undefined;
  /** Reads what is new. Calls at once share one look; one that comes during a look makes another. */
  refresh(): Promise<void>;
}

export interface RemoteRunOptions {
  readonly commands: RunCommands;
  readonly lease: Lease;
  readonly leaseMs: number;
  /** Told when the run was ended here in its owner's place, of what is to be recorded. */
  readonly onLost: (about: RunDescriptor, terminal: TerminalEvent) => void;
  readonly onCancel: (followed: RemoteRun) => void;
  /** Told when a reader has more of the run than there is here. */
  readonly onLagging: (followed: RemoteRun) => void;
}

/** `seen`: what reading the run from its start gave. */
export function openRemoteRun(about: RunDescriptor, seen: Seen, options: RemoteRunOptions): RemoteRun {
  const { commands, lease, leaseMs, onLost, onCancel, onLagging: onBehind } = options;
  const { search_id, account_id, created_at, prompts } = about;
  const { owner } = seen;
  const log = createRunLog(search_id);
  const done = new Promise<TerminalEvent>((resolve) => {
    log.watch(() => log.terminal() !== undefined && resolve(log.terminal()!));
  });
  let lastSeen = performance.now();
  let wish: CancelledBy | undefined;
  let looking: Promise<void> | undefined;
  let again = false;

  /** Whether they follow what is here: a log may have lost its beginning. */
  function take(entries: readonly Entry[]): boolean {
    for (const entry of entries) {
      if (entry.first_seq > log.head() + 1) return false;
      if (entry.seq > log.head()) log.adopt(sliceAfter(entry, log.head()));
    }
    return true;
  }

  function refresh(): Promise<void> {
    again = looking !== undefined;
    looking ??= lookAll().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookAll(): Promise<void> {
    do {
      again = false;
      await look();
    } while (again);
  }

  async function look(): Promise<void> {
    for (let hasMore = true; hasMore && log.terminal() === undefined; ) {
      const next = await commands.follow(search_id, log.head()).catch(() => undefined);
      if (next === undefined || !take(next.entries)) return giveUpLater();
      lastSeen = performance.now();
      hasMore = next.isCut;
      // What has just been appended here is read like everything else.
      if (!hasMore && !next.isHeld && lease.isSteady()) hasMore = await endLost();
    }
  }

  function giveUpLater(): void {
    if (performance.now() - lastSeen < sightlessLeases * leaseMs || log.terminal() !== undefined) return;
    for (const event of lostEvents()) log.append(event);
  }

  async function endLost(): Promise<boolean> {
    const at = timestamp(Date.now());
    const events = lostEvents();
    const entries = events.map((event, index) => {
      const seq = log.head() + 1 + index;
      return { first_seq: seq, seq, at, event };
    });
    const isDone = await commands.endOrphan(search_id, owner, entries).catch(() => false);
    if (isDone) onLost(about, events.at(-1) as TerminalEvent);
    return isDone;
  }

  function lostEvents() {
    return readAbortEvents(log).failed(
      new AppError('lost', 'The process that ran this search went away.'),
      about.request_id,
    );
  }

  async function reaches(seq: number): Promise<boolean> {
    const until = performance.now() + leaseMs + patienceMs;
    await refresh();
    if (log.head() < seq && log.terminal() === undefined) onBehind(followed);
    while (log.head() < seq && log.terminal() === undefined && performance.now() < until) {
      await sleep(lookAgainMs);
      await refresh();
    }
    return seq <= log.head();
  }

  const run: Run = {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    done,
    state() {
      const terminal = log.terminal();
      return terminal === undefined ? 'running' : stateOf(terminal);
    },
    reaches,
    cancel(by) {
      if (log.terminal() !== undefined) return;
      wish = by;
      onCancel(followed);
    },
  };
  const followed: RemoteRun = {
    run,
    owner,
    get wish() {
      return log.terminal() === undefined ? wish : undefined;
    },
    refresh,
  };
  take(seen.entries);
  return followed;
}

/** How many leases long a run may be out of sight: Redis may come back, and its owner give it the run again. */
const sightlessLeases = 3;
/** How much longer than a lease a seq is waited for that the owner sent to somebody and Redis has not got yet. */
const patienceMs = 3_000;

const lookAgainMs = 50;
