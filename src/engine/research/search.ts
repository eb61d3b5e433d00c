/**
 * The search stage of a round: every query to the corpus and to every provider simultaneously, the providers' lists merged
 * by reciprocal rank. When a provider fails, the search continues without its results, with a warning.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import type { Hit } from '../ports/web.ts';
import type { SearchContext } from '../search-context.ts';
import { hitsNamedBy, mergeHits } from './hits.ts';
import type { Rounds } from './rounds.ts';
import type { Scope } from './scope.ts';

/** Set by hand: providers charge by the query, and ten hits are the first page of most. */
const hitsPerQuery = 10;

/** Adds passages of the corpus to the ranking. Returns the pages of the web that may be read, best first. */
export async function* search(rounds: Rounds): AsyncGenerator<SearchEvent, readonly Hit[]> {
  const { context } = rounds;
  const queries = rounds.queries();
  const named =
    rounds.round() === 0 && isWebOpen(context) ? hitsNamedBy(context.job.request, rounds.scope().rules) : [];
  const found = yield* context.state.step(
    { kind: 'search', title: 'Searching', input: { queries } },
    searchAll(rounds, queries),
  );
  return [...named, ...found];
}

/** Addresses in a prompt are opened only by a server that uses the web anyway. */
function isWebOpen({ ports }: SearchContext): boolean {
  if (ports.pages === undefined) return false;
  return ports.fallbackModel !== undefined || (ports.providers ?? []).some(({ ready = () => true }) => ready());
}

async function* searchAll({ context, ranking, scope, round }: Rounds, queries: readonly string[]) {
  const { ports, budget, signal } = context;
  const limit = budget.passages;
  const { rules } = scope();
  const own = queries.map((text) => ports.corpus.search({ text, limit, rules }, signal));
  const web = ports.pages === undefined ? undefined : searchWeb(context, queries, scope());
  const [passages, found] = await Promise.all([Promise.all(own), web]);
  for (const list of passages) ranking.add(list, scope(), round());
  if (found !== undefined) {
    yield* found.failures;
    if (found.providers > 0 && found.failures.length === found.providers) yield allFailed;
  }
  const pages = new Set(passages.flat().map((passage) => passage.url)).size;
  const onWeb = found === undefined || found.providers === 0 ? '' : `, ${found.hits.length} pages on the web`;
  return { value: found?.hits ?? [], summary: `${passages.flat().length} passages on ${pages} pages${onWeb}` };
}

interface WebResults {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** How many providers were queried. */
  readonly providers: number;
  /** A warning for each provider that failed. */
  readonly failures: readonly SearchEvent[];
}

async function searchWeb(
  { ports, state, budget, signal }: SearchContext,
  queries: readonly string[],
  scope: Scope,
): Promise<WebResults> {
  const ready = (ports.providers ?? []).filter(({ ready = () => true }) => ready());
  const failures = new Map<string, SearchEvent>();
  const lists = await Promise.all(
    ready.flatMap((provider) => {
      if (!state.usage.providers.includes(provider.name)) state.usage.providers.push(provider.name);
      return queries.map((text) =>
        provider.search({ text, limit: hitsPerQuery, ...scope }, budget.until('research')).catch((error) => {
          signal.throwIfAborted();
          if (budget.isOver('research')) budget.stop('seconds');
          failures.set(provider.name, providerFailed(provider.name, error));
          return [];
        }),
      );
    }),
  );
  return { hits: mergeHits(lists, scope.rules), providers: ready.length, failures: [...failures.values()] };
}

/** Only the message of a `ProviderError` is safe to show. */
function providerFailed(name: string, error: unknown): SearchEvent {
  const why = error instanceof Error && error.name === 'ProviderError' ? error.message : 'it did not answer in time.';
  return { type: 'warning', code: 'provider_failed', message: `${name}: ${why}`.slice(0, 300) };
}

const allFailed: SearchEvent = {
  type: 'warning',
  code: 'partial_coverage',
  message: "No search provider answered; the results are from the server's own index.",
};
