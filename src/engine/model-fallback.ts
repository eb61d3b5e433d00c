/**
 * Each stage of the model has an extractive twin. A stage runs with the model; where that fails, is out of budget or takes
 * too long, its twin does the work and a warning says so. A model that cannot come back (no such host, a refused key), or
 * that failed twice, is not asked again in this search: a dead endpoint costs the search seconds, not its answer.
 */
import type { SearchEvent } from '../../protocol/index.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import type { Model, StageContext } from './ports/model.ts';
import type { SearchState } from './search-state.ts';

export interface ModelFallback {
  /** What the stage may be tried with now, the model first. */
  models(): readonly Model[];
  context(model: Model, phase: 'research' | 'writing'): StageContext;
  /** Takes note of a failure of `model`. Throws it on when there is no twin, or when the search itself was ended. */
  failed(model: Model, stage: string, error: unknown): SearchEvent | undefined;
  /** The stage's value, by the model or by its twin. */
  run<Value>(
    stage: string,
    work: (model: Model, context: StageContext) => Promise<Value>,
  ): AsyncGenerator<SearchEvent, Value>;
}

const mostFailures = 2;

export function createModelFallback(
  ports: { readonly model: Model; readonly fallbackModel?: Model | undefined },
  { state, budget, signal }: { state: SearchState; budget: Budget; signal: AbortSignal },
): ModelFallback {
  const { model, fallbackModel: twin } = ports;
  let failures = 0;

  const models = () => (twin === undefined ? [model] : failures >= mostFailures ? [twin] : [model, twin]);

  // The twin answers in milliseconds and has to answer even when the time is over.
  const context = (used: Model, phase: 'research' | 'writing'): StageContext => {
    if (!state.usage.models.includes(used.name)) state.usage.models.push(used.name);
    return { signal: used === twin || twin === undefined ? signal : budget.until(phase), meter: budget.meter };
  };

  function failed(used: Model, stage: string, error: unknown): SearchEvent | undefined {
    signal.throwIfAborted();
    if (twin === undefined || used === twin) throw error;
    if (error instanceof BudgetSpent) {
      budget.stop(error.item);
      return undefined;
    }
    failures = isPermanent(error) ? mostFailures : failures + 1;
    const rest = failures >= mostFailures ? ' It is not asked again in this search.' : '';
    return {
      type: 'warning',
      code: 'model_failed',
      message: `${stage} went on without the model: ${shown(error)}${rest}`,
    };
  }

  return {
    models,
    context,
    failed,
    async *run(stage, work) {
      const [first, second] = models() as [Model, Model?];
      try {
        return await countCall(state, () => work(first, context(first, 'research')));
      } catch (error) {
        const warning = failed(first, stage, error);
        if (warning !== undefined) yield warning;
        return await countCall(state, () => work(second!, context(second!, 'research')));
      }
    },
  };
}

/** A model that meters its calls has counted them; one that does not made one. */
export async function countCall<Value>(state: SearchState, work: () => Promise<Value>): Promise<Value> {
  const before = state.usage.model_calls;
  const value = await work();
  if (state.usage.model_calls === before) state.usage.model_calls += 1;
  return value;
}

/** Whether the failure says of itself that the next call will fail too. */
function isPermanent(error: unknown): boolean {
  return (error as { permanent?: unknown } | null)?.permanent === true;
}

/** Only failures made to be shown are. */
function shown(error: unknown): string {
  return error instanceof Error && error.name === 'ModelError' ? error.message : 'it failed.';
}
