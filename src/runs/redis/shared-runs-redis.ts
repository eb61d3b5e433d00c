/**
 * Runs shared over Redis. Each process copies its own runs to Redis in the background and follows the runs of others that
 * are read here. Messages to an owner (a reader, a cancellation) are repeated every second until they take effect. Once
 * per lease one process looks for runs of dead processes and ends them.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { connectRedis } from '../../base/redis/redis.ts';
import { keyPrefix } from '../../base/redis/redis-url.ts';
import { timestamp } from '../log.ts';
import { createRecorder } from '../recorder.ts';
import { stateOf } from '../replay.ts';
import type { RunRecords } from '../run-records.ts';
import type { RunControl, RunDescriptor, SharedRuns } from '../shared-runs.ts';
import { claimKey, restoreClaim } from './claims.ts';
import { commandTimeout, createRunCommands } from './commands.ts';
import { openLease } from './lease.ts';
import { type Mail, openMailbox } from './mailbox.ts';
import { createPublisher } from './publisher.ts';
import { createRemoteReaders } from './remote-readers.ts';
import { openRemoteRun, type RemoteRun } from './remote-run.ts';

export interface SharedRunsOptions {
  readonly url: string;
  /** Records the runs that this process ended for a dead owner. */
  readonly records: RunRecords;
  readonly onFault: (error: unknown) => void;
  /** Called when Redis goes away and when it comes back. */
  readonly onChange?: (state: 'away' | 'back', cause?: unknown) => void;
  readonly prefix?: string;
  /** A process that is silent for so long, and then for as long again, counts as dead; 4 s by default. */
  readonly leaseMs?: number;
  /** How long Redis keeps a run after its last entry; 15 minutes by default. */
  readonly retentionMs?: number;
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
/** How long `close` may take to send what Redis does not have. Set by hand. */
const closeMs = 1_000;
const idPattern = /^s_[\w-]{1,60}$/;

/** Connects to Redis. Resolves when it answers, or after a second without it: it is then used once it comes up. */
export async function openSharedRuns(options: SharedRunsOptions): Promise<SharedRuns> {
  const { url, records, onFault, onChange = () => {}, prefix = keyPrefix(url) } = options;
  const { leaseMs = 4_000, retentionMs = 15 * 60_000 } = options;
  const unusedMs = unusedLeases * leaseMs;
  const process = randomUUID();
  const redis = connectRedis(url, { commandTimeout });
  const commands = createRunCommands({ redis, prefix, retentionMs, leaseMs });
  /** The runs of this process that Redis does not have in full. */
  const published = new Map<string, { readonly control: RunControl; readonly descriptor: RunDescriptor }>();
  const opening = new Map<string, Promise<OpenRun | undefined>>();
  const open = new Map<string, OpenRun>();
  const recorder = createRecorder({ records, onFault });
  const remoteReaders = createRemoteReaders(leaseMs);
  const publisher = createPublisher({ redis, commands, process, lease: () => lease, retentionMs });
  const mailbox = openMailbox({
    commands,
    subscriber: connectRedis(url, { autoResubscribe: false }),
    process,
    onMail: receive,
  });
  const lease = await openLease({ commands, process, leaseMs, onHeld, onChange });
  const ticking = setInterval(tick, tickMs);
  ticking.unref();
  const sweeping = setInterval(() => void sweep().catch(() => {}), leaseMs);
  sweeping.unref();
  let isSweeping = false;
  let forgetRun: (search_id: string) => void = () => {};
  /** Called once the process that ran the run has removed it, too. */
  const removing = new Map<string, () => void>();

  function onHeld(mayHaveLostData: boolean): void {
    void publisher.catchUp(mayHaveLostData);
    if (mayHaveLostData) for (const { descriptor } of published.values()) restore(descriptor);
  }

  /** Sends again what Redis keeps of a run besides its log. */
  function restore(descriptor: RunDescriptor): void {
    commands.markResumable(descriptor.account_id).catch(() => {});
    restoreClaim(commands, process, descriptor).catch(() => {});
  }

  function receive(mail: Mail): void {
    const { search_id } = mail;
    if (mail.about === 'wake') refresh(open.get(search_id));
    else if (mail.about === 'cancel') published.get(search_id)?.control.cancel(mail.by);
    else if (mail.about === 'hurry') publisher.hurry(search_id);
    else if (mail.about === 'remove') {
      forgetRun(search_id);
      mailbox.send(mail.from, { about: 'forgotten', search_id });
    } else if (mail.about === 'forgotten') removing.get(search_id)?.();
    else if (mail.about === 'leave') remoteReaders.leave(search_id, mail.from);
    else if (mail.about === 'read') remoteReaders.renew(search_id, mail.from, () => attachProcess(search_id));
  }

  /** Counts another process as a reader of this run. */
  function attachProcess(search_id: string): (() => void) | undefined {
    publisher.hurry(search_id);
    return published.get(search_id)?.control.attach();
  }

  function wakeReaders(search_id: string): void {
    for (const reader of remoteReaders.of(search_id)) mailbox.send(reader, { about: 'wake', search_id });
  }

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
    if (isSweeping || lease.isAway()) return;
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
    if (by !== undefined) mailbox.send(owner, { about: 'cancel', search_id: run.search_id, by });
  }

  function sendHurry({ run, owner }: RemoteRun): void {
    mailbox.send(owner, { about: 'hurry', search_id: run.search_id });
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
        mailbox.send(owner, { about: 'remove', search_id, from: process });
        await Promise.race([forgotten, sleep(removeAgainMs)]);
        if (!isForgotten && !(await commands.isAlive(owner))) return;
      }
    } finally {
      removing.delete(search_id);
    }
    if (!isForgotten) throw new Error('the process that ran the search does not answer');
  }

  /** Closes a run that was removed. Whoever still reads it here sees it end. */
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
        if (readers > 0) mailbox.send(remote.owner, { about: 'read', search_id, from: process });
        sendCancel(remote);
        refresh(opened);
      } else if (readers === 0 && performance.now() - remote.refreshedAt > unusedMs) {
        close(search_id);
      }
    }
  }

  function throwOverloaded(cause: unknown): never {
    const message = 'The server cannot look up searches of its other processes at the moment; try again.';
    throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
  }

  return {
    publish(log, descriptor, control) {
      const { search_id } = log;
      published.set(search_id, { control, descriptor });
      commands.markResumable(descriptor.account_id).catch(() => {});
      return publisher.publish(log, descriptor, {
        isRead: () => remoteReaders.has(search_id),
        onSent: () => wakeReaders(search_id),
        onDone: () => published.delete(search_id),
      });
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

    onRemoved(forget) {
      forgetRun = forget;
    },

    attach(search_id) {
      const opened = open.get(search_id);
      if (opened === undefined) return () => {};
      // The owner of a background run may change.
      const { remote } = opened;
      let attached = true;
      opened.readers += 1;
      if (opened.readers === 1) mailbox.send(remote.owner, { about: 'read', search_id, from: process });
      return () => {
        if (!attached) return;
        attached = false;
        opened.readers -= 1;
        if (opened.readers === 0) mailbox.send(remote.owner, { about: 'leave', search_id, from: process });
      };
    },

    hasResumable: (account_id) => commands.hasResumable(account_id).catch(() => false),
    claim: (account_id, idempotency) => claimKey(commands, process, account_id, idempotency).catch(() => undefined),

    async close() {
      clearInterval(ticking);
      clearInterval(sweeping);
      await publisher.finish(closeMs);
      remoteReaders.close();
      recorder.close();
      await lease.close();
      mailbox.close();
      redis.disconnect();
    },
  };
}
