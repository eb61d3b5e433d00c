/**
 * From a question to the evidence for its answer: plan, then rounds of search, reading and weighing. The loop ends when
 * there is enough, when a round brings nothing new, when nothing is left to ask, or when the rounds or the budget are
 * spent. No query is asked twice, however a model spells it.
 */
import type { SearchEvent } from '../../protocol/index.ts';
import type { Budget } from './budget.ts';
import type { ModelFallback } from './model-fallback.ts';
import type { Brief, Plan } from './ports/model.ts';
import type { Evidence, Snapshot } from './ports/snapshot.ts';
import type { EnginePorts, SearchJob } from './ports.ts';
import { createQueryDedup } from './query-dedup.ts';
import { createRanking } from './ranking.ts';
import { narrowed, rulesOf, scopeOf } from './scope.ts';
import type { SearchState } from './search-state.ts';
import { createWebResearch, hitsNamedBy } from './web-research.ts';

export interface GatherTask {
  readonly brief: Brief;
  readonly question: SearchJob;
  readonly ports: EnginePorts;
  readonly state: SearchState;
  readonly budget: Budget;
  readonly twins: ModelFallback;
  readonly signal: AbortSignal;
}

/** Why research ended. */
export type StopReason = 'enough' | 'nothing_new' | 'rounds' | 'seconds' | 'searches' | 'pages' | 'tokens';

export interface Gathered {
  /** Best first, numbered from 1; empty when nothing was found. */
  readonly evidence: readonly Evidence[];
  /** The brief with the timeframe and language that the prompt itself asks for. */
  readonly brief: Brief;
  readonly stop: StopReason;
}

export async function* gather(task: GatherTask): AsyncGenerator<SearchEvent, Gathered> {
  const { question, ports, state, budget, twins, signal } = task;
  const { request } = question;
  const ranking = createRanking();
  const read = new Map<string, Snapshot>();
  const asked = createQueryDedup();
  const web = webOf(task);
  let evidence: Evidence[] = [];
  let stop: StopReason | undefined;

  const plan = yield* state.step(
    { kind: 'plan', title: 'Reading the question', input: planInput(task.brief) },
    (async function* () {
      const value = yield* twins.run('Reading the question', (model, context) => model.plan(task.brief, context));
      return { value, summary: describePlan(value) };
    })(),
  );
  const brief = narrowed(task.brief, plan);
  let scope = scopeOf(brief, request, plan);
  const wishes = scope.rules !== rulesOf(request);
  state.usage.providers.push('corpus');

  let queries: readonly string[] = plan.queries;
  let direct = web?.isOpen() ? hitsNamedBy(request, scope.rules) : [];
  let round = 0;
  for (; round < budget.rounds && stop === undefined; round += 1) {
    const wanted = asked.unseen(queries);
    const news = wanted.slice(0, budget.takeSearches(wanted.length));
    if (news.length === 0) {
      stop = wanted.length > 0 ? 'searches' : 'nothing_new';
      break;
    }
    asked.add(news);
    const before = ranking.size();
    const hits = yield* state.step({ kind: 'search', title: 'Searching', input: { queries: news } }, search(news));
    const targets = [...direct, ...hits];
    direct = [];
    if (web !== undefined && targets.length > 0) {
      yield* state.step({ kind: 'fetch', title: 'Reading pages' }, readAndRank(web, targets, news));
    }
    if (ranking.size() === before) {
      if (wishes && before === 0 && scope.rules !== rulesOf(request)) {
        yield {
          type: 'warning',
          code: 'source_wish_not_met',
          message: 'Nothing was found in the sources that the prompt asks for.',
        };
        scope = { ...scope, rules: rulesOf(request) };
        asked.clear();
        continue;
      }
      if (round > 0) stop = 'nothing_new';
    }
    if (stop !== undefined) break;
    if (budget.isOver('research')) stop = 'seconds';

    const last = round + 1 === budget.rounds || stop !== undefined;
    const reflection = yield* state.step(
      { kind: 'rank', title: 'Weighing what was found' },
      (async function* () {
        const bounded = request.max?.pages !== undefined;
        const ownPages = bounded ? budget.limits.pages - state.usage.pages : Number.POSITIVE_INFINITY;
        evidence = ranking.best(budget, read, ownPages);
        yield* addSources(evidence, read, task);
        const found = `${evidence.length} passages from ${new Set(evidence.map(({ url }) => url)).size} pages`;
        if (last || evidence.length === 0) {
          return { value: { enough: last, queries: [] as readonly string[] }, summary: found };
        }
        const value = yield* twins.run('Weighing', (model, context) => model.reflect(brief, evidence, context));
        const words = value.enough
          ? 'enough to answer'
          : value.queries.length > 0
            ? 'more is needed'
            : 'no more to ask';
        return { value, summary: `${found}: ${words}` };
      })(),
    );
    if (last) stop ??= 'rounds';
    else if (reflection.enough) stop = 'enough';
    queries = reflection.queries;
  }
  signal.throwIfAborted();
  const corpusPages = new Set(evidence.filter(({ snapshot }) => !read.has(snapshot)).map(({ url }) => url)).size;
  state.usage.pages += corpusPages;
  state.usage.passages = ranking.size();
  return { evidence, brief, stop: budget.stopped() ?? stop ?? 'rounds' };

  /** The corpus and every provider, at the same time. */
  async function* search(news: readonly string[]) {
    const limit = budget.passages;
    const { rules } = scope;
    const found = news.map((text) => ports.corpus.search({ text, limit, rules }, signal));
    const [passages, hits] = await Promise.all([Promise.all(found), web?.find(news, scope)]);
    for (const list of passages) ranking.add(list, scope, round);
    if (hits !== undefined) {
      yield* hits.failures;
      if (hits.asked > 0 && hits.failures.length === hits.asked) yield allFailed;
    }
    const onPages = new Set(passages.flat().map((passage) => passage.url)).size;
    const shown = hits === undefined || hits.asked === 0 ? '' : `, ${hits.hits.length} pages on the web`;
    return { value: hits?.hits ?? [], summary: `${passages.flat().length} passages on ${onPages} pages${shown}` };
  }

  async function* readAndRank(
    research: NonNullable<typeof web>,
    targets: Parameters<typeof research.read>[0],
    news: readonly string[],
  ) {
    const { value: pages, summary } = yield* research.read(targets, scope.rules);
    for (const page of pages) read.set(page.id, page);
    if (pages.length > 0) {
      const limit = budget.passages;
      const lists = await Promise.all(news.map((text) => ports.corpus.rank({ text, limit, pages }, signal)));
      for (const list of lists) ranking.add(list, scope, round);
    }
    return { value: undefined, summary };
  }
}

