/**
 * The runs of other processes that are read here. Messages to an owner (a reader, a cancellation) are repeated every second until
 * they take effect. Once per lease, runs of dead processes are looked for and ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { timestamp } from '../log.ts';
import { createRecorder } from '../recorder.ts';
import type { RunRecords } from '../records/run-records.ts';
import { stateOf } from '../replay.ts';
import type { Run } from '../run.ts';
import type { RunDescriptor } from '../shared-runs.ts';
import type { RunCommands } from './commands.ts';
import type { Mailbox } from './mailbox.ts';
import { openRemoteRun, type RemoteRun } from './remote-run.ts';

export interface RemoteRuns {
  /** Begins to look after the runs that are open here, and for runs of dead processes. */
  start(): void;
  /** The account's run in another process, read up to now. Rejects with `overloaded` while Redis cannot be reached. */
  find(account_id: string, search_id: string): Promise<Run | undefined>;
  /** Counts a reader in this process; the returned function uncounts it. */
  attach(search_id: string): () => void;
  /** Reads a run further, because its owner has news. */
  wake(search_id: string): void;
  /**
   * Removes an ended run from Redis and from the process that ran it. Rejects with `overloaded` while either cannot be reached.
   */
  remove(search_id: string): Promise<void>;
  /** The process that ran the run has removed it, too. */
  forgotten(search_id: string): void;
  /** Ends what `start` began. */
  stop(): void;
  /** Gives up recording the ends of runs. */
  close(): void;
}

interface OpenRun {
  readonly remote: RemoteRun;
  readers: number;
}

/** How often messages to owners are repeated and remote runs polled. Set by hand. */
const tickMs = 1_000;
/** For how many leases a remote run stays open that nobody reads or waits for. Set by hand. */
const unusedLeases = 2.5;
/** How long the process that ran a search has to forget it, and how often it is asked. Set by hand. */
const removeMs = 5_000;
const removeAgainMs = 250;
const idPattern = /^s_[\w-]{1,60}$/;

