/** The calls of task runs: starting one, reading it, waiting for its result, and reading its events. */
import type { CompletedEvent } from '../../../../protocol/index.ts';
import {
  ParallelResultQuery,
  ParallelTaskRequest,
  type ParallelTaskResult,
  type SearchRecord,
} from '../../../../protocol/index.ts';
import { timeLimit, untilAborted } from '../../../base/abort.ts';
import { AppError, parse } from '../../../base/errors.ts';
import type { Echoed } from '../../../runs/records/run-records.ts';
import type { Run } from '../../../runs/run.ts';
import type { Service } from '../../../service/service.ts';
import type { Context } from '../../../transport/http/context.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor, readableRun, withReader, withStream } from '../../../transport/http/searches.ts';
import { answerWithEvents } from '../../../transport/http/sse.ts';
import { foundAs } from '../../unknown-search.ts';
import { taskEvents } from './events.ts';
import { outputOf } from './output.ts';
import { givenOf, taskSearchOf } from './request.ts';
import { searchIdOf, taskRunOf } from './task-run.ts';

/** How long a call waits for a result, in seconds; Parallel's own default. */
const defaultWait = 600;

/** The handlers of the routes of task runs. */
export function taskHandlers(service: Service) {
  /** Waits until the run has ended, the time is over, or the client has left. */
  async function waitForEnd({ signal }: Context, run: Run, seconds: number): Promise<void> {
    const over = AbortSignal.any([signal, timeLimit(1000 * seconds)]);
    const ended = untilAborted(run.done, over).then(
      () => {},
      () => {},
    );
    await withReader(service, run, () => ended);
  }

  return {
    parallel_create_run: (ctx) =>
      answerAtDoor(service, ctx, 'parallel', async () => {
        const asked = parse(ParallelTaskRequest, await ctx.call.body());
        const echoed = givenOf(asked);
        return {
          input: taskSearchOf(asked),
          echoed,
          result: (run) => taskRunOf({ ...run, state: run.state() }),
          accepted: (run) => taskRunOf({ ...run, state: 'running' }),
        };
      }),

    async parallel_read_run(ctx, { run_id }) {
      await service.authenticate(ctx.call);
      ctx.json(200, taskRunIn(await foundRun(run_id, service.readWithEchoed(ctx.call, searchIdOf(run_id)))));
    },

    async parallel_run_result(ctx, { run_id }) {
      await service.authenticate(ctx.call);
      const { timeout = defaultWait } = parse(ParallelResultQuery, ctx.query(), 'query');
      const search_id = searchIdOf(run_id);
      await withStream(service, ctx, async () => {
        const { run } = await foundRun(run_id, service.find(ctx.call, search_id));
        if (run?.state() === 'running') await waitForEnd(ctx, run, timeout);
      });
      if (ctx.signal.aborted) return;
      const found = await foundRun(run_id, service.readWithEchoed(ctx.call, search_id));
      ctx.json(200, resultIn(found, run_id));
    },

    async parallel_run_events(ctx, { run_id }) {
      await service.authenticate(ctx.call);
      await withStream(service, ctx, async () => {
        const run = readableRun(await foundRun(run_id, service.find(ctx.call, searchIdOf(run_id))));
        await withReader(service, run, () => answerWithEvents(ctx, run, { format: taskEvents(run) }));
      });
    },
  } satisfies Partial<Doors['handlers']>;
}

function foundRun<Value>(run_id: string, finding: Promise<Value>): Promise<Value> {
  return foundAs('task run', run_id, finding);
}

interface Found {
  readonly record: SearchRecord;
  readonly echoed: Echoed;
}

function taskRunIn({ record, echoed }: Found) {
  const { search_id, created_at, state, timings } = record;
  const error = record.error && new AppError(record.error.code, record.error.message);
  const took = timings?.total_ms;
  const ended_at = took === undefined ? undefined : new Date(Date.parse(created_at) + took).toISOString();
  return taskRunOf({ search_id, created_at, ended_at, state, error, echoed });
}

/** Throws `still_running`, and for a run that has no result `not_found`, as Parallel does. */
function resultIn(found: Found, run_id: string): ParallelTaskResult {
  const { record } = found;
  if (record.state === 'running') throw new AppError('still_running', `The task run ${run_id} has not ended yet.`);
  if (record.state !== 'completed') {
    const why = record.error === undefined ? '' : `: ${record.error.message}`;
    throw new AppError('not_found', `The task run ${run_id} has no result, because it was ${record.state}${why}`);
  }
  return { run: taskRunIn(found), output: outputOf(record as unknown as CompletedEvent) };
}