const allFailed: SearchEvent = {
  type: 'warning',
  code: 'partial_coverage',
  message: "No search provider answered; this is from the server's own index.",
};

function webOf({ ports, budget, state, signal }: GatherTask) {
  const { providers = [], pages } = ports;
  if (pages === undefined) return undefined;
  const research = createWebResearch({ providers, pages, budget, state, signal });
  // Addresses in a prompt are opened only by a server that works with the web anyway.
  const isOpen = () => ports.fallbackModel !== undefined || providers.some(({ ready = () => true }) => ready());
  return { ...research, isOpen };
}

/** A page of the web is kept before anyone hears of it as a source: whoever does can read it at once. */
async function* addSources(
  evidence: readonly Evidence[],
  read: ReadonlyMap<string, Snapshot>,
  { ports, state }: GatherTask,
): AsyncGenerator<SearchEvent, void> {
  for (const piece of evidence) {
    const { added } = state.source(piece);
    if (added === undefined) continue;
    const page = read.get(piece.snapshot);
    if (page !== undefined) await ports.corpus.putSnapshot(page);
    yield added;
  }
}

function planInput({ question, previous, today, from, to, language, imageDescription }: Brief) {
  return {
    question: question.slice(0, 500),
    today,
    ...(previous.length === 0 ? {} : { follows: previous.length }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(language === undefined ? {} : { language }),
    ...(imageDescription === undefined ? {} : { picture: imageDescription.slice(0, 500) }),
  };
}

function describePlan({ queries, from, to, language, only = [], never = [] }: Plan): string {
  const wishes = [
    from === undefined ? '' : `from ${from}`,
    to === undefined ? '' : `to ${to}`,
    language === undefined ? '' : `in ${language}`,
    only.length === 0 ? '' : `only ${only.join(', ')}`,
    never.length === 0 ? '' : `without ${never.join(', ')}`,
  ].filter((wish) => wish !== '');
  return [...queries, ...wishes].join(' · ').slice(0, 500);
}
