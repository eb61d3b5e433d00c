/**
 * Research as a stream of events: plan → search → rank → reflect → write or fill → verify. It has never heard of a
 * socket: whoever pulls the generator decides where the events go. It ends by yielding `search.completed`, or throws;
 * closing the steps that were open then is the run's affair, and so are deadlines and cancelling.
 */
import type { SearchEvent, TextResult } from '../../protocol/index.ts';
import { writeAnswer } from './answer.ts';
import { gather } from './gather.ts';
import type { EnginePorts, Question } from './question.ts';
import { createSearchState, type SearchState } from './search-state.ts';
import { fillTemplate } from './structure.ts';

export type Research = (question: Question, signal: AbortSignal) => AsyncGenerator<SearchEvent, void>;

export function createEngine(ports: EnginePorts): { name: string; research: Research } {
  return {
    name: ports.model.name,
    async *research(question, signal) {
      const state = createSearchState();
      const prompt = [...question.previous, question.request.prompt].join('\n\n');
      if (question.request.image !== undefined) {
        yield { type: 'warning', code: 'image_not_used', message: 'No model that can see is configured.' };
      }
      const evidence = yield* gather({ prompt, question, ports, state, signal });
      yield { type: 'usage.updated', usage: { ...state.usage } };
      const task = { prompt, evidence, model: ports.model, state, signal };
      const template = question.request.output_format;
      if (template === undefined) yield* completeText(question, state, yield* writeAnswer(task));
      else yield* completeStructured(question, state, yield* fillTemplate(task, template));
    },
  };
}

type Completed = Extract<SearchEvent, { type: 'search.completed' }>;

function* completeText(
  question: Question,
  state: SearchState,
  answer: { text: string; status: TextResult['status'] },
): Generator<SearchEvent, void> {
  const { sources, citations, usage } = state;
  const timings = state.timings();
  const result: TextResult = {
    search_id: question.search_id,
    status: answer.status,
    answer: answer.text,
    citations,
    sources,
    usage,
    timings,
  };
  yield { type: 'search.completed', status: answer.status, result, sources, citations, usage, timings };
}

function* completeStructured(
  question: Question,
  state: SearchState,
  filled: {
    output: Record<string, unknown>;
    evidence: NonNullable<Completed['evidence']>;
    status: TextResult['status'];
  },
): Generator<SearchEvent, void> {
  const { sources, citations, usage } = state;
  const timings = state.timings();
  const { output, evidence, status } = filled;
  const wrapped = question.request.include?.includes('evidence') ?? false;
  const result = wrapped
    ? { search_id: question.search_id, status, output, evidence, citations, sources, usage, timings }
    : output;
  yield { type: 'search.completed', status, result, sources, citations, evidence, usage, timings };
}
