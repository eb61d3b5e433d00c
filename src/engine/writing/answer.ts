/**
 * From the model's stream to an answer: first with the model, then with the fallback; what was sent stays. How text and
 * citations become events is left to the writer (answer-writer.ts).
 */
import type { SearchEvent, TextResult } from '../../../protocol/index.ts';
import type { Verdict } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';
import { block, createAnswerWriter } from './answer-writer.ts';
import { createRepetitionGuard } from './repetition-guard.ts';

/** An answer in text. */
export interface Written {
  /** Markdown; empty if the evidence does not answer the question. */
  readonly text: string;
  readonly status: TextResult['status'];
}

/**
 * The write stage. If the model fails before anything is cited, the fallback continues in a new paragraph; an answer that
 * breaks off after its first citation ends there, as `partial`. All in one generator, because every token passes through.
 */
export async function* writeAnswer(
  { brief, fallback, budget, state }: SearchContext,
  evidence: readonly Evidence[],
): AsyncGenerator<SearchEvent, Written> {
  const writer = createAnswerWriter(evidence, state);
  const writing = state.begin({ kind: 'write', title: 'Writing the answer' });
  yield writing.started;
  let status: TextResult['status'] = 'answered';
  let isBroken = false;
  for (const model of fallback.models('writing')) {
    const context = fallback.contextFor(model, 'writing');
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
      for (const event of writer.finish()) yield event;
      break;
    } catch (error) {
      const warning = fallback.recordFailure(model, 'Writing', error);
      if (warning !== undefined) yield warning;
      isBroken ||= writer.text() !== '' || budget.isOver('writing');
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
  return { text, status: isBroken ? 'partial' : status };
}

/** The verify stage. Each citation was checked before it was sent; what remains is the verdict on the answer as a whole. */
export function* verifyCitations({ state }: SearchContext, { text, status }: Written): Generator<SearchEvent, Written> {
  const verifying = state.begin({ kind: 'verify', title: 'Checking the citations' });
  yield verifying.started;
  const { length } = state.citations;
  yield verifying.finish(
    `${length} quotes found in their sources, ${state.usage.dropped_citations} citation markers dropped`,
  );
  if (text === '') return { text, status: 'not_found' };
  if (length > 0) return { text, status };
  yield { type: 'warning', code: 'uncited', message: 'Nothing in this answer could be found in its sources.' };
  return { text, status: 'partial' };
}

const repeating = Object.assign(new Error('it repeats itself.'), { name: 'ModelError', permanent: false });
