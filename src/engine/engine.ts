/**
 * Research as a stream of events: plan → search → fetch → rank → reflect → write or fill → verify. It has never heard of
 * a socket: whoever pulls the generator decides where the events go. It ends by yielding `search.completed`, or throws;
 * closing the steps that were open then is the run's affair, and so are deadlines and cancelling.
 */
import type { LeafEvidence, SearchEvent, TextResult } from '../../protocol/index.ts';
import { writeAnswer } from './answer.ts';
import { type Budget, BudgetSpent, createBudget } from './budget.ts';
import { fillTemplate } from './fill-template.ts';
import { gather } from './gather.ts';
import { countCall, createModelFallback, type ModelFallback } from './model-fallback.ts';
import type { Brief, Model } from './ports/model.ts';
import type { EnginePorts, SearchJob } from './ports.ts';
import { createSearchState, type SearchState } from './search-state.ts';

export type Research = (question: SearchJob, signal: AbortSignal) => AsyncGenerator<SearchEvent, void>;

export function createEngine(ports: EnginePorts): { name: string; research: Research } {
  return {
    name: ports.model.name,
    async *research(question, signal) {
      const state = createSearchState();
      const budget = createBudget(question.request, question.seconds ?? 120, state, signal);
      try {
        const twins = createModelFallback(ports, { state, budget, signal });
        const asked = {
          ...briefOf(question),
          ...(yield* look(question, ports.model, { twins, state, budget, signal })),
        };
        const gathered = yield* gather({ brief: asked, question, ports, state, budget, twins, signal });
        state.usage.stop_reason = gathered.stop;
        yield { type: 'usage.updated', usage: { ...state.usage } };
        const { evidence, brief } = gathered;
        const task = { brief, evidence, twins, budget, state, signal };
        const template = question.request.output_format;
        if (template === undefined) {
          const written = yield* writeAnswer(task);
          const status = limited(written.status, budget);
          if (status !== written.status) yield cutShort(budget);
          yield completeText(question, state, { ...written, status });
        } else {
          const filled = yield* fillTemplate(task, template);
          const status = limited(filled.status, budget);
          if (status !== filled.status) yield cutShort(budget);
          yield completeStructured(question, state, { ...filled, status });
        }
      } finally {
        budget.close();
      }
    },
  };
}

function briefOf({ request, previous, parts }: SearchJob): Brief {
  const { prompt, from, to, language, output_format } = request;
  return {
    prompt: [...previous, prompt].join('\n\n'),
    question: prompt,
    previous,
    ...(parts === undefined ? {} : { parts }),
    today: new Date().toISOString().slice(0, 10),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(language === undefined ? {} : { language }),
    ...(output_format === undefined ? {} : { template: output_format }),
  };
}

/** What the request's image shows, for the brief; a warning where nobody can say. */
async function* look(
  question: SearchJob,
  model: Model,
  { twins, state, budget, signal }: { twins: ModelFallback; state: SearchState; budget: Budget; signal: AbortSignal },
): AsyncGenerator<SearchEvent, Pick<Brief, 'imageDescription'>> {
  const { request, image } = question;
  if (request.image === undefined) return {};
  const unused = (message: string): SearchEvent => ({ type: 'warning', code: 'image_not_used', message });
  if (model.describeImage === undefined) {
    yield unused('No model that can see is configured.');
    return {};
  }
  if (image === undefined) {
    yield unused('The image could not be fetched.');
    return {};
  }
  try {
    const brief = briefOf(question);
    const shown = await countCall(state, () => model.describeImage!(image, brief, twins.context(model, 'research')));
    return shown.trim() === '' ? {} : { imageDescription: shown.trim().slice(0, 4_000) };
  } catch (error) {
    // No mark against the model: many that write well cannot see.
    signal.throwIfAborted();
    if (error instanceof BudgetSpent) budget.stop(error.item);
    yield unused('The model could not look at the image.');
    return {};
  }
}

/** An answer that the budget kept from being whole is a partial one. */
function limited(status: TextResult['status'], budget: Budget): TextResult['status'] {
  return status === 'answered' && budget.stopped() !== undefined ? 'partial' : status;
}

function cutShort(budget: Budget): SearchEvent {
  const message = `The search used up its ${budget.stopped()}; the answer is from what was found by then.`;
  return { type: 'warning', code: 'partial_coverage', message };
}

function completeText(question: SearchJob, state: SearchState, { text, status }: WrittenText): SearchEvent {
  const { sources, citations, usage } = state;
  const timings = state.timings();
  const result: TextResult = {
    search_id: question.search_id,
    status,
    answer: text,
    citations,
    sources,
    usage,
    timings,
  };
  return { type: 'search.completed', status, result, sources, citations, usage, timings };
}

function completeStructured(question: SearchJob, state: SearchState, filled: FilledTemplate): SearchEvent {
  const { sources, citations, usage } = state;
  const timings = state.timings();
  const { output, evidence, status } = filled;
  const wrapped = question.request.include?.includes('evidence') ?? false;
  const result = wrapped
    ? { search_id: question.search_id, status, output, evidence, citations, sources, usage, timings }
    : output;
  return { type: 'search.completed', status, result, sources, citations, evidence, usage, timings };
}

interface WrittenText {
  readonly text: string;
  readonly status: TextResult['status'];
}

interface FilledTemplate {
  readonly output: Record<string, unknown>;
  readonly evidence: LeafEvidence[];
  readonly status: TextResult['status'];
}
