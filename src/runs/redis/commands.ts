/**
 * The Redis commands for runs, one function each, and how their replies are decoded. A run is a hash and a stream, kept
 * for 15 minutes after the last entry. A live process has a lease; a claimed idempotency key is a string. What must touch
 * several of these atomically is a Lua script.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { SearchFrame } from '../../../protocol/index.ts';
import { within } from '../../base/redis/redis.ts';
import { defineScript, readScript } from '../../base/redis/scripts.ts';
import { type Entry, frameText } from '../log.ts';
import type { RunDescriptor } from '../shared-runs.ts';

/** New entries of a run, as its owner sends them. */
export interface Batch {
  readonly search_id: string;
  /** The head that Redis has, as far as the owner knows. */
  readonly after: number;
  readonly entries: readonly { readonly entry: Entry; readonly text: string }[];
  /** The final state, if the last entry ends the run. */
  readonly ended: string | undefined;
}

/**
 * `at`: Redis has another head, and nothing was appended. `new`: Redis does not have the run; it must be sent from the
 * start. `lost`: another process has ended or removed it.
 */
export interface Appended {
  readonly verdict: 'ok' | 'at' | 'new' | 'lost';
  readonly head: number;
}

export interface Seen {
  /** Empty if the run was removed. */
  readonly owner: string;
  /** Whether the run has ended or its owner is alive. */
  readonly isHeld: boolean;
  /** Present only when the run was read from the start. */
  readonly about: RunDescriptor | undefined;
  readonly entries: readonly Entry[];
  /** The last seq of its owner, if another process ended the run after that. */
  readonly left?: number;
  /** Whether there may be more. */
  readonly isCut: boolean;
}

export interface RunCommands {
  append(process: string, about: RunDescriptor, batch: Batch): Promise<Appended>;
  /** The entries after this seq; undefined when there is no such run, `unsure` when Redis may have lost it. */
  follow(process: string, search_id: string, after: number): Promise<Seen | 'unsure' | undefined>;
  /** Ends the run of a dead owner with these entries; resolves with whether it did. */
  endOrphan(search_id: string, owner: string, entries: readonly Entry[]): Promise<boolean>;
  /** Removes a run that has ended; resolves with the process that ran it, empty if there is no such run. */
  remove(search_id: string): Promise<string>;
  /** Whether the run was removed. */
  isRemoved(search_id: string): Promise<boolean>;
  /** Ids of unfinished runs whose process is dead. Only one process gets them in each lease; the others get none. */
  findOrphans(): Promise<string[]>;
  /** Resolves when the connection is ready, or after `withinMs`. */
  isReady(withinMs: number): Promise<void>;
  /** Calls the listener each time the connection is ready again. */
  onReconnect(listener: () => void): void;
  /**
   * Renews the lease; resolves with whether Redis still had it. If it should have, runs of any process may be missing
   * for two leases: until then `follow` is `unsure` of what it does not find.
   */
  renew(process: string, shouldExist: boolean): Promise<boolean>;
  isAlive(process: string): Promise<boolean>;
  leave(process: string): Promise<void>;
  /** Records that the account has a run that could be resumed. */
  markResumable(account_id: string): Promise<void>;
  hasResumable(account_id: string): Promise<boolean>;
  /** Replaces the claim `expected` with `next` and resolves with the previous one. An empty string stands for no claim. */
  swapClaim(account_id: string, keyHash: string, expected: string, next: string): Promise<string>;
  /** Sends a message to a process; it is lost if the process is not subscribed. */
  send(process: string, message: string): Promise<void>;
  /** The channel that a process subscribes to. */
  channelOf(process: string): string;
}

/** For the connection that runs these commands, ms. Set by hand. */
export const commandTimeout = 5_000;

/** A safeguard that no correct run reaches: a log coalesces its deltas far earlier. Set by hand. */
const maxLogEntries = 50_000;
/** Entries per `follow`. Set by hand. */
const followBatch = 500;
const orphansPerCall = 1_000;
/** Generous, because nothing waits for these replies, and a starved process must not conclude that Redis is gone. */
const answerMs = 3_000;

