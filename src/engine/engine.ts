/**
 * Research as a stream of events: plan → search → read → rank → reflect → write → verify. The engine knows nothing about
 * sockets: the consumer of the generator decides where the events go. It ends by yielding `search.completed`, or throws.
 * Deadlines, cancelling, and closing the steps that were still open are the run's responsibility.
 */
import type { SearchEvent, TextResult, Usage } from '../../protocol/index.ts';
import { budgetItemName } from './budget.ts';
import { modelsOf } from './choose-model.ts';
import type { FinderKind } from './ports/embedder.ts';
import type { Model } from './ports/model.ts';
import type { EnginePorts, SearchJob } from './ports.ts';
import { type ModelReply, replyWithModel } from './reply.ts';
import { awaitIndex } from './research/await-index.ts';
import { describeImage } from './research/describe-image.ts';
import { beginEarlySearch } from './research/early-search.ts';
import { withinNamedDocuments } from './research/named-documents.ts';
import { planSearch } from './research/plan.ts';
import { research } from './research/research-branches.ts';
import { replyToSmallTalk } from './research/small-talk.ts';
import { createSearchContext, type SearchContext } from './search-context.ts';
import { verifyCitations, type Written, writeAnswer } from './writing/answer.ts';
import { chooseExcerpts, type Excerpts, withExcerpts } from './writing/excerpts.ts';
import { type Filled, fillTemplate } from './writing/fill-template.ts';
import { explainRefusal, type Refusal } from './writing/refusal.ts';

/** Runs one search. Throws the signal's reason when it fires, or the error of a stage that nothing could take over. */
export type Research = (job: SearchJob, signal: AbortSignal) => AsyncGenerator<SearchEvent, void>;

/** A short text by the model alone. Resolves with undefined if there is no model for it, or it fails. */
export type Reply = (prompt: string, owner: string, signal: AbortSignal) => Promise<ModelReply | undefined>;

export interface Engine {
  /** The name of the model that answers when a request names none. */
  readonly name: string;
  /** The models that a request may name, the default first and the extractive one last. */
  readonly models: readonly Pick<Model, 'name' | 'describeImage' | 'hasVision'>[];
  readonly research: Research;
  readonly reply: Reply;
}

/** One engine runs any number of searches simultaneously. */
export function createEngine(ports: EnginePorts): Engine {
  return {
    name: ports.model.name,
    models: modelsOf(ports),
    reply: (prompt, owner, signal) => replyWithModel(ports, prompt, owner, signal),
    async *research(job, signal) {
      const opened = createSearchContext(ports, job, signal);
      const { state, budget } = opened;
      job.shareUsage?.(() => usageOf(state));
      try {
        const message = mayBeSmallTalk(job) ? replyToSmallTalk(job.request.prompt) : undefined;
        if (message !== undefined) {
          state.usage.providers.length = 0;
          yield completeText(opened, { text: '', status: 'not_found' }, { message });
          return;
        }
        yield* awaitIndex(opened);
        const narrowed = await withinNamedDocuments(opened);
        const early = await beginEarlySearch(narrowed);
        const described = yield* describeImage(narrowed);
        const planned = yield* planSearch(described);

        const { evidence, stop, brief } = yield* research(planned, early);
        const context = { ...planned.context, brief };
        state.usage.stop_reason = stop;
        yield { type: 'usage.updated', usage: { ...state.usage } };

        // Runs while the answer is written.
        const choosing = chooseExcerpts(context, evidence);
        const template = job.request.output_format;
        if (job.request.answer === false || template === undefined) {
          const written =
            job.request.answer === false
              ? sourcesOnly(evidence)
              : yield* verifyCitations(context, yield* writeAnswer(context, evidence));
          const status = yield* completeness(written.status, context);
          const excerpts = await choosing;
          const refusal = status === 'not_found' ? explainRefusal(context, excerpts) : {};
          yield completeText(context, { ...written, status }, refusal, excerpts);
        } else {
          const filled = yield* fillTemplate(context, evidence, template);
          const status = yield* completeness(filled.status, context);
          yield completeStructured(context, { ...filled, status }, await choosing);
        }
      } finally {
        budget.close();
      }
    },
  };
}

