/**
 * The web's part of a round: every query to every provider at the same time, their lists merged by reciprocal rank, then
 * the best pages read. What a provider or a page fails at costs the search what it would have brought, and is said in a
 * warning. Only addresses that came from a provider, or stand in the request itself, are opened.
 */
import { allows, type SearchEvent, type SearchRequest, type SourceRules } from '../../protocol/index.ts';
import type { Budget } from './budget.ts';
import { canonicalUrl } from './canonical-url.ts';
import { fusionScore } from './fusion.ts';
import type { Snapshot } from './ports/snapshot.ts';
import type { Hit, PageReader, WebSearch } from './ports/web.ts';
import type { Scope } from './scope.ts';
import type { SearchState } from './search-state.ts';

export interface WebTask {
  readonly providers: readonly WebSearch[];
  readonly pages: PageReader;
  readonly budget: Budget;
  readonly state: SearchState;
  readonly signal: AbortSignal;
}

const hitsPerQuery = 10;
/** Pages read at the same time; a round reads at most `pagesPerRound`. */
const readersAtOnce = 6;
const pagesPerRound = 10;
const pageMs = 12_000;
const progressMs = 250;

export function createWebResearch({ providers, pages, budget, state, signal }: WebTask) {
  /** Pages read or tried, by their canonical address. */
  const opened = new Set<string>();

  return {
    /** What the providers have for the queries, best first; and how many of those that were asked failed. */
    async find(
      queries: readonly string[],
      scope: Scope,
    ): Promise<{ hits: Hit[]; asked: number; failures: SearchEvent[] }> {
      const ready = providers.filter(({ ready = () => true }) => ready());
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
      return { hits: mergeHits(lists, scope.rules), asked: ready.length, failures: [...failures.values()] };
    },

    /** Reads the best of what is not read yet. The pages that could be read, in the order of `hits`. */
    async *read(hits: readonly Hit[], rules: SourceRules): AsyncGenerator<SearchEvent, StepOutcome> {
      const wanted = hits.filter((hit) => {
        const key = canonicalUrl(hit.url);
        return key !== undefined && !opened.has(key);
      });
      const targets = wanted.slice(0, Math.max(0, Math.min(pagesPerRound, budget.pagesLeft())));
      if (targets.length === 0 && wanted.length > 0) budget.stop('pages');
      const step_id = state.currentStep();
      const read: (Snapshot | undefined)[] = [];
      const failed: SearchEvent[] = [];
      const pending = new Set<Promise<void>>();
      let next = 0;
      let done = 0;
      let told = performance.now();

      const open = async (at: number, { url }: Hit) => {
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(new Error('timeout')), pageMs);
        try {
          const either = AbortSignal.any([budget.until('research'), limit.signal]);
          const { snapshot, info } = await pages.read(url, { rules }, either);
          if (info.from_cache) state.usage.cache_hits += 1;
          if (allows(rules, snapshot.url)) read[at] = snapshot;
        } catch (error) {
          if (budget.isOver('research')) budget.stop('seconds');
          failed.push(pageFailed(url, limit.signal.aborted ? undefined : error));
        } finally {
          clearTimeout(timer);
          done += 1;
        }
      };

      while (next < targets.length || pending.size > 0) {
        while (next < targets.length && pending.size < readersAtOnce && !budget.isOver('research')) {
          opened.add(canonicalUrl(targets[next]!.url)!);
          state.usage.pages += 1;
          const reading: Promise<void> = open(next, targets[next]!).finally(() => pending.delete(reading));
          pending.add(reading);
          next += 1;
        }
        if (pending.size === 0) break;
        await Promise.race(pending);
        signal.throwIfAborted();
        if (performance.now() - told > progressMs && done < targets.length) {
          told = performance.now();
          yield { type: 'step.progress', step_id, done, total: targets.length };
        }
      }
      yield* failed;
      const value = read.filter((snapshot) => snapshot !== undefined);
      return { value, summary: `${value.length} of ${targets.length} pages read` };
    },
  };
}

interface StepOutcome {
  readonly value: readonly Snapshot[];
  readonly summary: string;
}

/** One hit a page, under the address it was first seen with; what the rules leave out is left out here too. */
export function mergeHits(lists: readonly (readonly Hit[])[], rules: SourceRules): Hit[] {
  const merged = new Map<string, { hit: Hit; score: number }>();
  for (const hits of lists) {
    hits.forEach((hit, rank) => {
      const key = canonicalUrl(hit.url);
      if (key === undefined || !allows(rules, hit.url)) return;
      const known = merged.get(key);
      merged.set(key, { hit: known?.hit ?? hit, score: (known?.score ?? 0) + fusionScore(rank) });
    });
  }
  return [...merged.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/** Pages that the request names itself: whole addresses in its whitelist and in its prompt. */
export function hitsNamedBy(request: SearchRequest, rules: SourceRules): Hit[] {
  const listed = (request.source_whitelist ?? []).filter((entry) => /^https?:\/\/[^/]+\/./i.test(entry));
  return mergeHits([urlsIn(listed.join(' ')), urlsIn(request.prompt)], rules);
}

/** Addresses that a text names itself. */
function urlsIn(text: string): Hit[] {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'`)\]}]+/gi) ?? [];
  return [...new Set(found)]
    .slice(0, 5)
    .map((url) => ({ url: url.replace(/[.,;:!?]{1,20}$/, ''), title: '', snippet: '' }));
}

function providerFailed(name: string, error: unknown): SearchEvent {
  const why = error instanceof Error && error.name === 'ProviderError' ? error.message : 'it did not answer in time.';
  return { type: 'warning', code: 'provider_failed', message: `${name}: ${why}`.slice(0, 300) };
}

function pageFailed(url: string, error: unknown): SearchEvent {
  const why =
    error instanceof Error && /^(?:Page|App)Error$/.test(error.name) ? error.message : 'The page did not come in time.';
  const shown = `${new URL(url).host}${new URL(url).pathname}`.slice(0, 120);
  return { type: 'warning', code: 'source_unreachable', message: `${shown}: ${why}`.slice(0, 300) };
}