/** Every command rejects when Redis does not answer. */
export function createRunCommands(options: {
  readonly redis: Redis;
  readonly prefix: string;
  /** How long a run is kept after its last entry. */
  readonly retentionMs: number;
  readonly leaseMs: number;
}): RunCommands {
  const { redis, prefix, retentionMs, leaseMs } = options;
  const leases = `${prefix}:process:`;
  const suspicions = `${prefix}:suspicion:`;
  const memoryLost = `${prefix}:memory-lost`;
  const runKeys = (search_id: string) => [`${prefix}:run:${search_id}`, `${prefix}:run:${search_id}:log`];
  const unfinished = `${prefix}:unfinished:`;
  const processes = `${prefix}:processes`;
  const channelOf = (process: string) => `${prefix}:to:${process}`;
  const append = script(redis, 'append', 5);
  const follow = script(redis, 'follow', 4);
  const endOrphan = script(redis, 'end-orphan', 5);
  const remove = script(redis, 'remove', 2);
  const findOrphans = script(redis, 'find-orphans', 2);
  const renew = script(redis, 'renew', 3);
  const isAlive = script(redis, 'is-alive', 2);
  const compareAndSwap = script(redis, 'compare-and-swap', 1);

  return {
    async append(process, about, { search_id, after, entries, ended = '' }) {
      const fixed = [
        process,
        after,
        retentionMs,
        after === 0 ? JSON.stringify(about) : '',
        ended,
        maxLogEntries,
        search_id,
        leaseMs,
        about.attempt ?? 0,
      ];
      const given = entries.flatMap(({ entry, text }) => [entry.seq, text, entry.starts?.join() ?? '']);
      const keys = [...runKeys(search_id), unfinished + process, processes, leases + process];
      const [verdict, head] = (await append(...keys, ...fixed, ...given)) as [Appended['verdict'], number];
      return { verdict, head };
    },

    async follow(process, search_id, after) {
      const keys = [...runKeys(search_id), leases + process, memoryLost];
      const reply = await follow(...keys, after, followBatch, leases, suspicions, leaseMs);
      if (reply === null) return undefined;
      if (reply === 0) return 'unsure';
      const [owner, held, about, found, left = ''] = reply as [string, number, string, [string, string[]][], string?];
      const entries = found.map(([, fields]) => readEntry(fields));
      // A process of an earlier version does not say through which door.
      const known = about === '' ? undefined : ({ door: 'native', ...JSON.parse(about) } as RunDescriptor);
      const ended = left === '' ? {} : { left: Number(left) };
      return { owner, isHeld: held === 1, about: known, entries, isCut: found.length === followBatch, ...ended };
    },

    async endOrphan(search_id, owner, entries) {
      const given = entries.flatMap((entry) => [entry.seq, frameText(search_id, entry)]);
      const after = (entries[0]?.first_seq ?? 1) - 1;
      const keys = [...runKeys(search_id), leases + owner, unfinished + owner, suspicions + owner];
      return (await endOrphan(...keys, after, retentionMs, search_id, leaseMs, ...given)) === 1;
    },

    async remove(search_id) {
      return (await within(answerMs, remove(...runKeys(search_id), unfinished, retentionMs, search_id))) as string;
    },
    isRemoved: async (search_id) => (await within(answerMs, redis.hget(runKeys(search_id)[0]!, 'owner'))) === '',

    async findOrphans() {
      const keys = [processes, `${prefix}:turn`];
      const found = findOrphans(...keys, leaseMs, leases, unfinished, orphansPerCall, suspicions);
      return (await within(answerMs, found)) as string[];
    },

    async isReady(withinMs) {
      const until = performance.now() + withinMs;
      while (redis.status !== 'ready' && performance.now() < until) await sleep(5);
    },
    onReconnect: (listener) => void redis.on('ready', listener),
    async renew(process, shouldExist) {
      const keys = [leases + process, suspicions + process, memoryLost];
      return (await within(answerMs, renew(...keys, leaseMs, shouldExist ? 1 : 0))) === 1;
    },
    isAlive: async (process) =>
      (await within(answerMs, isAlive(leases + process, suspicions + process, leaseMs))) === 1,
    leave: async (process) => void (await within(answerMs, redis.del(leases + process))),
    markResumable: async (account_id) =>
      void (await redis.set(`${prefix}:holds:${account_id}`, '1', 'PX', retentionMs)),
    hasResumable: async (account_id) => (await within(answerMs, redis.exists(`${prefix}:holds:${account_id}`))) === 1,
    swapClaim(account_id, keyHash, expected, next) {
      const name = `${prefix}:once:${account_id}:${keyHash}`;
      return within(answerMs, compareAndSwap(name, expected, next, retentionMs)) as Promise<string>;
    },
    send: async (process, message) => void (await redis.publish(channelOf(process), message)),
    channelOf,
  };
}

/** The script in `<name>.lua` after `alive.lua`. */
function script(redis: Redis, name: string, keys: number): (...args: (string | number)[]) => Promise<unknown> {
  const file = (each: string) => new URL(`./${each}.lua`, import.meta.url);
  return defineScript(redis, { name, lua: readScript(file('alive'), file(name)), keys });
}

function readEntry(fields: readonly string[]): Entry {
  const [, frame = '', , starts] = fields;
  const { type, search_id: _, seq, first_seq = seq, at, ...payload } = JSON.parse(frame) as SearchFrame;
  const event = { type, ...payload } as unknown as Entry['event'];
  return { first_seq, seq, at, event, ...(starts === undefined ? {} : { starts: starts.split(',').map(Number) }) };
}
