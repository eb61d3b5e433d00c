/**
 * Begins the runs of schedules when they are due. Of all processes one begins each, and none begins while the run before it has
 * not ended: it begins when that has. What was missed, because no process ran or the last run took too long, is made up once.
 */

import { randomUUID } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { dayMs } from '../base/values/day.ts';
import { isoTime } from '../base/values/iso-time.ts';
import { nextTime } from './cron.ts';
import type { DueSchedule, ScheduleRecords } from './schedule-records.ts';

/** Begins a run, or returns the one that was begun for this time before; resolves with its id. */
export type BeginScheduled = (schedule: DueSchedule) => Promise<string>;

export interface Scheduler {
  start(): void;
  /** Begins what is due now; resolves when it has begun. */
  run(): Promise<void>;
  /** Begins no more runs; resolves when those that are beginning have begun. */
  close(): Promise<void>;
}

/** How often schedules are looked at: the precision of their times. Set by hand. */
const pollMs = 5_000;
/** Above the time that beginning a run takes. Set by hand. */
const leaseMs = 60_000;
/** After which a run that could not begin is tried again. Set by hand. */
const retryMs = 15_000;
/** Above what the clocks of several servers differ by, also where one takes its local time for UTC. Set by hand. */
const skewMs = dayMs;
/** In one round. Set by hand: the rest follows immediately. */
const perLook = 20;

/** Begins nothing until it is started. `now` is ms since 1970. */
export function createScheduler(options: {
  readonly records: ScheduleRecords;
  readonly begin: BeginScheduled;
  readonly onFault: (error: unknown) => void;
  readonly now?: () => number;
}): Scheduler {
  const { records, begin, onFault, now = () => Date.now() } = options;
  const owner = randomUUID();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function handle(due: DueSchedule): Promise<void> {
    const time = now();
    const next = nextTime(due.cron, due.time_zone, time);
    const next_at = next === undefined ? null : isoTime(next);
    const handled = { next_at, last_at: isoTime(time) };
    try {
      const last_search_id = await begin(due);
      await records.finish(owner, due, { ...handled, last_search_id, last_error: null });
    } catch (error) {
      if (!(error instanceof AppError)) onFault(error);
      if (isForNow(error)) {
        return records.finish(owner, due, { last_error: messageOf(error), retry_at: isoTime(time + retryMs) });
      }
      const isOver = error instanceof AppError && error.code === 'unauthorized';
      const disabled_reason = 'The key that made it was revoked.';
      const off = isOver ? { next_at: null, disabled_at: isoTime(time), disabled_reason } : {};
      await records.finish(owner, due, { ...handled, last_error: messageOf(error), ...off });
    }
  }

  /** Sets the times again that a clock set that was ahead: until these came, nothing would run. */
  async function correct(): Promise<void> {
    const time = now();
    for (const { account_id, id, cron, time_zone } of await records.ranAhead(
      isoTime(time),
      isoTime(time + skewMs),
      perLook,
    )) {
      const next = nextTime(cron, time_zone, time);
      await records.change(account_id, id, {
        next_at: next === undefined ? null : isoTime(next),
        last_at: isoTime(time),
      });
    }
  }

  async function look(): Promise<void> {
    await correct();
    for (;;) {
      if (isClosed) return;
      const [from, until] = [isoTime(now()), isoTime(now() + leaseMs)];
      const claimed = await records.claim(owner, from, until, perLook);
      await Promise.all(claimed.map(handle));
      if (claimed.length < perLook) return;
    }
  }

  /** One look at a time. */
  function run(): Promise<void> {
    running = running.then(look).catch((error) => {
      if (!(error instanceof AppError)) onFault(error);
    });
    return running;
  }

  function next(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => void run().then(() => next(pollMs)), ms);
    timer.unref();
  }

  return {
    start: () => next(0),
    run,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Whether the run may begin a little later: nothing is wrong with the schedule. */
function isForNow(error: unknown): boolean {
  return (
    error instanceof AppError &&
    ['overloaded', 'server_shutdown', 'too_many_searches', 'rate_limited'].includes(error.code)
  );
}

function messageOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'Internal error; see the server log.';
}
