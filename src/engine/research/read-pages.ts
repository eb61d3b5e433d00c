/**
 * The reading stage of a round: the best pages that were not opened before (choose-hits.ts), several simultaneously, and
 * their passages ranked. A page that cannot be read costs the search only what it would have contributed, with a warning.
 * Only addresses that came from a provider, or are in the request itself, are opened.
 */
import { allows, type SearchEvent, type SourceRules } from '../../../protocol/index.ts';
import { counted } from '../../base/text/counted.ts';
import { watchCall } from '../ports/call-watch.ts';
import type { Snapshot } from '../ports/snapshot.ts';
import type { Hit, PageReader } from '../ports/web.ts';
import type { SearchContext } from '../search-context.ts';
import { canonicalUrl } from './canonical-url.ts';
import { chooseHits } from './choose-hits.ts';
import type { Rounds } from './rounds.ts';

/** Set by hand, like the limits below: enough to hide slow pages without crowding out other searches. */
const concurrentPages = 6;
const pagesPerRound = 10;
/** Longest time for one page. */
const pageMs = 12_000;
/** Shortest time between two progress events. */
const progressMs = 250;

/** Reads the best of `hits` and adds their passages to the ranking. Without anything to read, there is no step. */
export async function* readPages(rounds: Rounds, hits: readonly Hit[]): AsyncGenerator<SearchEvent, void> {
  const { state, ports } = rounds.context;
  const reader = ports.pages;
  if (reader === undefined || hits.length === 0) return;
  yield* state.step({ kind: 'fetch', title: 'Reading pages' }, (id) => readAndRank(rounds, reader, hits, id));
}

async function* readAndRank(rounds: Rounds, reader: PageReader, hits: readonly Hit[], step_id: string) {
  const { context, ranking, fetched } = rounds;
  const { ports, budget, signal, state } = context;
  const { read, wanted } = yield* readBest(rounds, reader, hits, step_id);
  for (const page of read) fetched.set(page.id, page);
  if (read.length > 0) {
    const limit = budget.passages;
    const queries = rounds.queries();
    const isAway = state.unavailable.index !== undefined;
    const lists = await Promise.all(
      queries.map((text) => ports.corpus.rank({ text, limit, pages: read, isAway }, signal)),
    );
    for (const list of lists) ranking.add(list, rounds.round());
  }
  return { value: undefined, summary: `${read.length} of ${counted(wanted, 'page')} read` };
}

/** The pages that could be read, in the order of `hits`, and how many were to be read. */
async function* readBest(
  { context, opened, reads, tried, scope, queries }: Rounds,
  reader: PageReader,
  hits: readonly Hit[],
  step_id: string,
): AsyncGenerator<SearchEvent, { read: readonly Snapshot[]; wanted: number }> {
  const { job, state, budget, signal } = context;
  const { rules } = scope();
  const wanted = hits.filter((hit) => {
    const key = canonicalUrl(hit.url);
    return key !== undefined && !opened.has(key);
  });
  const limit = Math.max(0, Math.min(pagesPerRound, budget.pagesLeft()));
  const isDated = job.request.from !== undefined || job.request.to !== undefined;
  const targets = chooseHits(wanted, queries(), scope(), limit, isDated);
  if (limit === 0 && wanted.length > 0) budget.stop('pages');
  const pages: (Snapshot | undefined)[] = [];
  const failures: SearchEvent[] = [];
  const pending = new Set<Promise<void>>();
  let next = 0;
  let done = 0;
  let reportedAt = performance.now();

  const open = async (at: number, hit: Hit) => {
    const key = canonicalUrl(hit.url)!;
    opened.add(key);
    const reading = reads.get(key) ?? read(hit);
    reads.set(key, reading);
    pages[at] = await reading;
    done += 1;
  };
  const read = async ({ url, title }: Hit) => {
    state.usage.pages += 1;
    const result = await readPage(context, reader, url, rules);
    if ('snapshot' in result) return allows(rules, result.snapshot.url) ? result.snapshot : undefined;
    failures.push(result.failure);
    tried.failedPages.push(title.slice(0, 100) || new URL(url).host);
    return undefined;
  };

  while (next < targets.length || pending.size > 0) {
    while (
      next < targets.length &&
      pending.size < concurrentPages &&
      budget.pagesLeft() > 0 &&
      !budget.isOver('research')
    ) {
      const reading: Promise<void> = open(next, targets[next]!).finally(() => pending.delete(reading));
      pending.add(reading);
      next += 1;
    }
    if (pending.size === 0) {
      if (budget.pagesLeft() <= 0) budget.stop('pages');
      else if (next < targets.length) budget.stop('seconds');
      break;
    }
    await Promise.race(pending);
    signal.throwIfAborted();
    if (performance.now() - reportedAt > progressMs && done < targets.length) {
      reportedAt = performance.now();
      yield { type: 'step.progress', step_id, done, total: targets.length };
    }
  }
  yield* failures;
  return { read: pages.filter((snapshot) => snapshot !== undefined), wanted: targets.length };
}

async function readPage(
  { job, state, budget }: SearchContext,
  reader: PageReader,
  url: string,
  rules: SourceRules,
): Promise<{ snapshot: Snapshot } | { failure: SearchEvent }> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error('timeout')), pageMs);
  try {
    const either = AbortSignal.any([budget.until('research'), limit.signal]);
    const { snapshot, info } = await watchCall(job.watch, { kind: 'page', url }, () =>
      reader.read(url, { rules, owner: job.owner }, either),
    );
    if (info.from_cache) state.usage.cache_hits += 1;
    return { snapshot };
  } catch (error) {
    if (budget.isOver('research')) budget.stop('seconds');
    return { failure: pageFailed(url, limit.signal.aborted ? undefined : error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Only the messages of our own errors are safe to show. */
function pageFailed(url: string, error: unknown): SearchEvent {
  const why =
    error instanceof Error && /^(?:Page|App)Error$/.test(error.name) ? error.message : 'The page did not load in time.';
  const shown = `${new URL(url).host}${new URL(url).pathname}`.slice(0, 120);
  return { type: 'warning', code: 'source_unreachable', message: `${shown}: ${why}`.slice(0, 300) };
}
