/**
 * Research in branches: one for the question, and in a deep search one for each of the parts that the plan divides it into, side
 * by side, each with its own queries, pages and judgement. All of them draw on one budget, which is checked before whatever
 * costs. What they found is put together in turns, best first; whether it is complete is judged once more, for the question as
 * it was asked.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import { counted } from '../../base/text/counted.ts';
import type { Brief } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { EarlySearch } from './early-search.ts';
import { fitToPrompt, mergeEvidence } from './evidence/merge-evidence.ts';
import type { PlannedSearch } from './plan.ts';
import { rankAndReflect } from './rank-and-reflect.ts';
import { readPages } from './read-pages.ts';
import { createRounds, type Rounds, type StopReason } from './rounds.ts';
import { search } from './search.ts';

export interface Research {
  /** Best first, numbered from 1; empty if nothing was found. */
  readonly evidence: readonly Evidence[];
  /** Why the question's own branch ended. */
  readonly stop: StopReason;
  /** The question, with the dates that still hold. */
  readonly brief: Brief;
}

/** Researches the question and its parts. Completes `usage`; throws if the search was ended. */
export async function* research(planned: PlannedSearch, early?: EarlySearch): AsyncGenerator<SearchEvent, Research> {
  const { context, scope, queries, parts } = planned;
  const { state, budget, job } = context;
  const main = createRounds(context, scope, { queries, early });
  // A limit on pages that the request sets counts pages of the corpus, too, so the question is not divided.
  if (parts.length === 0 || job.request.max?.pages !== undefined) {
    yield* follow(main);
    const { evidence: found, stop } = main.end();
    const evidence = main.notebook.isEmpty() ? found : fitToPrompt(mergeEvidence([found]));
    countUsage([main], evidence);
    return { evidence, stop, brief: main.brief() };
  }
  const steps = parts.map((question) => {
    const step = state.begin({ kind: 'read', title: 'Researching a part', input: { question } });
    const whole = context.brief.question;
    const brief = { ...context.brief, question, prompt: question, previous: [], whole };
    const branch = { ...context, brief, state: state.under(step.step_id) };
    const rounds = createRounds(branch, scope, { queries: [question], reads: main.reads });
    return { step, rounds };
  });
  for (const { step } of steps) yield step.started;
  yield* sideBySide([follow(main), ...steps.map(({ rounds }) => follow(rounds))]);
  const branches = [main, ...steps.map(({ rounds }) => rounds)];
  for (const { step, rounds } of steps) yield step.finish(counted(rounds.end().evidence.length, 'passage'));
  let pieces = together(branches);

  if (!budget.isOver('research') && pieces.length > 0) {
    const tried = {
      queries: [...new Set(branches.flatMap((branch) => branch.tried.queries))],
      failedPages: branches.flatMap((branch) => branch.tried.failedPages),
    };
    const missing = yield* state.step(
      { kind: 'rank', title: 'Checking for completeness' },
      (async function* () {
        const { enough, queries: value } = yield* context.fallback.run('Reflection', (model, stage) =>
          model.reflect({ ...main.brief(), tried }, fitToPrompt(pieces), stage),
        );
        return { value: enough ? [] : value, summary: enough ? 'complete' : 'more is needed' };
      })(),
    );
    if (missing.length > 0) {
      const before = { evidence: pieces, tried };
      const rest = createRounds(context, main.scope(), { queries: missing, reads: main.reads, before });
      yield* follow(rest);
      branches.push(rest);
      pieces = together(branches);
    }
  }
  const evidence = fitToPrompt(pieces);
  countUsage(branches, evidence);
  return { evidence, stop: main.end().stop, brief: { ...main.brief(), researched: parts } };
}

/** The rounds of one branch. */
async function* follow(rounds: Rounds): AsyncGenerator<SearchEvent, void> {
  while (rounds.begin()) {
    const hits = yield* search(rounds);
    yield* readPages(rounds, hits);
    if (yield* rounds.hasNews()) yield* rankAndReflect(rounds);
  }
}

/** The evidence of all branches. */
function together(branches: readonly Rounds[]): Evidence[] {
  return mergeEvidence(branches.map((branch) => branch.end().evidence));
}

/** Pages of the corpus count once they are evidence; those of the web were counted when they were opened. */
function countUsage(branches: readonly Rounds[], evidence: readonly Evidence[]): void {
  const { usage } = branches[0]!.context.state;
  const isFetched = (snapshot: string) => branches.some(({ fetched }) => fetched.has(snapshot));
  usage.pages += new Set(evidence.filter(({ snapshot }) => !isFetched(snapshot)).map(({ url }) => url)).size;
  usage.passages = branches.reduce((sum, { ranking, scope }) => sum + ranking.size(scope()), 0);
}

/** The events of all generators, in the order in which they came. Fails with the first that fails, and ends the others. */
async function* sideBySide(
  generators: readonly AsyncGenerator<SearchEvent, void>[],
): AsyncGenerator<SearchEvent, void> {
  const arrived: { readonly generator: AsyncGenerator<SearchEvent, void>; readonly event: SearchEvent | undefined }[] =
    [];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const advance = (generator: AsyncGenerator<SearchEvent, void>) => {
    generator
      .next()
      .then(
        ({ value, done }) => void arrived.push({ generator, event: done ? undefined : (value as SearchEvent) }),
        (error) => {
          failure ??= { error };
        },
      )
      .finally(() => wake());
  };
  let open = generators.length;
  generators.forEach(advance);
  try {
    while (open > 0) {
      if (failure !== undefined) throw failure.error;
      const next = arrived.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (next.event === undefined) open -= 1;
      else {
        yield next.event;
        advance(next.generator);
      }
    }
  } finally {
    if (open > 0) for (const generator of generators) generator.return().catch(() => {});
  }
}
