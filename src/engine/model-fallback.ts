/**
 * Every stage of the model can be done by the extractive model, too: the fallback. A stage runs with the model; if that
 * fails, is out of budget or takes too long, the fallback does the work and a warning says so. A model whose failure is
 * permanent (no such host, a refused key), or that failed twice, is not tried again in this search: a dead endpoint costs
 * the search seconds, not its answer.
 */
import type { SearchEvent } from '../../protocol/index.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import type { Model, StageContext } from './ports/model.ts';
import type { ResearchState } from './research-state.ts';

export interface ModelFallback {
  /** The models to try a stage with now, in this order. */
  models(): readonly [Model] | readonly [Model, Model];
  /** What a stage runs under with `model`, and counts `model` as used. */
  contextFor(model: Model, phase: 'research' | 'writing'): StageContext;
  /**
   * Records a failure of `model` and returns the warning for it, if one is due. Throws the error if there is no fallback,
   * or the signal's reason if the search itself was ended.
   */
  recordFailure(model: Model, stage: string, error: unknown): SearchEvent | undefined;
  /** The result of a stage, by the model or by the fallback. */
  run<Value>(
    stage: string,
    work: (model: Model, context: StageContext) => Promise<Value>,
  ): AsyncGenerator<SearchEvent, Value>;
}

/** Set by hand: one failure may be bad luck. */
const maxFailures = 2;

/** The fallback for one search. Without a `fallbackModel`, failures of `model` are thrown. */
export function createModelFallback(
  { model, fallbackModel }: { readonly model: Model; readonly fallbackModel?: Model | undefined },
  { state, budget, signal }: { state: ResearchState; budget: Budget; signal: AbortSignal },
): ModelFallback {
  let failures = 0;

  const models = (): readonly [Model] | readonly [Model, Model] => {
    if (fallbackModel === undefined) return [model];
    return failures >= maxFailures ? [fallbackModel] : [model, fallbackModel];
  };

  // The last model to try has no time limit but the search's own: it answers in milliseconds, even when the time is up.
  const contextFor = (used: Model, phase: 'research' | 'writing'): StageContext => {
    if (!state.usage.models.includes(used.name)) state.usage.models.push(used.name);
    const isLast = fallbackModel === undefined || used === fallbackModel;
    return { signal: isLast ? signal : budget.until(phase), meter: budget.meter };
  };

  function recordFailure(used: Model, stage: string, error: unknown): SearchEvent | undefined {
    signal.throwIfAborted();
    if (fallbackModel === undefined || used === fallbackModel) throw error;
    if (error instanceof BudgetSpent) {
      budget.stop(error.item);
      return undefined;
    }
    failures = isPermanent(error) ? maxFailures : failures + 1;
    const consequence = failures >= maxFailures ? ' The model is not used again in this search.' : '';
    return {
      type: 'warning',
      code: 'model_failed',
      message: `${stage} continued without the model: ${reasonFor(error)}${consequence}`,
    };
  }

  return {
    models,
    contextFor,
    recordFailure,
    async *run(stage, work) {
      const [first, second] = models();
      try {
        return await countCall(state, () => work(first, contextFor(first, 'research')));
      } catch (error) {
        const warning = recordFailure(first, stage, error);
        if (warning !== undefined) yield warning;
        return await countCall(state, () => work(second!, contextFor(second!, 'research')));
      }
    },
  };
}

/** The result of `work`, counted as one model call unless it reported its calls to the meter itself. */
export async function countCall<Value>(state: ResearchState, work: () => Promise<Value>): Promise<Value> {
  const before = state.usage.model_calls;
  const value = await work();
  if (state.usage.model_calls === before) state.usage.model_calls += 1;
  return value;
}

/** Whether the error itself says that the next call will fail, too. */
function isPermanent(error: unknown): boolean {
  return (error as { permanent?: unknown } | null)?.permanent === true;
}

/** Only the message of a `ModelError` is safe to show. */
function reasonFor(error: unknown): string {
  return error instanceof Error && error.name === 'ModelError' ? error.message : 'it failed.';
}
