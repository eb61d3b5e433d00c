/**
 * Runs shared over Redis. Each process copies its own runs to Redis in the background, and follows the runs of others that are
 * read here (remote-runs.ts). The processes notify one another by messages.
 */
import { randomUUID } from 'node:crypto';
import { connectRedis } from '../../base/redis/redis.ts';
import { troubleOf } from '../../base/redis/redis-trouble.ts';
import { keyPrefix } from '../../base/redis/redis-url.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { RunControl, RunDescriptor, SharedRuns } from '../shared-runs.ts';
import { createClaims } from './claims.ts';
import { commandTimeout, createRunCommands } from './commands.ts';
import { openLease } from './lease.ts';
import { type Mail, openMailbox } from './mailbox.ts';
import { createPublisher } from './publisher.ts';
import { createRemoteReaders } from './remote-readers.ts';
import { createRemoteRuns } from './remote-runs.ts';

export interface SharedRunsOptions {
  readonly url: string;
  /** Records the runs that this process ended for a dead owner. */
  readonly records: RunRecords;
  readonly onFault: (error: unknown) => void;
  /** Called when Redis becomes unreachable, with the reason, and when it is reachable again. */
  readonly onChange?: (state: 'away' | 'back', reason?: string) => void;
  readonly prefix?: string;
  /** A process that is silent for so long, and then for as long again, counts as dead; 4 s by default. */
  readonly leaseMs?: number;
  /** How long Redis keeps a run after its last entry; 15 minutes by default. */
  readonly retentionMs?: number;
}

/** How long `close` may take to send what Redis does not have. Set by hand. */
const closeMs = 1_000;

/** Connects to Redis. Resolves when it answers, or after a second without it: it is then used once it comes up. */
export async function openSharedRuns(options: SharedRunsOptions): Promise<SharedRuns> {
  const { url, records, onFault, onChange = () => {}, prefix = keyPrefix(url) } = options;
  const { leaseMs = 4_000, retentionMs = 15 * 60_000 } = options;
  const process = randomUUID();
  const redis = connectRedis(url, { commandTimeout });
  const commands = createRunCommands({ redis, prefix, retentionMs, leaseMs });
  const claims = createClaims(commands, process);
  /** The runs of this process that Redis does not have in full. */
  const published = new Map<string, { readonly control: RunControl; readonly descriptor: RunDescriptor }>();
  const remoteReaders = createRemoteReaders(leaseMs);
  const publisher = createPublisher({ redis, commands, process, lease: () => lease, retentionMs });
  const mailbox = openMailbox({
    commands,
    subscriber: connectRedis(url, { autoResubscribe: false }),
    process,
    onMail: receive,
  });
  const remoteRuns = createRemoteRuns({
    commands,
    send: mailbox.send,
    process,
    records,
    leaseMs,
    isAway: () => lease.isAway(),
    onFault,
  });
  let forgetRun: (search_id: string) => void = () => {};
  const lease = await openLease({
    commands,
    process,
    leaseMs,
    onHeld,
    onChange: (state, cause) => onChange(state, troubleOf(redis, cause)),
  });
  remoteRuns.start();

  function onHeld(mayHaveLostData: boolean): void {
    void publisher.catchUp(mayHaveLostData);
    claims.retry();
    if (mayHaveLostData) for (const { descriptor } of published.values()) restore(descriptor);
  }

  /** Sends again what Redis keeps of a run besides its log. */
  function restore(descriptor: RunDescriptor): void {
    commands.markResumable(descriptor.account_id).catch(() => {});
    claims.restore(descriptor).catch(() => {});
  }

  function receive(mail: Mail): void {
    const { search_id } = mail;
    if (mail.about === 'wake') remoteRuns.wake(search_id);
    else if (mail.about === 'cancel') published.get(search_id)?.control.cancel(mail.by);
    else if (mail.about === 'hurry') publisher.hurry(search_id);
    else if (mail.about === 'remove') {
      forgetRun(search_id);
      mailbox.send(mail.from, { about: 'forgotten', search_id });
    } else if (mail.about === 'forgotten') remoteRuns.forgotten(search_id);
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

  return {
    publish(log, descriptor, control) {
      const { search_id } = log;
      const run = { control, descriptor };
      published.set(search_id, run);
      commands.markResumable(descriptor.account_id).catch(() => {});
      return publisher.publish(log, descriptor, {
        isRead: () => remoteReaders.has(search_id),
        onSent: () => wakeReaders(search_id),
        onDone() {
          // A later attempt of the run may be published.
          if (published.get(search_id) === run) published.delete(search_id);
        },
      });
    },

    find: remoteRuns.find,
    remove: remoteRuns.remove,
    attach: remoteRuns.attach,

    onRemoved(forget) {
      forgetRun = forget;
    },

    hasResumable: (account_id) => commands.hasResumable(account_id).catch(() => false),
    claim: claims.claim,

    async close() {
      remoteRuns.stop();
      await publisher.finish(closeMs);
      remoteReaders.close();
      remoteRuns.close();
      await lease.close();
      mailbox.close();
      redis.disconnect();
    },
  };
}
