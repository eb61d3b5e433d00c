/**
 * Starts a search: fetches what it follows up and its image, gets it admitted, and makes the engine's events its run's log.
 */

import type { SearchChannel, SearchEvent, Webhook } from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { plans } from '../access/plans.ts';
import { markOf } from '../access/restriction.ts';
import { neverAborted } from '../base/abort.ts';
import { invalid } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ApiRun } from '../designs/api-run.ts';
import type { createEngine } from '../engine/engine.ts';
import type { ImageReader } from '../engine/ports/images.ts';
import type { SearchJob } from '../engine/ports.ts';
import { type BackgroundHold, newSearchId, type Registry } from '../runs/registry.ts';
import { stateOf } from '../runs/replay.ts';
import type { Run } from '../runs/run.ts';
import type { Idempotency, RunWebhook } from '../runs/run-records.ts';
import type { ThreadRecords } from '../runs/thread-records.ts';
import type { Tracing } from '../runs/tracing.ts';
import type { BackgroundRuns } from './background.ts';
import type { CallAccess, SearchCall } from './calls.ts';
import { checkModel } from './check-model.ts';
import { findOwn } from './own-searches.ts';
import { joinPrevious, type PreviousSearch, previousSearch } from './previous-search.ts';
import type { Reach, Reaches } from './sources/collections.ts';
import { addToThread } from './threads/threads.ts';
import type { WebhookOfRun } from './webhooks.ts';

export interface StartParts {
  readonly access: CallAccess;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly engine: ReturnType<typeof createEngine>;
  readonly images: ImageReader;
  /** Absent in a process that does not last. */
  readonly background?: BackgroundRuns | undefined;
  readonly threads: ThreadRecords;
  /** Called with the first search of each thread. */
  readonly reaches: Reaches;
  readonly nameThread: (caller: Caller, run: Run, prompt: string) => void;
  /** Absent there too. */
  readonly webhookOfRun?: WebhookOfRun | undefined;
  /** Absent unless traces are exported. */
  readonly tracing?: Pick<Tracing, 'search'> | undefined;
}

/** What to research. `parts` and `api` are set for the run of an API, `previous` where the caller repeats earlier turns,
 * `instructions` where an application says how answers are to be written. */
export type SearchSpec = Pick<ApiRun, 'request'> &
  Partial<ApiRun> & {
    /** What it may reach, as it was when the search was stored. */
    readonly reach?: Reach | undefined;
    readonly previous?: PreviousSearch;
    readonly instructions?: string;
  };

export interface SearchStart {
  readonly caller: Caller;
  readonly call: Pick<
    SearchCall,
    'request_id' | 'door' | 'channel' | 'connection' | 'signal' | 'on_disconnect' | 'traceparent' | 'fresh'
  >;
  readonly spec: SearchSpec;
  /** The longest that the search may take; its request may set less. */
  readonly maxSeconds: number;
  readonly idempotency?: Idempotency | undefined;
  /** For a background search that is begun again. */
  readonly again?: {
    readonly search_id: string;
    readonly created_at: string;
    readonly hold: BackgroundHold;
    readonly webhook: RunWebhook | undefined;
  };
}

/** What is stored of a background search, to begin it again. */
export interface StoredSearch {
  readonly spec: SearchSpec;
  readonly caller: Caller;
  readonly request_id: string;
  readonly maxSeconds: number;
  /** Its secret is sealed. */
  readonly webhook?: RunWebhook;
  /** The span that asked for it. */
  readonly traceparent?: string;
  readonly channel?: SearchChannel;
}

/** Admits a search and starts its run. Rejects with 422, 429 or 503. */
export type StartSearch = (search: SearchStart) => Promise<Run>;

