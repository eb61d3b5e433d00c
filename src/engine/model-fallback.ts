/**
 * Every stage of a model can be done by others: by a standby at another endpoint, if there is one, and by the extractive
 * model, the fallback. A stage runs with the first model; if that fails, is out of budget or takes too long, the next one
 * does the work and a warning says so. A model whose failure is permanent (no such host, a refused key), or that failed
 * twice, is not tried again in this search: a dead endpoint costs the search seconds, not its answer.
 */
import type { SearchEvent } from '../../protocol/index.ts';
import { type Budget, BudgetSpent, type Phase, StageTimeout } from './budget.ts';
import type { CallWatch } from './ports/call-watch.ts';
import type { Model, StageContext } from './ports/model.ts';
import type { ResearchState } from './research-state.ts';

/** The models of a search, as in `EnginePorts`. */
export interface ModelChain {
  readonly model: Model;
  readonly planner?: Model | undefined;
  readonly standby?: Model | undefined;
  readonly fallbackModel?: Model | undefined;
}

export interface ModelFallback {
  /** The models to try a stage of this phase with now, in this order; at least one. */
  models(phase: Phase): readonly Model[];
  /** What a stage runs under with `model`, and counts `model` as used. */
  contextFor(model: Model, phase: Phase): StageContext;
  /**
   * Records a failure of `model` and returns the warning for it, if one is due. Throws the error if there is no fallback,
   * or the signal's reason if the search itself was ended.
   */
  recordFailure(model: Model, stage: string, error: unknown): SearchEvent | undefined;
  /** The result of a stage of research, by the first model that does not fail. */
  run<Value>(
    stage: string,
    work: (model: Model, context: StageContext) => Promise<Value>,
  ): AsyncGenerator<SearchEvent, Value>;
}

/** Set by hand: one failure may be bad luck. */
const maxFailures = 2;

/** The fallback for one search. Without a `fallbackModel`, failures of the last model are thrown. */
export function createModelFallback(
  { model, planner = model, standby, fallbackModel }: ModelChain,
  {
    state,
    budget,
    signal,
    owner,
    watch,
  }: {
    state: ResearchState;
    budget: Budget;
    signal: AbortSignal;
    owner?: string | undefined;
    watch?: CallWatch | undefined;
  },
): ModelFallback {
  const failures = new Map<Model, number>();
  const chainOf = (first: Model) => [first, standby, fallbackModel].filter((each) => each !== undefined);
  const chains: Record<Phase, readonly Model[]> = { research: chainOf(planner), writing: chainOf(model) };
  const last = chains.writing.at(-1);
  const isGivenUp = (used: Model) => used !== last && (failures.get(used) ?? 0) >= maxFailures;

  // The last model to try has no time limit but the search's own: it answers in milliseconds, even when the time is up.
  const contextFor = (used: Model, phase: Phase): StageContext => {
    if (!state.usage.models.includes(used.name)) state.usage.models.push(used.name);
    const limit = phase === 'research' ? () => budget.stageLimit() : () => budget.until(phase);
    return { signal: used === last ? signal : limit(), meter: budget.meter, owner, watch };
  };

  function recordFailure(used: Model, stage: string, error: unknown): SearchEvent | undefined {
    signal.throwIfAborted();
    if (used === last) throw error;
    if (error instanceof BudgetSpent && error.phase !== 'writing') {
      budget.stop(error.item);
      return undefined;
    }
    const count = isPermanent(error) ? maxFailures : (failures.get(used) ?? 0) + 1;
    failures.set(used, count);
    const consequence = count >= maxFailures ? ' The model is not used again in this search.' : '';
    return {
      type: 'warning',
      code: 'model_failed',
      message: `${stage} continued without the model: ${reasonFor(error)}${consequence}`,
    };
  }

  return {
    models: (phase) => chains[phase].filter((each) => !isGivenUp(each)),
    contextFor,
    recordFailure,
    async *run(stage, work) {
      for (const used of this.models('research')) {
        try {
          return await work(used, contextFor(used, 'research'));
        } catch (error) {
          const warning = recordFailure(used, stage, error);
          if (warning !== undefined) yield warning;
        }
      }
      throw new Error('Expected the failure of the last model to be thrown.');
    },
  };
}

/** Whether the error itself says that the next call will fail, too. */
function isPermanent(error: unknown): boolean {
  return (error as { permanent?: unknown } | null)?.permanent === true;
}

/** Only the messages of a `ModelError` and of our own limits are safe to show. */
function reasonFor(error: unknown): string {
  if (error instanceof BudgetSpent) return 'it was too slow for the time this search had left.';
  const isSafe = error instanceof StageTimeout || (error instanceof Error && error.name === 'ModelError');
  return isSafe ? error.message : 'it failed.';
}
