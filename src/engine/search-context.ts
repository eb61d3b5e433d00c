/** What every stage of one search works with. A stage that learns something passes on a copy with a new `brief`. */
import { defined } from '../base/values/defined.ts';
import { type Budget, createBudget } from './budget.ts';
import { portsWithModel } from './choose-model.ts';
import { createModelFallback, type ModelFallback } from './model-fallback.ts';
import type { Brief } from './ports/model.ts';
import type { EnginePorts, SearchJob } from './ports.ts';
import { createResearchState, type ResearchState } from './research-state.ts';

export interface SearchContext {
  readonly ports: EnginePorts;
  readonly job: SearchJob;
  readonly brief: Brief;
  readonly state: ResearchState;
  readonly budget: Budget;
  readonly fallback: ModelFallback;
  /** Ends the search: cancelled, or past its deadline. */
  readonly signal: AbortSignal;
}

/** Seconds; the longest deadline that a run has. */
const defaultSeconds = 120;

/** The context at the start of a search. Its budget owns timers: close it when the search is over. */
export function createSearchContext(opened: EnginePorts, job: SearchJob, signal: AbortSignal): SearchContext {
  // A search restricted to sources of the index neither searches nor reads the web.
  const reachable = job.reach === undefined ? opened : { ...opened, providers: [], pages: undefined };
  const ports = portsWithModel(reachable, job.request.model);
  const state = createResearchState();
  state.usage.providers.push('corpus');
  const budget = createBudget(job.request, job.seconds ?? defaultSeconds, state, signal);
  const fallback = createModelFallback(ports, { state, budget, signal, owner: job.owner, watch: job.watch });
  return { ports, job, brief: briefOf(job), state, budget, fallback, signal };
}

function briefOf({ request, previous, previousAnswer, earlierAnswers, instructions, parts }: SearchJob): Brief {
  const { prompt, from, to, language, effort, output_format } = request;
  return {
    prompt: [...previous, prompt].join('\n\n'),
    question: prompt,
    previous,
    ...defined({ previousAnswer, earlierAnswers, instructions, parts }),
    today: new Date().toISOString().slice(0, 10),
    effort,
    ...defined({ from, to, language, template: output_format }),
  };
}