/** `process` is the id of this one, and `send` sends a message to another. */
export function createRemoteRuns(parts: {
  readonly commands: RunCommands;
  readonly send: Mailbox['send'];
  readonly process: string;
  /** Records the runs that this process ended for a dead owner. */
  readonly records: RunRecords;
  readonly leaseMs: number;
  /** Whether Redis does not answer at the moment. */
  readonly isAway: () => boolean;
  readonly onFault: (error: unknown) => void;
}): RemoteRuns {
  const { commands, send, process, records, leaseMs, isAway, onFault } = parts;
  const unusedMs = unusedLeases * leaseMs;
  const opening = new Map<string, Promise<OpenRun | undefined>>();
  const open = new Map<string, OpenRun>();
  /** Called once the process that ran the run has removed it, too. */
  const removing = new Map<string, () => void>();
  const recorder = createRecorder({ records, onFault });
  let timers: NodeJS.Timeout[] = [];
  let isSweeping = false;

  async function read(search_id: string): Promise<RemoteRun | undefined> {
    const seen = await commands.follow(process, search_id, 0);
    if (seen === 'unsure') throw new Error('Redis may have lost this search');
    if (seen?.about === undefined) return undefined;
    const remote = await openRemoteRun(seen.about, seen, {
      commands,
      process,
      leaseMs,
      readRecorded,
      recordLost,
      onCancel: sendCancel,
      onLagging: sendHurry,
    });
    await remote.refresh();
    return remote;
  }

  /** Ends runs of dead processes that nobody reads: reading such a run ends it. */
  async function sweep(): Promise<void> {
    if (isSweeping || isAway()) return;
    isSweeping = true;
    try {
      for (const search_id of await commands.findOrphans()) await read(search_id);
    } finally {
      isSweeping = false;
    }
  }

  async function openRun(search_id: string): Promise<OpenRun | undefined> {
    const remote = await read(search_id);
    if (remote === undefined) return undefined;
    const opened = { remote, readers: 0 };
    open.set(search_id, opened);
    return opened;
  }

  async function readRecorded({ account_id, search_id }: RunDescriptor): Promise<TerminalEvent | undefined> {
    const record = await records.get(account_id, search_id).catch(() => undefined);
    return record?.terminal;
  }

  function recordLost({ request_id: _, ...about }: RunDescriptor, terminal: TerminalEvent): Promise<unknown> {
    return recorder.record({ ...about, ended_at: timestamp(Date.now()), state: stateOf(terminal), terminal }).kept;
  }

  function sendCancel({ run, owner, pendingCancel: by }: RemoteRun): void {
    if (by !== undefined) send(owner, { about: 'cancel', search_id: run.search_id, by });
  }

  function sendHurry({ run, owner }: RemoteRun): void {
    send(owner, { about: 'hurry', search_id: run.search_id });
  }

  /** Resolves when that process has forgotten the run, or is dead. Rejects if it is alive and does not answer. */
  async function removeAt(owner: string, search_id: string): Promise<void> {
    let isForgotten = false;
    const forgotten = new Promise<void>((resolve) => {
      removing.set(search_id, () => {
        isForgotten = true;
        resolve();
      });
    });
    const until = performance.now() + removeMs;
    try {
      while (!isForgotten && performance.now() < until) {
        send(owner, { about: 'remove', search_id, from: process });
        await Promise.race([forgotten, sleep(removeAgainMs)]);
        if (!isForgotten && !(await commands.isAlive(owner))) return;
      }
    } finally {
      removing.delete(search_id);
    }
    if (!isForgotten) throw new Error('the process that ran the search does not answer');
  }

  /** Closes a run that was removed. Its readers here see it end. */
  function closeRemoved(search_id: string): void {
    refresh(open.get(search_id));
    close(search_id);
  }

  function close(search_id: string): void {
    open.delete(search_id);
    opening.delete(search_id);
  }

  function refresh(opened: OpenRun | undefined): void {
    opened?.remote.refresh().catch(onFault);
  }

  function tick(): void {
    for (const [search_id, opened] of open) {
      const { remote, readers } = opened;
      if (remote.run.state() === 'running' && (readers > 0 || remote.pendingCancel !== undefined)) {
        if (readers > 0) send(remote.owner, { about: 'read', search_id, from: process });
        sendCancel(remote);
        refresh(opened);
      } else if (readers === 0 && performance.now() - remote.refreshedAt > unusedMs) {
        close(search_id);
      }
    }
  }

  return {
    start() {
      timers = [setInterval(tick, tickMs), setInterval(() => void sweep().catch(() => {}), leaseMs)];
      for (const timer of timers) timer.unref();
    },

    async find(account_id, search_id) {
      if (!idPattern.test(search_id)) return undefined;
      let pending = opening.get(search_id);
      if (pending === undefined) {
        pending = openRun(search_id);
        opening.set(search_id, pending);
        const forget = () => opening.delete(search_id);
        pending.then((found) => found === undefined && forget(), forget);
      }
      const opened = await pending.catch(throwOverloaded);
      if (opened?.remote.run.account_id !== account_id) return undefined;
      await opened.remote.refresh();
      // An ended run is not read again, so this one may not know.
      if (await commands.isRemoved(search_id).catch(() => false)) {
        closeRemoved(search_id);
        return undefined;
      }
      return opened.remote.run;
    },

    async remove(search_id) {
      try {
        const owner = await commands.remove(search_id);
        closeRemoved(search_id);
        if (owner !== '' && owner !== process) await removeAt(owner, search_id);
      } catch (cause) {
        throwOverloaded(cause);
      }
    },

    attach(search_id) {
      const opened = open.get(search_id);
      if (opened === undefined) return () => {};
      // The owner of a background run may change.
      const { remote } = opened;
      let attached = true;
      opened.readers += 1;
      if (opened.readers === 1) send(remote.owner, { about: 'read', search_id, from: process });
      return () => {
        if (!attached) return;
        attached = false;
        opened.readers -= 1;
        if (opened.readers === 0) send(remote.owner, { about: 'leave', search_id, from: process });
      };
    },

    wake: (search_id) => refresh(open.get(search_id)),
    forgotten: (search_id) => removing.get(search_id)?.(),

    stop() {
      for (const timer of timers) clearInterval(timer);
    },

    close: () => recorder.close(),
  };
}

function throwOverloaded(cause: unknown): never {
  const message = 'The server cannot look up searches of its other processes at the moment; try again.';
  throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
}
