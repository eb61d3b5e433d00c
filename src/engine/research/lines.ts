/**
 * Research in lines: one for the question, and in a deep search one for each of the parts that the plan divides it into, side
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
  /** Why the question's own line ended. */
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
    const line = { ...context, brief, state: state.under(step.step_id) };
    const rounds = createRounds(line, scope, { queries: [question], reads: main.reads });
    return { step, rounds };
  });
  for (const { step } of steps) yield step.started;
  yield* sideBySide([follow(main), ...steps.map(({ rounds }) => follow(rounds))]);
  const lines = [main, ...steps.map(({ rounds }) => rounds)];
  for (const { step, rounds } of steps) yield step.finish(counted(rounds.end().evidence.length, 'passage'));
  let pieces = together(lines);

  if (!budget.isOver('research') && pieces.length > 0) {
    const tried = {
      queries: [...new Set(lines.flatMap((line) => line.tried.queries))],
      failedPages: lines.flatMap((line) => line.tried.failedPages),
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
      lines.push(rest);
      pieces = together(lines);
    }
  }
  const evidence = fitToPrompt(pieces);
  countUsage(lines, evidence);
  return { evidence, stop: main.end().stop, brief: { ...main.brief(), researched: parts } };
}

/** The rounds of one line. */
async function* follow(rounds: Rounds): AsyncGenerator<SearchEvent, void> {
  while (rounds.begin()) {
    const hits = yield* search(rounds);
    yield* readPages(rounds, hits);
    if (yield* rounds.hasNews()) yield* rankAndReflect(rounds);
  }
}

/** The evidence of all lines. */
function together(lines: readonly Rounds[]): Evidence[] {
  return mergeEvidence(lines.map((line) => line.end().evidence));
}

/** Pages of the corpus count once they are evidence; those of the web were counted when they were opened. */
function countUsage(lines: readonly Rounds[], evidence: readonly Evidence[]): void {
  const { usage } = lines[0]!.context.state;
  const isFetched = (snapshot: string) => lines.some(({ fetched }) => fetched.has(snapshot));
  usage.pages += new Set(evidence.filter(({ snapshot }) => !isFetched(snapshot)).map(({ url }) => url)).size;
  usage.passages = lines.reduce((sum, { ranking, scope }) => sum + ranking.size(scope()), 0);
}

/** The events of all generators, in the order in which they came. Fails with the first that fails, and ends the others. */
async function* sideBySide(lines: readonly AsyncGenerator<SearchEvent, void>[]): AsyncGenerator<SearchEvent, void> {
  const arrived: { readonly line: AsyncGenerator<SearchEvent, void>; readonly event: SearchEvent | undefined }[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const advance = (line: AsyncGenerator<SearchEvent, void>) => {
    line
      .next()
      .then(
        ({ value, done }) => void arrived.push({ line, event: done ? undefined : (value as SearchEvent) }),
        (error) => {
          failure ??= { error };
        },
      )
      .finally(() => wake());
  };
  let open = lines.length;
  lines.forEach(advance);
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
        advance(next.line);
      }
    }
  } finally {
    if (open > 0) for (const line of lines) line.return().catch(() => {});
  }
}
