/**
 * One query to the corpus and to every provider simultaneously. A provider that fails costs only its own results; so does a
 * corpus whose database is unreachable, where there is a provider.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { storeUnavailable } from '../../base/store-unavailable.ts';
import { type CallOutcome, watchCall } from '../ports/call-watch.ts';
import type { FinderMeter } from '../ports/embedder.ts';
import type { Passage } from '../ports/snapshot.ts';
import type { Hit } from '../ports/web.ts';
import type { ResearchState } from '../research-state.ts';
import type { SearchContext } from '../search-context.ts';
import type { Scope } from './scope.ts';

/** What one query found. */
export interface Found {
  /** Passages of the corpus, best first. */
  readonly passages: readonly Passage[];
  /** Hits on the web, one list for each provider, best first. */
  readonly lists: readonly (readonly Hit[])[];
  /** A warning for each provider that failed, by its name. */
  readonly failures: ReadonlyMap<string, SearchEvent>;
  /** How many providers were queried. */
  readonly providers: number;
}

/** Set by hand: providers charge by the query, and ten hits are the first page of most. */
const hitsPerQuery = 10;

/** After another one has answered, a provider that was too slow before is waited for as long; set by hand: above the p50 of all. */
const lateMs = 2_000;

/** How long the corpus is waited for after the providers have answered; set by hand: two orders of magnitude above its p50. */
const patienceMs = 5_000;

/** Rejects with the error of the corpus, or with the search's own reason when it was ended. */
export async function searchQuery(context: SearchContext, text: string, scope: Scope): Promise<Found> {
  const web = searchProviders(context, text, scope);
  const [passages, found] = await Promise.all([searchCorpus(context, text, scope, web), web]);
  return { passages, ...found };
}

/**
 * The passages of the corpus alone; they cost nothing. None if the corpus is unreachable or late and `web` had a provider
 * to ask; the state then says so.
 */
export async function searchCorpus(
  context: SearchContext,
  text: string,
  scope: Scope,
  web: Promise<Pick<Found, 'providers'>>,
): Promise<readonly Passage[]> {
  const { state, signal } = context;
  if (state.unavailable.index !== undefined) return [];
  const alarm = setAlarm(web);
  try {
    return await Promise.race([askCorpus(context, text, scope), alarm.late]);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError && error.code === 'overloaded') || (await web).providers === 0) throw error;
    state.unavailable.index = error;
    return [];
  } finally {
    alarm.stop();
  }
}

/**
 * `late` rejects when the corpus is late; it never settles if there is no provider, since there is then nothing to continue
 * with, or once it was stopped.
 */
function setAlarm(web: Promise<Pick<Found, 'providers'>>): { readonly late: Promise<never>; stop(): void } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = ({ providers }: Pick<Found, 'providers'>) => {
      if (providers === 0 || isStopped) return;
      timer = setTimeout(() => reject(storeUnavailable('The index did not answer in time.')), patienceMs);
    };
    // Whatever ends the providers' search ends that of the corpus, too.
    web.then(wait, () => {});
  });
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { late, stop };
}

function askCorpus(
  { ports, job, state, budget, signal }: SearchContext,
  text: string,
  { rules }: Scope,
): Promise<readonly Passage[]> {
  const limit = budget.passages;
  return watchCall(
    job.watch,
    { kind: 'query', source: 'corpus', text, limit },
    () =>
      ports.corpus.search(
        { text, limit, rules, owner: job.owner, ...job.reach, fresh: job.fresh },
        signal,
        createMeter(state),
      ),
    countFound,
  );
}

/** Counts in the usage of the search, and records why each endpoint first failed to help. */
function createMeter({ usage, missed }: ResearchState): FinderMeter {
  const fields = {
    embeddings: { calls: 'embedding_calls', tokens: 'embedding_tokens' },
    rerank: { calls: 'rerank_calls', tokens: 'rerank_tokens' },
  } as const;
  const add = (field: keyof typeof usage & `${string}_${'calls' | 'tokens'}`, count: number) => {
    usage[field] = (usage[field] ?? 0) + count;
  };
  return {
    called: (kind) => add(fields[kind].calls, 1),
    tokens: (kind, count) => add(fields[kind].tokens, count),
    missed(kind, reason) {
      if (!missed.has(kind)) missed.set(kind, reason);
    },
  };
}

/** The results of the providers alone; none if the server does not read the web. */
export async function searchProviders(
  { ports, job, state, budget, signal }: SearchContext,
  text: string,
  scope: Scope,
): Promise<Pick<Found, 'lists' | 'failures' | 'providers'>> {
  const providers = ports.pages === undefined ? [] : (ports.providers ?? []);
  const ready = providers.filter(({ ready: isReady = () => true }) => isReady());
  const failures = new Map<string, SearchEvent>();
  const lateness = createLateness();
  const lists = await Promise.all(
    ready.map((provider) => {
      if (!state.usage.providers.includes(provider.name)) state.usage.providers.push(provider.name);
      return watchCall(
        job.watch,
        { kind: 'query', source: provider.name, text, limit: hitsPerQuery },
        (headers) =>
          provider.search(
            { text, limit: hitsPerQuery, ...scope, late: lateness.signal, headers },
            budget.until('research'),
          ),
        countFound,
      ).then(lateness.answered, (error) => {
        signal.throwIfAborted();
        if (budget.isOver('research')) budget.stop('seconds');
        failures.set(provider.name, providerFailed(provider.name, error));
        return [];
      });
    }),
  ).finally(lateness.stop);
  return { lists, failures, providers: ready.length };
}

/** `signal` fires a while after the first answer that has hits. */
function createLateness() {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: late.signal,
    answered(hits: readonly Hit[]): readonly Hit[] {
      if (hits.length > 0) timer ??= setTimeout(() => late.abort(), lateMs);
      return hits;
    },
    stop: () => clearTimeout(timer),
  };
}

function countFound({ length }: readonly unknown[]): CallOutcome {
  return { found: length };
}

/** Only the message of a `ProviderError` is safe to show. */
function providerFailed(name: string, error: unknown): SearchEvent {
  const why = error instanceof Error && error.name === 'ProviderError' ? error.message : 'it did not answer in time.';
  return { type: 'warning', code: 'provider_failed', message: `${name}: ${why}`.slice(0, 300) };
}