/** The result of a search that was asked for sources only. */
function sourcesOnly(evidence: readonly unknown[]): Written {
  return { text: '', status: evidence.length === 0 ? 'not_found' : 'answered' };
}

/**
 * Only a bare prompt is checked for small talk: one with a template, an image or inputs, or one that asks for sources only, is not.
 */
function mayBeSmallTalk({ request, image, parts }: SearchJob): boolean {
  if (request.answer === false) return false;
  return request.output_format === undefined && image === undefined && parts === undefined;
}

const withoutFinder: Record<FinderKind, string> = {
  embeddings: 'The index was searched by words alone, because the embedding model failed',
  rerank: 'The passages keep the order of the index, because the rerank model failed',
};

/**
 * The final status, with a warning for each reason why a result is incomplete: it is partial if the budget cut it short, or if
 * the index could not be searched. Throws the error of the index if nothing was found without it, since it may hold the answer.
 */
function* completeness(
  status: TextResult['status'],
  { budget, state }: SearchContext,
): Generator<SearchEvent, TextResult['status']> {
  for (const [kind, reason] of state.missed) {
    yield { type: 'warning', code: `${kind}_failed`, message: `${withoutFinder[kind]}: ${reason}` };
  }
  const { index } = state.unavailable;
  if (index !== undefined) {
    if (status === 'not_found') throw index;
    const message = 'The index cannot be reached at the moment; the result is based on the web alone.';
    yield { type: 'warning', code: 'index_unavailable', message };
  }
  const spent = budget.stopped();
  if (spent !== undefined) {
    const message = `The search used up its ${budgetItemName(spent)}; the result is based on what had been found by then.`;
    yield { type: 'warning', code: 'partial_coverage', message };
  }
  if (status === 'not_found') return status;
  return index === undefined && spent === undefined ? status : 'partial';
}

/** A copy: what still comes in for a search after its end, such as a late embedding, must not change the event. */
function usageOf({ usage }: SearchContext['state']): Usage {
  return { ...usage, models: [...usage.models], providers: [...usage.providers] };
}

/** What the results of texts and of templates have in common. */
function commonFields({ state }: SearchContext, excerpts: Excerpts) {
  return {
    citations: state.citations,
    sources: withExcerpts(state.sources, excerpts),
    usage: usageOf(state),
    timings: state.timings(),
  };
}

function completeText(
  context: SearchContext,
  { text, status, uncited_share, uncited }: Written,
  refusal: Refusal,
  excerpts: Excerpts = new Map(),
): SearchEvent {
  const { citations, sources, usage, timings } = commonFields(context, excerpts);
  const { previous_search_id } = context.job.request;
  const result: TextResult = {
    search_id: context.job.search_id,
    status,
    answer: text,
    ...(previous_search_id === undefined ? {} : { previous_search_id }),
    ...(uncited_share === undefined ? {} : { uncited_share }),
    ...(uncited === undefined ? {} : { uncited: [...uncited] }),
    ...refusal,
    citations,
    sources,
    usage,
    timings,
  };
  return { type: 'search.completed', status, result, sources, citations, usage, timings };
}

function completeStructured(
  context: SearchContext,
  { output, evidence, status }: Filled,
  excerpts: Excerpts,
): SearchEvent {
  const { citations, sources, usage, timings } = commonFields(context, excerpts);
  const isWrapped = context.job.request.include?.includes('evidence') ?? false;
  const result = isWrapped
    ? { search_id: context.job.search_id, status, output, evidence, citations, sources, usage, timings }
    : output;
  return { type: 'search.completed', status, result, sources, citations, evidence, usage, timings };
}
