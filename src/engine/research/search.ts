/**
 * The search stage of a round: every query to the corpus and to every provider simultaneously, the providers' lists merged
 * by reciprocal rank. When a provider fails, the search continues without its results, with a warning.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import { counted } from '../../base/text/counted.ts';
import type { Hit } from '../ports/web.ts';
import type { SearchContext } from '../search-context.ts';
import { canonicalUrl } from './canonical-url.ts';
import { hitsNamedBy, mergeHits } from './hits.ts';
import { type Found, searchQuery } from './query-search.ts';
import type { Rounds } from './rounds.ts';

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
  const isNamed = new Set(named.map(({ url }) => canonicalUrl(url)));
  return [...named, ...found.filter(({ url }) => !isNamed.has(canonicalUrl(url)))];
}

/** Addresses in a prompt are opened only by a server that uses the web anyway. */
function isWebOpen({ ports }: SearchContext): boolean {
  if (ports.pages === undefined) return false;
  return ports.fallbackModel !== undefined || (ports.providers ?? []).some(({ ready = () => true }) => ready());
}

async function* searchAll({ context, ranking, weigh, scope, round, early }: Rounds, queries: readonly string[]) {
  const found = await Promise.all(
    queries.map(async (text) =>
      withoutGuesses(await (early?.has(text) ? early.found(scope()) : searchQuery(context, text, scope()))),
    ),
  );
  for (const { passages } of found) ranking.add(passages, round());
  const onWeb = found.filter(({ providers }) => providers > 0);
  for (const [provider, failure] of found.flatMap((each) => [...each.failures])) {
    if (context.state.warnsOf(provider)) yield failure;
  }
  const areAllFailed = onWeb.length > 0 && onWeb.every((each) => each.failures.size === each.providers);
  if (areAllFailed && context.state.warnsOf('all providers')) yield allFailed;
  const hits = mergeHits(
    found.flatMap(({ lists }) => lists),
    scope().rules,
    weigh,
  );
  const passages = found.flatMap((each) => each.passages);
  const pages = new Set(passages.map(({ url }) => url)).size;
  const more = onWeb.length === 0 ? '' : `, ${counted(hits.length, 'page')} on the web`;
  return { value: hits, summary: `${counted(passages.length, 'passage')} on ${counted(pages, 'page')}${more}` };
}

/**
 * A small index returns everything for a query of which it has no word. If the web has results for that query, those
 * passages are not evidence; what is close in meaning stays.
 */
function withoutGuesses(found: Found): Found {
  const isGuess = found.passages.every(({ coverage }) => coverage === 0);
  if (!isGuess || found.lists.every(({ length }) => length === 0)) return found;
  return { ...found, passages: found.passages.filter(({ near }) => near !== undefined) };
}

const allFailed: SearchEvent = {
  type: 'warning',
  code: 'partial_coverage',
  message: "No search provider answered; the results are from the server's own index.",
};
