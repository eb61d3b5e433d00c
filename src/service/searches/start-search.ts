/** Starts a search: has what it names resolved and the search admitted, and makes the engine's events the log of its run. */

import type { SearchEvent } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { plans } from '../../access/plans.ts';
import { markOf } from '../../access/restriction.ts';
import { neverAborted } from '../../base/abort.ts';
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { ImageReader } from '../../engine/ports/images.ts';
import type { SearchJob } from '../../engine/ports.ts';
import type { Echoed, Idempotency, RunWebhook } from '../../runs/records/run-records.ts';
import type { ThreadRecords } from '../../runs/records/thread-records.ts';
import { newSearchId } from '../../runs/registry.ts';
import type { Run } from '../../runs/run.ts';
import type { BackgroundHold } from '../../runs/start-options.ts';
import type { Tracing } from '../../runs/tracing.ts';
import type { CallAccess, SearchCall } from '../calls.ts';
import { addToThread } from '../threads/threads.ts';
import { admitSearch } from './admit-search.ts';
import { countEnded } from './count-search.ts';
import { createResolver, type ResolverParts } from './resolve-search.ts';
import type { SearchSpec } from './specify-search.ts';
import { inputToRestart } from './stored-search.ts';

export interface StartParts extends ResolverParts {
  readonly access: CallAccess;
  readonly metrics: Metrics;
  readonly images: ImageReader;
  readonly threads: ThreadRecords;
  /** Called with the first search of each thread. */
  readonly nameThread: (caller: Caller, run: Run, prompt: string) => void;
  /** Absent unless traces are exported. */
  readonly tracing?: Pick<Tracing, 'search'> | undefined;
}

export interface SearchStart {
  readonly caller: Caller;
  readonly call: Pick<
    SearchCall,
    | 'request_id'
    | 'door'
    | 'channel'
    | 'connection'
    | 'signal'
    | 'on_disconnect'
    | 'traceparent'
    | 'fresh'
    | 'webhook'
    | 'sentTo'
  >;
  readonly spec: SearchSpec;
  /** How long the search may take at most; its request may set less. */
  readonly maxSeconds: number;
  /** When it has to be answered, whenever it starts, on the clock of `performance.now()`. */
  readonly answerBy?: number | undefined;
  readonly idempotency?: Idempotency | undefined;
  readonly echoed?: Echoed | undefined;
  /** For a background search that is restarted. */
  readonly restarted?: {
    readonly search_id: string;
    readonly created_at: string;
    readonly hold: BackgroundHold;
    readonly webhook: RunWebhook | undefined;
  };
}

/** Admits a search and starts its run. Rejects with 422, 429 or 503. */
export type StartSearch = (search: SearchStart) => Promise<Run>;

/** What is left to a search that waited for nearly all of its time: enough to say that it found nothing. Set by hand. */
const minSeconds = 1;

