/**
 * From a question to its run: what it follows and shows is fetched, it is admitted, and then the engine's events become
 * the run's log.
 */

import type { SearchEvent, TerminalEvent } from '../../protocol/index.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import { plans } from '../access/plans.ts';
import { neverAborted } from '../base/abort.ts';
import { invalid } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ApiQuestion } from '../designs/question.ts';
import type { createEngine } from '../engine/engine.ts';
import type { ImageReader } from '../engine/ports/images.ts';
import type { Registry } from '../runs/registry.ts';
import { stateOf } from '../runs/replay.ts';
import type { Run } from '../runs/run.ts';
import type { Idempotency } from '../runs/run-records.ts';
import type { SearchCall } from './calls.ts';

export interface StartParts {
  readonly access: Access;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly engine: ReturnType<typeof createEngine>;
  readonly images: ImageReader;
}

/** What is researched; `parts` and `api` where an API is run. */
export type SearchSpec = Pick<ApiQuestion, 'request'> & Partial<ApiQuestion>;

/** Admits the search and sets it going; `most` is in seconds. Rejects with 422, 429 and 503. */
export type Start = (
  caller: Caller,
  call: Pick<SearchCall, 'request_id' | 'connection' | 'signal' | 'on_disconnect'>,
  question: SearchSpec,
  most: number,
  idempotency?: Idempotency,
) => Promise<Run>;

export function createStart({ access, metrics, runs, engine, images }: StartParts): Start {
  /** The prompts of the search that this one follows, oldest first. */
  async function followed(caller: Caller, search_id: string | undefined): Promise<readonly string[]> {
    if (search_id === undefined) return [];
    const { run, record } = await runs.find(caller.account_id, search_id);
    const before = run ?? record;
    if (before !== undefined) return before.prompts;
    const msg = `expected the id of one of your searches; got ${JSON.stringify(search_id)}`;
    throw invalid(['body', 'previous_search_id'], msg, 'value_error');
  }

  return async (caller, call, { request, parts, api }, most, idempotency) => {
    const previous = await followed(caller, request.previous_search_id);
    // Whoever wants the search to go on without them wants it begun, too.
    const signal = call.on_disconnect === 'continue' ? neverAborted : call.signal;
    const place = call.connection === undefined ? {} : { connection: call.connection.id };
    const image = request.image === undefined ? undefined : await images.open(request.image, signal);
    const permit = await access.admission.admit(caller, place, signal);
    const begun = performance.now();
    const seconds = Math.min(most, request.max?.seconds ?? most);
    const run = await runs.start(
      {
        account_id: caller.account_id,
        request_id: call.request_id,
        prompts: [...previous, request.prompt],
        mode: request.output_format === undefined ? 'text' : 'structured',
        engine: engine.name,
        api,
        deadline_ms: 1000 * seconds,
        onDisconnect: call.on_disconnect,
        grace_ms: 1000 * plans[caller.plan].grace_s,
        idempotency,
      },
      (search_id, signal) => {
        const events = engine.research({ search_id, request, parts, previous, image, seconds }, signal);
        return permit.throttled ? preceded(throttled, events) : events;
      },
    );
    access.usage.count(caller.key_id, 'searches');
    if (permit.throttled) metrics.searchThrottled();
    run.done.then((terminal) => {
      permit.release();
      metrics.searchEnded(stateOf(terminal), (performance.now() - begun) / 1000);
      for (const [direction, tokens] of tokensOf(terminal)) {
        metrics.tokens(direction, tokens);
        access.usage.count(caller.key_id, `${direction}_tokens`, tokens);
      }
    });
    return run;
  };
}

async function* preceded(first: SearchEvent, events: AsyncGenerator<SearchEvent, void>) {
  yield first;
  yield* events;
}

const throttled = {
  type: 'warning',
  code: 'throttled',
  message: 'The server is busy: searches of the starter plan wait their turn.',
} as const;

function tokensOf({ usage }: TerminalEvent): ['input' | 'output', number][] {
  const tokens: ['input' | 'output', number][] = [
    ['input', usage.tokens_in],
    ['output', usage.tokens_out],
  ];
  return tokens.filter(([, count]) => count > 0);
}
