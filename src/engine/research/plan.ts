/** Turns the question into what to search for, and where: the first queries, and the sources and dates that are allowed. */
import type { SearchEvent } from '../../../protocol/index.ts';
import { defined } from '../../base/values/defined.ts';
import type { Brief, Plan } from '../ports/model.ts';
import type { SearchContext } from '../search-context.ts';
import { narrowBrief, type Scope, scopeOf } from './scope.ts';
import { statedConstraints } from './stated-constraints.ts';

export interface PlannedSearch {
  /** Its brief has the timeframe and language that the prompt itself states. */
  readonly context: SearchContext;
  readonly scope: Scope;
  /** At least one, most important first. */
  readonly queries: readonly string[];
  /** The questions that a deep search also researches, each by itself; none, or at least two. */
  readonly parts: readonly string[];
}

/** Branches of the research besides the question's own; set by hand, for a budget of 40 searches and pages. */
const maxParts = 4;

/** The plan stage, as one step. */
export async function* planSearch(context: SearchContext): AsyncGenerator<SearchEvent, PlannedSearch> {
  const { job, brief, state, fallback } = context;
  const plan = yield* state.step(
    { kind: 'plan', title: 'Reading the question', input: planInput(brief) },
    (async function* () {
      const planned = yield* fallback.run('Reading the question', (model, stage) => model.plan(brief, stage));
      const value = statedConstraints(planned, brief);
      return { value, summary: describePlan(value, brief) };
    })(),
  );
  const narrowed = narrowBrief(brief, plan);
  const parts = (plan.parts ?? []).slice(0, maxParts);
  return {
    context: { ...context, brief: narrowed },
    scope: scopeOf(narrowed, job.request, plan),
    queries: plan.queries,
    parts: brief.effort === 'deep' && parts.length > 1 ? parts : [],
  };
}

/** The `input` of the step: part of the wire, so its names stay. */
function planInput({ question, previous, today, from, to, language, imageDescription }: Brief) {
  return {
    question: question.slice(0, 500),
    today,
    ...(previous.length === 0 ? {} : { follows: previous.length }),
    ...defined({ from, to, language, picture: imageDescription?.slice(0, 500) }),
  };
}

function describePlan({ queries, from, to, language, only = [], never = [] }: Plan, { within }: Brief): string {
  const constraints = [
    from === undefined ? '' : `from ${from}`,
    to === undefined ? '' : `to ${to}`,
    language === undefined ? '' : `in ${language}`,
    within === undefined ? '' : `only ${within.titles.join(', ')}`,
    only.length === 0 ? '' : `only ${only.join(', ')}`,
    never.length === 0 ? '' : `without ${never.join(', ')}`,
  ].filter((constraint) => constraint !== '');
  return [...queries, ...constraints].join(' · ').slice(0, 500);
}