/** The runs that it starts hold their admission until they end, and are counted in usage and metrics. */
export function createStartSearch(parts: StartParts): StartSearch {
  const { access, metrics, runs, engine, background, threads, nameThread, tracing } = parts;
  const resolve = createResolver(parts);

  async function startSearch(search: SearchStart): Promise<Run> {
    const {
      caller,
      call,
      spec,
      maxSeconds,
      answerBy = Number.POSITIVE_INFINITY,
      idempotency,
      echoed,
      restarted,
    } = search;
    const { request: asked, parts: promptParts, api, instructions, allowed } = spec;
    // The text of the image may take megabytes. No function below captures it, so it is not held while the search runs.
    const { webhook: _webhook, ...given } = asked;
    const { image, thread, ...request } = given;

    const { conversation, reach, webhook } = await resolve(search);
    const isBackground = request.background === true;
    const isFirstAttempt = restarted === undefined;
    // A search that need not be watched may also start after its caller has left.
    const startsUnattended = isFirstAttempt && (isBackground || call.on_disconnect === 'continue');
    const signal = startsUnattended ? neverAborted : call.signal;
    const admitted = await admitSearch(parts, {
      caller,
      image,
      connection: call.connection?.id,
      signal,
      isCounted: isFirstAttempt,
    });
    // Others may have taken it over while it waited.
    if (restarted !== undefined && !(await restarted.hold.confirm().catch(admitted.giveUp))) {
      admitted.giveUp(new AppError('overloaded', 'Another process restarts this search.'));
    }
    const begun = performance.now();

    const { request_id, traceparent, channel, door = 'native' } = call;
    const { account_id } = caller;
    const { search_id = newSearchId(markOf(caller)), created_at = new Date().toISOString() } = restarted ?? {};
    const mode = request.output_format === undefined ? 'text' : 'structured';
    const prompts = [...conversation.prompts, request.prompt];
    const about = { search_id, account_id, created_at, mode, door, prompts, idempotency, echoed } as const;
    const span = tracing?.search(traceparent);

    let hold = restarted?.hold;
    if (isBackground && hold === undefined) {
      const input = inputToRestart(search, { conversation, reach, webhook });
      hold = await background!.add({ ...about, input }).catch(admitted.giveUp);
    }
    const isInThread = thread !== undefined && isFirstAttempt;
    if (isInThread) {
      await addToThread(threads, caller, { search_id, created_at, request: given }).catch(async (error: unknown) => {
        if (isBackground) await background!.withdraw(about);
        admitted.giveUp(error);
      });
    }

    const left = Math.max(minSeconds, (answerBy - performance.now()) / 1000);
    const seconds = Math.min(maxSeconds, request.max?.seconds ?? maxSeconds, left);
    const job: SearchJob = {
      search_id,
      owner: account_id,
      reach,
      request,
      parts: promptParts,
      previous: conversation.prompts,
      previousAnswer: conversation.answer,
      earlierAnswers: conversation.earlier,
      instructions,
      allowed,
      image: admitted.image,
      seconds,
      fresh: call.fresh,
      watch: span?.watch,
    };
    const starting = runs.start(
      {
        ...about,
        background: hold,
        request_id,
        channel,
        key_id: caller.key_id,
        engine: request.model ?? engine.name,
        api,
        deadline_ms: 1000 * seconds,
        onDisconnect: isBackground ? 'continue' : call.on_disconnect,
        grace_ms: 1000 * plans[caller.plan].grace_s,
        webhook,
        traceparent: span?.traceparent ?? traceparent,
      },
      (_, signal, shareUsage) => {
        const events = engine.research({ ...job, shareUsage }, signal);
        return admitted.throttled ? prependEvent(throttled(caller), events) : events;
      },
    );
    if (isInThread) starting.catch(() => threads.removeTurn(account_id, search_id).catch(() => {}));
    const run = await starting;

    if (isInThread && thread === true) nameThread(caller, run, request.prompt);
    if (hold !== undefined) background?.watch(run);
    if (isFirstAttempt) access.usage.count(caller.key_id, 'searches', 1, Date.parse(created_at));
    if (admitted.throttled) metrics.searchThrottled();
    run.done.then((terminal) => {
      admitted.release();
      const ofThread = typeof thread === 'string' ? thread : undefined;
      span?.end(run, { door, mode, conversation: ofThread, api_stub: api?.api_stub });
      const kind = { door, effort: request.effort, isBackground };
      countEnded(parts, caller, { terminal, kind, created_at, seconds: (performance.now() - begun) / 1000 });
    });
    return run;
  }

  return startSearch;
}

async function* prependEvent(first: SearchEvent, events: AsyncGenerator<SearchEvent, void>) {
  yield first;
  yield* events;
}

function throttled({ plan }: Caller): SearchEvent {
  const message = `The server is busy: searches of the ${plan} plan are queued.`;
  return { type: 'warning', code: 'throttled', message };
}
