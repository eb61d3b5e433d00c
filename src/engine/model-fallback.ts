/**
 * Every stage that a model runs can be taken over: by a standby at another endpoint, if there is one, and by the extractive
 * model, the fallback. A stage runs with the first model; if that fails, is out of budget or takes too long, the next one
 * does the work and a warning says so. A model whose failure is permanent (no such host, a refused key), or that failed
 * twice, is not tried again in this search: a dead endpoint costs the search seconds, not its answer. A model that was
 * merely too slow for a stage of research may still write the answer, which has more time, if its first words come soon
 * enough.
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
  /** The context in which `model` runs a stage. Counts `model` as used. */
  contextFor(model: Model, phase: Phase): StageContext;
  /**
   * Records a failure of `model` and returns the warning for it, if one is due; with `endsStage`, no other model continues. Throws the
   * error if there is no fallback, or the signal's reason if the search itself was ended.
   */
  recordFailure(model: Model, stage: string, error: unknown, endsStage?: boolean): SearchEvent | undefined;
  /** The result of a stage of research, by the first model that does not fail. */
  run<Value>(
    stage: string,
    work: (model: Model, context: StageContext) => Promise<Value>,
  ): AsyncGenerator<SearchEvent, Value>;
}

/** Set by hand: one failure may be bad luck. */
const maxFailures = 2;
/**
 * A model that was too slow once must begin to write within a third of the time left; after two such timeouts, within a
 * fifth. Set by hand.
 */
const firstWordsShare = (timeouts: number) => 1 / (1 + 2 * timeouts);

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
  /** How often a stage of research took too long. */
  const timeouts = new Map<Model, number>();
  const timesOf = (counts: ReadonlyMap<Model, number>, used: Model) => counts.get(used) ?? 0;
  const chainOf = (first: Model) => [first, standby, fallbackModel].filter((each) => each !== undefined);
  const chains: Record<Phase, readonly Model[]> = { research: chainOf(planner), writing: chainOf(model) };
  const last = chains.writing.at(-1);
  const isGivenUp = (used: Model, phase: Phase) => {
    const slow = phase === 'research' ? timesOf(timeouts, used) : 0;
    return used !== last && timesOf(failures, used) + slow >= maxFailures;
  };

  // The last model to try has no time limit but the search's own: it answers in milliseconds, even when the time is up.
  const contextFor = (used: Model, phase: Phase): StageContext => {
    if (!state.usage.models.includes(used.name)) state.usage.models.push(used.name);
    const limit = phase === 'research' ? () => budget.stageLimit() : () => budget.until(phase);
    const isSlow = used !== last && phase === 'writing' && timesOf(timeouts, used) > 0;
    const firstMs = isSlow ? { firstMs: firstWordsShare(timesOf(timeouts, used)) * budget.msLeft(phase) } : {};
    return { signal: used === last ? signal : limit(), meter: budget.meter, owner, watch, ...firstMs };
  };

  function recordFailure(used: Model, stage: string, error: unknown, endsStage = false): SearchEvent | undefined {
    signal.throwIfAborted();
    if (used === last) throw error;
    if (error instanceof BudgetSpent && error.phase !== 'writing') {
      budget.stop(error.item);
      return undefined;
    }
    const isSlow = error instanceof StageTimeout;
    const counts = isSlow ? timeouts : failures;
    counts.set(used, isPermanent(error) ? maxFailures : timesOf(counts, used) + 1);
    const consequence = isGivenUp(used, 'writing')
      ? ' The model is not used again in this search.'
      : isGivenUp(used, 'research')
        ? ' The model is used again only to write the answer.'
        : '';
    const outcome = endsStage ? 'ended early because of the model' : 'continued without the model';
    return {
      type: 'warning',
      code: 'model_failed',
      message: `${stage} ${outcome}: ${reasonFor(error)}${consequence}`,
    };
  }

  return {
    models: (phase) => chains[phase].filter((each) => !isGivenUp(each, phase)),
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
