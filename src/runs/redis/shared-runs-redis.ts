/**
 * Runs shared over Redis. Each process writes its own behind it and follows those that are read here from elsewhere; what
 * must be told the owner (a reader, a cancel) goes by mail, again every second until it shows. Once in a lease one of them
 * looks for runs of processes that are dead, and ends them.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { connectRedis } from '../../base/redis.ts';
import { timestamp } from '../log.ts';
import { createRecorder } from '../recorder.ts';
import { stateOf } from '../replay.ts';
import type { RunRecords } from '../run-records.ts';
import type { RunControl, SharedRuns } from '../shared-runs.ts';
import { claimKey } from './claims.ts';
import { commandTimeout, createRunCommands } from './commands.ts';
import { openLease } from './lease.ts';
import { type Mail, openMailbox } from './mailbox.ts';
import { createPublisher } from './publisher.ts';
import { createRemoteReaders } from './remote-readers.ts';
import { openRemoteRun, type RemoteRun, type RemoteRunOptions } from './remote-run.ts';

export interface SharedRunsOptions {
  readonly url: string;
  /** Where a run is recorded that was ended in its owner's place. */
  readonly records: RunRecords;
  readonly onFault: (error: unknown) => void;
  /** Called when Redis goes away and when it comes back. */
  readonly onChange?: (state: 'away' | 'back', cause?: unknown) => void;
  readonly prefix?: string;
  /** How long a process may be silent before it is taken for dead; 6 s unless given. */
  readonly leaseMs?: number;
  /** How long Redis keeps a run after its last entry; 15 minutes unless given. */
  readonly retentionMs?: number;
}

interface Following {
  readonly followed: RemoteRun;
  readers: number;
  usedAt: number;
}

const tickMs = 1_000;
/** How long a followed run is kept without readers. */
const unusedMs = 10_000;
const closeMs = 1_000;
const idPattern = /^s_[\w-]{1,60}$/;

