/**
 * The runs of this process, written behind to Redis. What a log is given waits for the next roll-up, 40 ms where somebody
 * reads it elsewhere and 500 where nobody does, and goes out with that of other runs in one write; neighbouring deltas are
 * one entry, as in the log itself. One batch of a run is on its way at a time, so a slow Redis gets fewer and larger
 * entries. Nobody waits for any of it.
 *
 * While Redis is away the runs go on; once it is back they catch up, from the start where it has lost them. What ended so
 * long before that Redis would have forgotten it is not waited for.
 */
import type { Redis } from 'ioredis';
import { isTerminal, type SearchEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { writeTogether } from '../../base/redis.ts';
import { coalesceFrom, frameText, type RunLog, sliceAfter } from '../log.ts';
import { stateOf } from '../replay.ts';
import type { RunLease } from '../run.ts';
import type { RunDescriptor } from '../shared-runs.ts';
import type { Batch, RunCommands } from './commands.ts';
import type { Lease } from './lease.ts';

export interface Publisher {
  publish(log: RunLog, about: RunDescriptor, watch: Watch): RunLease;
  /** Sends what Redis has not got of this run: somebody elsewhere wants it now. */
  hurry(search_id: string): void;
  /** Sends whatever Redis has not got, a batch of each run; where it may have forgotten some, all are asked for. */
  catchUp(mayHaveForgotten: boolean): Promise<void>;
  /** Resolves when Redis has everything, or is away. */
  finish(): Promise<void>;
}

interface Watch {
  /** Whether anybody reads it elsewhere. */
  readonly isRead: () => boolean;
  /** Redis has more of it. */
  readonly onSent: () => void;
  /** Redis has all of it, or will take no more. */
  readonly onOver: () => void;
}

/** What goes out together, some time after the first of it has come. */
interface Lane {
  readonly ms: number;
  due: Set<Publication>;
  timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
}

interface Publication {
  isBehind(): boolean;
  send(): Promise<void>;
}

const rollUpMs = 40;
const unreadRollUpMs = 500;
/** How long a search may be kept from its caller, because a slow Redis has not got it yet. */
const longestBeginMs = 500;
const batchCharacters = 512 * 1024;
const batchEntries = 500;

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
  const [soon, read, unread] = [0, rollUpMs, unreadRollUpMs].map(createLane) as [Lane, Lane, Lane];

  function sendLater(publication: Publication, lane: Lane): void {
    lane.due.add(publication);
    if (lane.ms === 0) lane.timer ??= setImmediate(sendDue, lane);
    else lane.timer ??= setTimeout(sendDue, lane.ms, lane);
  }

  function sendDue(lane: Lane): void {
    const sending = lane.due;
    lane.due = new Set();
    lane.timer = undefined;
    if (!lease().isAway()) sendAll(sending);
  }

  async function sendAll(publications: Iterable<Publication>): Promise<void> {
    writeTogether(redis);
    // What fails is sent again when the lease has been renewed.
    await Promise.all([...publications].map((publication) => publication.send().catch(() => {})));
  }

  const late = () => [...unfinished.values()].filter((publication) => publication.isBehind());

  function publish(log: RunLog, about: RunDescriptor, { isRead, onSent, onOver }: Watch): RunLease {
    const lost = new AbortController();
    const publication: Publication = { isBehind: () => acknowledged < log.head(), send };
    const unsubscribe = log.watch(noticed);
    let acknowledged = 0;
    let isQueued = false;
    let sending: Promise<void> | undefined;
    let forgetting: NodeJS.Timeout | undefined;
    let tellBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      tellBegun = resolve;
      setTimeout(resolve, longestBeginMs).unref();
    });

    function noticed(event: SearchEvent): void {
      const isUrgent = event.type === 'search.accepted' || isTerminal(event);
      if (isTerminal(event)) forgetting ??= setTimeout(finish, retentionMs).unref();
      if (isQueued && !isUrgent) return;
      isQueued = true;
      sendLater(publication, isUrgent ? soon : isRead() ? read : unread);
    }

    async function send(): Promise<void> {
      isQueued = false;
      if (!unfinished.has(log.search_id)) return;
      sending ??= sendBatch(batchBehind(log, acknowledged)).finally(() => {
        sending = undefined;
        tellBegun();
      });
      await sending;
    }

    async function sendBatch(batch: Batch): Promise<void> {
      const { verdict, head } = await commands.append(process, about, batch);
      if (verdict === 'lost') return loseRun();
      acknowledged = head;
      if (batch.entries.length > 0) onSent();
      if (acknowledged < log.head()) noticed(log.entry(log.head())!.event);
      else if (log.terminal() !== undefined) finish();
    }

    function finish(): void {
      clearTimeout(forgetting);
      unsubscribe();
      unfinished.delete(log.search_id);
      onOver();
    }

    function loseRun(): void {
      finish();
      lost.abort(new AppError('lost', 'Another process took this one for dead and has ended the search.'));
    }

    /** The lease has run out by our clock: another may have ended the run, unless it is renewed and Redis says no. */
    async function settle(): Promise<void> {
      if (lease().isAway() || !(await lease().renew())) return;
      await sending?.catch(() => {});
      await send().catch(() => {});
      lost.signal.throwIfAborted();
    }

    unfinished.set(log.search_id, publication);
    if (lease().isAway()) tellBegun();
    return {
      begun,
      lost: lost.signal,
      regain() {
        if (lost.signal.aborted) return Promise.reject(lost.signal.reason);
        return lease().isHeld() || !unfinished.has(log.search_id) ? undefined : settle();
      },
    };
  }

  return {
    publish,
    hurry(search_id) {
      const publication = unfinished.get(search_id);
      if (publication?.isBehind()) sendLater(publication, soon);
    },
    catchUp: (mayHaveForgotten) => sendAll(mayHaveForgotten ? unfinished.values() : late()),
    async finish() {
      while (late().length > 0 && !lease().isAway()) await sendAll(late());
    },
  };
}

function createLane(ms: number): Lane {
  return { ms, due: new Set(), timer: undefined };
}

function batchBehind(log: RunLog, after: number): Batch {
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
