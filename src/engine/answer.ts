/**
 * From the model's stream to an answer: with the model, then with its twin; what was sent stays. How text and citations
 * become events is the writer's affair (answer-writer.ts).
 */

import type { SearchEvent, TextResult } from '../../protocol/index.ts';
import { block, createAnswerWriter } from './answer-writer.ts';
import type { Budget } from './budget.ts';
import type { ModelFallback } from './model-fallback.ts';
import type { Brief, Verdict } from './ports/model.ts';
import type { Evidence } from './ports/snapshot.ts';
import { createRepetitionGuard } from './repetition-guard.ts';
import type { SearchState } from './search-state.ts';

export interface AnswerTask {
  readonly brief: Brief;
  readonly evidence: readonly Evidence[];
  readonly twins: ModelFallback;
  readonly budget: Budget;
  readonly state: SearchState;
  readonly signal: AbortSignal;
}

interface Written {
  readonly text: string;
  readonly status: TextResult['status'];
}

/**
 * With the model, then with its twin if the model failed before anything was cited. What was sent stays: an answer that
 * breaks off after its first citation ends there, as `partial`. One generator does it all, for every token passes it.
 */
export async function* writeAnswer(task: AnswerTask): AsyncGenerator<SearchEvent, Written> {
  const { brief, evidence, twins, budget, state } = task;
  const writer = createAnswerWriter(evidence, state);
  const writing = state.begin({ kind: 'write', title: 'Writing the answer' });
  yield writing.started;
  let status: TextResult['status'] | undefined;
  let broken = false;
  for (const model of twins.models()) {
    const context = twins.context(model, 'writing');
    const calls = state.usage.model_calls;
    const repeats = createRepetitionGuard();
    status = 'answered';
    try {
      for await (const piece of model.write(brief, evidence, context)) {
        if (typeof piece !== 'string') status = (piece as Verdict).status;
        else {
          for (const event of writer.push(piece)) yield event;
          if (repeats(piece)) throw repeating;
        }
      }
      if (state.usage.model_calls === calls) state.usage.model_calls += 1;
      for (const event of writer.finish()) yield event;
      break;
    } catch (error) {
      const warning = twins.failed(model, 'Writing', error);
      if (warning !== undefined) yield warning;
      broken ||= writer.text() !== '' || budget.isOver('writing');
      for (const event of writer.breakOff()) yield event;
      if (state.citations.length > 0) break;
    }
  }
  const text = writer.text();
  yield writing.finish(`${text.length} characters, ${state.citations.length} citations`);
  if (text !== '') {
    const citations = state.citations.map((citation) => citation.id);
    yield { type: 'answer.block.done', block, kind: 'markdown', text, citations };
  }
  const verifying = state.begin({ kind: 'verify', title: 'Checking the citations' });
  yield verifying.started;
  const { length } = state.citations;
  yield verifying.finish(`${length} quotes stand in their sources, ${state.usage.dropped_citations} markers dropped`);
  if (text === '') return { text, status: 'not_found' };
  if (length > 0) return { text, status: broken ? 'partial' : (status ?? 'answered') };
  yield { type: 'warning', code: 'uncited', message: 'Nothing in this answer could be found in its sources.' };
  return { text, status: 'partial' };
}

const repeating = Object.assign(new Error('it repeats itself.'), { name: 'ModelError', permanent: false });
