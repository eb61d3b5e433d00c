/**
 * From a prompt to the evidence for its answer: queries, searches, ranking across queries, and a look at whether it is
 * enough. The loop ends when it is, when a round brings nothing new, or when the effort's rounds are spent.
 */
import { everySource, type SearchEvent, type SearchRequest, sourceRules } from '../../protocol/index.ts';
import type { Evidence, Passage } from './ports.ts';
import type { EnginePorts, Question } from './question.ts';
import type { SearchState } from './search-state.ts';

export interface GatherTask {
  readonly prompt: string;
  readonly question: Question;
  readonly ports: EnginePorts;
  readonly state: SearchState;
  readonly signal: AbortSignal;
}

const efforts = {
  fast: { rounds: 1, passages: 10 },
  balanced: { rounds: 2, passages: 12 },
  deep: { rounds: 3, passages: 20 },
} as const;

/** Constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009). */
const fusionConstant = 60;

/** The evidence, best first, numbered from 1; empty when nothing was found. */
export async function* gather(task: GatherTask): AsyncGenerator<SearchEvent, readonly Evidence[]> {
  const { prompt, question, ports, state, signal } = task;
  const effort = efforts[question.request.effort];
  const ranked = new Map<string, { passage: Passage; score: number }>();
  const asked = new Set<string>();
  let evidence: Evidence[] = [];

  const plan = yield* state.step(
    { kind: 'plan', title: 'Reading the question' },
    ports.model.plan(prompt, signal).then((value) => ({ value, summary: value.queries.join(' · ').slice(0, 300) })),
  );
  state.usage.model_calls += 1;
  state.usage.models.push(ports.model.name);
  state.usage.providers.push('corpus');

  let queries = plan.queries;
  for (let round = 0; round < effort.rounds; round += 1) {
    const news = queries.filter((query) => query.trim() !== '' && !asked.has(query));
    if (news.length === 0) break;
    const before = ranked.size;
    yield* state.step({ kind: 'search', title: 'Searching', input: { queries: news } }, search(task, news, ranked));
    for (const query of news) asked.add(query);
    if (ranked.size === before && round > 0) break;

    const reflection = yield* state.step(
      { kind: 'rank', title: 'Weighing what was found' },
      (async function* () {
        evidence = best(ranked, effort.passages);
        for (const piece of evidence) {
          const { added } = state.source(piece);
          if (added !== undefined) yield added;
        }
        state.usage.model_calls += 1;
        const value = await ports.model.reflect(prompt, evidence, signal);
        const words = value.enough
          ? 'enough to answer'
          : value.queries.length > 0
            ? 'more is needed'
            : 'no answer in it';
        return { value, summary: `${evidence.length} passages from ${state.sources.length} pages: ${words}` };
      })(),
    );
    if (reflection.enough) break;
    queries = reflection.queries;
  }
  state.usage.pages = state.sources.length;
  state.usage.passages = ranked.size;
  return evidence;
}

/** Every query against the corpus, at the same time; what they find is merged by reciprocal rank. */
async function* search(
  { question, ports, state, signal }: GatherTask,
  queries: readonly string[],
  ranked: Map<string, { passage: Passage; score: number }>,
): AsyncGenerator<SearchEvent, { value: undefined; summary: string }> {
  const { request } = question;
  const rules = request.source_whitelist || request.source_blacklist ? sourceRules(request) : everySource;
  const limit = efforts[request.effort].passages;
  const found = await Promise.all(queries.map((text) => ports.corpus.search({ text, limit, rules }, signal)));
  state.usage.searches += queries.length;
  for (const passages of found) {
    passages
      .filter((passage) => published(passage, request))
      .forEach((passage, rank) => {
        const key = `${passage.snapshot} ${passage.start}`;
        const known = ranked.get(key);
        ranked.set(key, { passage, score: (known?.score ?? 0) + 1 / (fusionConstant + rank + 1) });
      });
  }
  const pages = new Set(found.flat().map((passage) => passage.url)).size;
  return { value: undefined, summary: `${found.flat().length} passages on ${pages} pages` };
}

function best(ranked: Map<string, { passage: Passage; score: number }>, limit: number): Evidence[] {
  return [...ranked.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ passage }, index) => ({ ...passage, n: index + 1 }));
}

/** A page that says no date is kept: most pages say none, and leaving all of them out would answer nothing. */
function published(passage: Passage, { from, to }: SearchRequest): boolean {
  if (passage.published_at === undefined) return true;
  const at = Date.parse(passage.published_at);
  if (Number.isNaN(at)) return true;
  const dayEnd = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to) ? Date.parse(to) + 86_399_999 : Date.parse(to ?? '');
  return !(from !== undefined && at < Date.parse(from)) && !(to !== undefined && at > dayEnd);
}