export async function openSharedRuns(options: SharedRunsOptions): Promise<SharedRuns> {
  const { url, records, onFault, onChange = () => {}, prefix = 'citewire' } = options;
  const { leaseMs = 6_000, retentionMs = 15 * 60_000 } = options;
  const process = randomUUID();
  const redis = connectRedis(url, { commandTimeout });
  const commands = createRunCommands(redis, prefix, retentionMs);
  const owned = new Map<string, RunControl>();
  const followings = new Map<string, Promise<Following | undefined>>();
  const open = new Map<string, Following>();
  const recorder = createRecorder({ records, onFault });
  const readersElsewhere = createRemoteReaders(leaseMs);
  const publisher = createPublisher({ redis, commands, process, lease: () => lease, retentionMs });
  const onHeld = (isBack: boolean) => void publisher.catchUp(isBack);
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

  function receive(mail: Mail): void {
    const { search_id } = mail;
    if (mail.about === 'wake') refresh(open.get(search_id));
    else if (mail.about === 'cancel') owned.get(search_id)?.cancel(mail.by);
    else if (mail.about === 'hurry') publisher.hurry(search_id);
    else if (mail.about === 'leave') readersElsewhere.leave(search_id, mail.from);
    else if (mail.about === 'read') readersElsewhere.note(search_id, mail.from, () => welcome(search_id));
  }

  /** A process that reads this run from now on. */
  function welcome(search_id: string): (() => void) | undefined {
    publisher.hurry(search_id);
    return owned.get(search_id)?.attach();
  }

  function wakeReaders(search_id: string): void {
    for (const reader of readersElsewhere.of(search_id)) mailbox.tell(reader, { about: 'wake', search_id });
  }

  async function read(search_id: string): Promise<RemoteRun | undefined> {
    const seen = await commands.follow(search_id, 0);
    if (seen?.about === undefined) return undefined;
    const followed = openRemoteRun(seen.about, seen, {
      commands,
      lease,
      leaseMs,
      onLost,
      onCancel: tellOwner,
      onLagging: onBehind,
    });
    await followed.refresh();
    return followed;
  }

  /** Ends the runs of dead processes that nobody asks for: to read one is to end it. */
  async function sweep(): Promise<void> {
    if (isSweeping || !lease.isSteady()) return;
    isSweeping = true;
    try {
      for (const search_id of await commands.findOrphans(leaseMs)) await read(search_id);
    } finally {
      isSweeping = false;
    }
  }

  async function follow(search_id: string): Promise<Following | undefined> {
    const followed = await read(search_id);
    if (followed === undefined) return undefined;
    const following = { followed, readers: 0, usedAt: performance.now() };
    open.set(search_id, following);
    return following;
  }

  const onLost: RemoteRunOptions['onLost'] = ({ request_id: _, ...about }, terminal) => {
    recorder.record({ ...about, ended_at: timestamp(Date.now()), state: stateOf(terminal), terminal });
  };

  function tellOwner({ run, owner, wish }: RemoteRun): void {
    if (wish !== undefined) mailbox.tell(owner, { about: 'cancel', search_id: run.search_id, by: wish });
  }

  function onBehind({ run, owner }: RemoteRun): void {
    mailbox.tell(owner, { about: 'hurry', search_id: run.search_id });
  }

  function refresh(following: Following | undefined): void {
    following?.followed.refresh().catch(onFault);
  }

  function tick(): void {
    for (const [search_id, following] of open) {
      const { followed, readers, usedAt } = following;
      if (followed.run.state() === 'running' && (readers > 0 || followed.wish !== undefined)) {
        if (readers > 0) mailbox.tell(followed.owner, { about: 'read', search_id, from: process });
        tellOwner(followed);
        refresh(following);
      } else if (readers === 0 && performance.now() - usedAt > unusedMs) {
        open.delete(search_id);
        followings.delete(search_id);
      }
    }
  }

  function unknown(cause: unknown): never {
    const message = 'It cannot be known at the moment whether there is such a search; try again.';
    throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
  }

  return {
    publish(log, about, run) {
      const { search_id } = log;
      owned.set(search_id, run);
      commands.markResumable(about.account_id).catch(() => {});
      const onOver = () => owned.delete(search_id);
      const isRead = () => readersElsewhere.has(search_id);
      return publisher.publish(log, about, { isRead, onSent: () => wakeReaders(search_id), onOver });
    },

    async find(account_id, search_id) {
      if (!idPattern.test(search_id)) return undefined;
      let finding = followings.get(search_id);
      if (finding === undefined) {
        finding = follow(search_id);
        followings.set(search_id, finding);
        const forget = () => followings.delete(search_id);
        finding.then((found) => found === undefined && forget(), forget);
      }
      const following = await finding.catch(unknown);
      if (following?.followed.run.account_id !== account_id) return undefined;
      following.usedAt = performance.now();
      await following.followed.refresh();
      return following.followed.run;
    },

    attach(search_id) {
      const following = open.get(search_id);
      if (following === undefined) return () => {};
      const { owner } = following.followed;
      let isIn = true;
      following.readers += 1;
      if (following.readers === 1) mailbox.tell(owner, { about: 'read', search_id, from: process });
      return () => {
        if (!isIn) return;
        isIn = false;
        following.readers -= 1;
        following.usedAt = performance.now();
        if (following.readers === 0) mailbox.tell(owner, { about: 'leave', search_id, from: process });
      };
    },

    hasResumable: (account_id) => commands.hasResumable(account_id).catch(() => false),
    claim: (account_id, idempotency) => claimKey(commands, process, account_id, idempotency).catch(() => undefined),

    async close() {
      clearInterval(ticking);
      clearInterval(sweeping);
      await Promise.race([publisher.finish(), new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
      readersElsewhere.close();
      recorder.close();
      await lease.close();
      mailbox.close();
      redis.disconnect();
    },
  };
}
