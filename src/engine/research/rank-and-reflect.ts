/**
 * The last stages of a round, one step of the log: the best passages become evidence, and a model judges whether they suffice.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import { counted } from '../../base/text/counted.ts';
import type { Reflection } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import { maxBeside } from './evidence/merge-evidence.ts';
import { withoutNotes } from './evidence/notebook.ts';
import type { Rounds } from './rounds.ts';

/** Adds the sources of the evidence, and tells the rounds what was found and what to search for next. */
export async function* rankAndReflect(rounds: Rounds): AsyncGenerator<SearchEvent, void> {
  const { notebook } = rounds;
  yield* rounds.context.state.step(
    { kind: 'rank', title: 'Ranking what was found' },
    (async function* () {
      const fresh = rank(rounds, !notebook.isEmpty());
      const evidence = notebook.show(fresh);
      yield* addSources(rounds, evidence);
      const pages = new Set(evidence.map(({ url }) => url)).size;
      const found = `${counted(evidence.length, 'passage')} from ${counted(pages, 'page')}`;
      // After the last round, the model reads only if the answer has no room for what that round found.
      const isRead = !rounds.isLast() || (!notebook.isEmpty() && fresh.length > maxBeside);
      const reflection = isRead && evidence.length > 0 ? yield* reflect(rounds, evidence) : undefined;
      const kept = notebook.take(reflection === undefined ? [] : evidence, reflection?.notes ?? []);
      const noted = kept === 0 ? '' : `, ${counted(kept, 'fact')} noted`;
      const summary = reflection === undefined ? found : `${found}${noted}: ${describeReflection(reflection)}`;
      const concluded = notebook.isEmpty()
        ? evidence
        : notebook.pieces([...evidence.map(withoutNotes), ...rank(rounds)]);
      // With notes, also passages of earlier rounds and those that this one had no room for.
      yield* addSources(rounds, concluded);
      rounds.conclude(concluded, reflection ?? { enough: false, queries: [] });
      return { value: undefined, summary };
    })(),
  );
}

/**
 * The best passages, or those that the model has not read yet. A limit on pages that the request sets counts pages of the corpus,
 * too.
 */
function rank({ context, ranking, notebook, fetched, scope, round }: Rounds, isUnread = false): Evidence[] {
  const { job, budget, state } = context;
  const isLimited = job.request.max?.pages !== undefined;
  const ownPages = isLimited ? budget.limits.pages - state.usage.pages : Number.POSITIVE_INFINITY;
  const unread = isUnread ? { round: round(), isRead: notebook.isRead } : undefined;
  return ranking.best(budget, fetched, ownPages, scope(), unread);
}

function reflect(
  { context, brief, tried }: Rounds,
  evidence: readonly Evidence[],
): AsyncGenerator<SearchEvent, Reflection> {
  return context.fallback.run('Reflection', (model, stage) => model.reflect({ ...brief(), tried }, evidence, stage));
}

function describeReflection({ enough, queries }: Reflection): string {
  if (enough) return 'enough to answer';
  return queries.length > 0 ? 'more is needed' : 'no further queries';
}

/** A web page is stored before its source is announced: a client can then read it right away. */
async function* addSources(
  { context, fetched }: Rounds,
  evidence: readonly Evidence[],
): AsyncGenerator<SearchEvent, void> {
  for (const piece of evidence) {
    if (context.state.hasSource(piece)) continue;
    const page = fetched.get(piece.snapshot);
    if (page !== undefined) await context.ports.corpus.putSnapshot(page);
    // Numbered only now: other branches of the research announce sources in the meantime, and none may overtake another.
    const { added } = context.state.source(piece);
    if (added !== undefined) yield added;
  }
}