/** The runs that it starts hold their admission until they end, and are counted in usage and metrics. */
export function createStartSearch(parts: StartParts): StartSearch {
  const { access, metrics, runs, engine, images, background, threads, nameThread, reaches, webhookOfRun, tracing } =
    parts;

  /** Rejects with 422 if nothing could be sent there. */
  async function findWebhook(caller: Caller, webhook: Webhook | undefined): Promise<RunWebhook | undefined> {
    if (webhook === undefined) return undefined;
    if (webhookOfRun !== undefined) return webhookOfRun(caller, webhook);
    throw invalid(['body', 'webhook'], 'expected a server: this process ends with its caller', 'value_error');
  }

  /** The search that this one follows up on. Rejects with 422 when there is no such search. */
  async function findPrevious(caller: Caller, search_id: string | undefined): Promise<PreviousSearch | undefined> {
    if (search_id === undefined) return undefined;
    const previous = await previousSearch((id) => findOwn(runs, caller, id), search_id);
    if (previous !== undefined) return previous;
    const msg = `expected the id of one of your searches; got ${JSON.stringify(search_id)}`;
    throw invalid(['body', 'previous_search_id'], msg, 'value_error');
  }

  return async ({
    caller,
    call,
    spec: { request: asked, parts: promptParts, api, owner, previous: repeated, instructions, reach: known },
    maxSeconds,
    idempotency,
    again,
  }) => {
    // The text of the image may have megabytes, which are not held while the search runs.
    const { webhook: askedWebhook, ...given } = asked;
    const { image: givenImage, thread, ...request } = given;
    checkModel(engine, request.model);
    const reach = known ?? (await reaches.ofSearch(caller, { collections: request.collections, owner }));
    const found = await findPrevious(caller, request.previous_search_id);
    const conversation = joinPrevious(found, repeated);
    const { prompts: previous, answer: previousAnswer, earlier: earlierAnswers } = conversation;
    // A search that is to go on without its caller is also begun without them.
    const isBackground = given.background === true;
    if (isBackground && background === undefined) {
      throw invalid(['body', 'background'], 'expected a server: this process ends with its caller', 'value_error');
    }
    const webhook = again === undefined ? await findWebhook(caller, askedWebhook) : again.webhook;
    const signal = isBackground || call.on_disconnect === 'continue' ? neverAborted : call.signal;
    const place = call.connection === undefined ? {} : { connection: call.connection.id };
    const image: SearchJob['image'] =
      givenImage === undefined
        ? undefined
        : ((await images.open(givenImage, caller.account_id, signal)) ?? 'unavailable');
    const releaseImage = () => image === undefined || image === 'unavailable' || image.release();
    const permit = await access.admission.admit(caller, place, signal).catch((error: unknown) => {
      releaseImage();
      throw error;
    });
    const untake =
      again !== undefined
        ? undefined
        : await access.quotas?.take(caller).catch((error: unknown) => {
            releaseImage();
            permit.release();
            throw error;
          });
    const giveUp = (error: unknown): never => {
      releaseImage();
      permit.release();
      untake?.().catch(() => {});
      throw error;
    };
    const begun = performance.now();
    const { door = 'native' } = call;
    const seconds = Math.min(maxSeconds, request.max?.seconds ?? maxSeconds);
    const { account_id } = caller;
    const { request_id, traceparent } = call;
    const span = tracing?.search(traceparent);
    const prompts = [...previous, request.prompt];
    const mode = request.output_format === undefined ? 'text' : 'structured';
    const { search_id = newSearchId(markOf(caller)), created_at = new Date().toISOString() } = again ?? {};
    let hold = again?.hold;
    if (isBackground && hold === undefined) {
      // As resolved now: what it follows up on may be removed.
      const { previous_search_id: _, thread: _thread, ...lasting } = given;
      const spec = { request: lasting, parts: promptParts, api, previous: conversation, instructions, reach };
      const { address: _address, ...lastingCaller } = caller;
      const { channel } = call;
      const input = JSON.stringify({
        spec,
        caller: lastingCaller,
        request_id,
        maxSeconds,
        webhook,
        traceparent,
        channel,
      });
      const about = { search_id, account_id, created_at, mode, door, prompts, idempotency, input } as const;
      hold = await background!.add(about).catch(giveUp);
    }
    const isInThread = thread !== undefined && again === undefined;
    if (isInThread) {
      await addToThread(threads, caller, { search_id, created_at, request: given }).catch(giveUp);
    }
    const starting = runs.start(
      {
        search_id,
        created_at,
        background: hold,
        account_id,
        request_id,
        prompts,
        mode,
        door,
        channel: call.channel,
        key_id: caller.key_id,
        engine: request.model ?? engine.name,
        api,
        deadline_ms: 1000 * seconds,
        onDisconnect: isBackground ? 'continue' : call.on_disconnect,
        grace_ms: 1000 * plans[caller.plan].grace_s,
        idempotency,
        webhook,
        traceparent: span?.traceparent ?? traceparent,
      },
      (_, signal) => {
        const job = {
          search_id,
          owner: caller.account_id,
          reach,
          request,
          parts: promptParts,
          previous,
          previousAnswer,
          earlierAnswers,
          instructions,
          image,
          seconds,
          fresh: call.fresh,
          watch: span?.watch,
        };
        const events = engine.research(job, signal);
        return permit.throttled ? preceded(throttled, events) : events;
      },
    );
    if (isInThread) starting.catch(() => threads.removeTurn(account_id, search_id).catch(() => {}));
    const run = await starting;
    if (isInThread && thread === true) nameThread(caller, run, request.prompt);
    if (hold !== undefined) background?.watch(run);
    if (again === undefined) access.usage.count(caller.key_id, 'searches', 1, Date.parse(created_at));
    if (permit.throttled) metrics.searchThrottled();
    run.done.then((terminal) => {
      releaseImage();
      permit.release();
      const conversation = typeof thread === 'string' ? thread : undefined;
      span?.end(run, { door, mode, conversation, api_stub: api?.api_stub });
      metrics.searchEnded(stateOf(terminal), (performance.now() - begun) / 1000, door);
      const stages = 'timings' in terminal ? terminal.timings.stages : {};
      for (const [stage, ms] of Object.entries(stages)) metrics.stage(stage, ms / 1000);
      const { models, dropped_citations } = terminal.usage;
      metrics.droppedCitations(dropped_citations);
      // The extractive model beside another took over from it.
      if (models.length > 1 && models.includes('extractive')) metrics.modelFallback();
      const { tokens_in, tokens_out } = terminal.usage;
      // In the minute in which the search is listed, so that the two agree on each day.
      countTokens({ access, metrics }, caller, { in: tokens_in, out: tokens_out }, Date.parse(created_at));
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
  message: 'The server is busy: searches of the starter plan are queued.',
} as const;

/** Counts the tokens of models for the metrics, and for the usage of the caller's key; `at` is when their search began, in ms since 1970. */
export function countTokens(
  { access, metrics }: Pick<StartParts, 'access' | 'metrics'>,
  caller: Caller,
  tokens: { readonly in: number; readonly out: number },
  at?: number,
): void {
  for (const [direction, count] of [['input', tokens.in] as const, ['output', tokens.out] as const]) {
    if (count === 0) continue;
    metrics.tokens(direction, count);
    access.usage.count(caller.key_id, `${direction}_tokens`, count, at);
  }
  // While the database is away nothing is counted; then no search is begun either.
  access.quotas?.addTokens(caller, tokens.in + tokens.out).catch(() => {});
}
