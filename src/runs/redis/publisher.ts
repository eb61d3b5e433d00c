/**
 * The runs of this process, written behind to Redis. What a log is given waits for the next roll-up, 40 ms at most, and
 * goes out with that of all other runs in one write; neighbouring deltas are one entry, as in the log itself. One batch of
 * a run is on its way at a time, so a slow Redis gets fewer and larger entries. Nobody waits for any of it.
 *
 * While Redis is away the runs go on; once it is back they catch up, from the start where it has lost them.
 */
import type { Redis } from 'ioredis';
import { isTerminal, type SearchEvent } from '../../../protocol/index.ts';
import { writeTogether } from '../../access/redis.ts';
import { AppError } from '../../errors.ts';
import { behind, frameText, type RunLog, spanFrom } from '../log.ts';
import { stateOf } from '../replay.ts';
import type { RunLease } from '../run.ts';
import type { RunAbout } from '../shared-runs.ts';
import type { Batch, RunCommands } from './commands.ts';
import type { Lease } from './lease.ts';

export interface Publisher {
  /** `onSent` is called when Redis has more of it; `onOver` when it has all of it, or will take no more. */
  publish(log: RunLog, about: RunAbout, on: { readonly onSent: () => void; readonly onOver: () => void }): RunLease;
  /** Sends whatever Redis has not got, a batch of each run. */
  catchUp(): Promise<void>;
  /** Resolves when Redis has everything, or is away. */
  finish(): Promise<void>;
}

interface Publication {
  isBehind(): boolean;
  send(): Promise<void>;
}

const rollUpMs = 40;
/** How long a search may be kept from its caller, because a slow Redis has not got it yet. */
const longestBeginMs = 500;
const batchCharacters = 512 * 1024;
const batchEntries = 500;

export function createPublisher(options: {
  readonly redis: Redis;
  readonly commands: RunCommands;
  readonly process: string;
  readonly lease: () => Lease;
}): Publisher {
  const { redis, commands, process, lease } = options;
  const unfinished = new Set<Publication>();
  let due = new Set<Publication>();
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;

  function sendLater(publication: Publication, soon: boolean): void {
    due.add(publication);
    if (soon && !isSoon) setImmediate(sendDue);
    else timer ??= setTimeout(sendDue, rollUpMs);
    isSoon ||= soon;
  }

  function sendDue(): void {
    clearTimeout(timer);
    timer = undefined;
    isSoon = false;
    const sending = due;
    due = new Set();
    if (!lease().isAway()) sendAll(sending);
  }

  async function sendAll(publications: Iterable<Publication>): Promise<void> {
    writeTogether(redis);
    // What fails is sent again when the lease has been renewed.
    await Promise.all([...publications].map((publication) => publication.send().catch(() => {})));
  }

  const late = () => [...unfinished].filter((publication) => publication.isBehind());

  function publish(log: RunLog, about: RunAbout, { onSent, onOver }: Parameters<Publisher['publish']>[2]): RunLease {
    const lost = new AbortController();
    const publication: Publication = { isBehind: () => acknowledged < log.head(), send };
    const unsubscribe = log.subscribe(noticed);
    let acknowledged = 0;
    let isQueued = false;
    let sending: Promise<void> | undefined;
    let tellBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      tellBegun = resolve;
      setTimeout(resolve, longestBeginMs).unref();
    });

    function noticed(event: SearchEvent): void {
      const soon = event.type === 'search.accepted' || isTerminal(event);
      if (isQueued && !soon) return;
      isQueued = true;
      sendLater(publication, soon);
    }

    function send(): Promise<void> {
      isQueued = false;
      sending ??= sendBatch(batchBehind(log, acknowledged)).finally(() => {
        sending = undefined;
        tellBegun();
      });
      return sending;
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
      unsubscribe();
      unfinished.delete(publication);
      due.delete(publication);
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

    unfinished.add(publication);
    if (lease().isAway()) tellBegun();
    return {
      begun,
      lost: lost.signal,
      regain() {
        if (lost.signal.aborted) return Promise.reject(lost.signal.reason);
        return lease().isHeld() || !unfinished.has(publication) ? undefined : settle();
      },
    };
  }

  return {
    publish,
    catchUp: () => sendAll(late()),
    async finish() {
      while (late().length > 0 && !lease().isAway()) await sendAll(late());
    },
  };
}

function batchBehind(log: RunLog, after: number): Batch {
  const { search_id } = log;
  const entries: Batch['entries'][number][] = [];
  let characters = 0;
  let at = after;
  while (characters < batchCharacters && entries.length < batchEntries) {
    const found = log.entry(at + 1);
    if (found === undefined) break;
    const entry = spanFrom(behind(found, at), (seq) => log.entry(seq + 1));
    const text = entry === found ? log.text(entry) : frameText(search_id, entry);
    entries.push({ entry, text });
    characters += text.length;
    at = entry.seq;
  }
  const terminal = log.terminal();
  const ended = terminal === undefined || at < log.head() ? undefined : stateOf(terminal);
  return { search_id, after, entries, ended };
}
