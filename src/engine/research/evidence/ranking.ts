/** The passages that a search has found, ranked across all its queries and rounds by reciprocal rank. */
import { passageKey } from '../../../base/snapshot-id.ts';
import type { Budget } from '../../budget.ts';
import type { Evidence, Passage, Snapshot, Standing } from '../../ports/snapshot.ts';
import { fusionScore } from '../fusion.ts';
import { isWithin, type Scope } from '../scope.ts';
import { createNearDuplicates } from './near-duplicates.ts';
import type { Weigh } from './standing.ts';

export interface Ranking {
  /** Number of passages found within the scope's dates. */
  size(scope: Scope): number;
  /** Adds what one query found in this round, best first. */
  add(passages: readonly Passage[], round: number): void;
  /**
   * The best passages within the scope's dates as evidence, nothing twice. `fetched` are the pages that were read from the web,
   * by snapshot id; of all other pages at most `ownPages` are used.
   */
  best(
    budget: Pick<Budget, 'passages'>,
    fetched: ReadonlyMap<string, Snapshot>,
    ownPages: number,
    scope: Scope,
    unread?: Unread,
  ): Evidence[];
}

/** What to show next to a search that takes notes. */
export interface Unread {
  /** What this round found comes first, even if it was shown before: another query wants something else of it. */
  readonly round: number;
  /** Whether a passage was shown before. */
  readonly isRead: (passage: Passage) => boolean;
}

/** A passage with the first and the last round that found it. */
interface Found {
  readonly passage: Passage;
  readonly round: number;
  readonly lastRound: number;
  readonly score: number;
  readonly standing: Standing;
}

/** What the first round found keeps its place; each later round adds at most this many passages after it. Set by hand. */
const maxLaterPassages = 8;

/** An empty ranking, for one search, in which `weigh` moves pages up or down. */
export function createRanking(weigh: Weigh = () => ({ places: 0 })): Ranking {
  /** By snapshot and offset. */
  const ranked = new Map<string, Found>();
  const isLater = ({ round }: Found) => Number(round > 0);

  function candidates(unread: Unread | undefined): Found[] {
    const found = [...ranked.values()];
    if (unread === undefined) return found.sort((a, b) => isLater(a) - isLater(b) || b.score - a.score);
    const isOld = ({ lastRound }: Found) => Number(lastRound < unread.round);
    return found
      .filter((each) => !isOld(each) || !unread.isRead(each.passage))
      .sort((a, b) => isOld(a) - isOld(b) || b.score - a.score);
  }

  return {
    size: (scope) => [...ranked.values()].filter(({ passage }) => isWithin(passage, scope)).length,
    add(passages, round) {
      passages.forEach((passage, rank) => {
        const key = passageKey(passage);
        const known = ranked.get(key) ?? { passage, round, score: 0, standing: weigh(passage) };
        const score = known.score + fusionScore(rank - known.standing.places);
        ranked.set(key, { ...known, lastRound: round, score });
      });
    },
    best(budget, fetched, ownPages, scope, unread) {
      const own = new Set<string>();
      const texts = new Set<string>();
      const near = createNearDuplicates();
      const chosen: Evidence[] = [];
      const later = new Map<number, number>();
      for (const found of candidates(unread)) {
        const { passage } = found;
        const isExtra = unread === undefined && isLater(found) > 0;
        if (isExtra ? later.get(found.round) === maxLaterPassages : chosen.length >= budget.passages) continue;
        const { text, url, snapshot } = passage;
        const isOwn = !fetched.has(snapshot);
        if (!isWithin(passage, scope) || texts.has(text) || near.has(passage)) continue;
        if (isOwn && !own.has(url) && own.size >= ownPages) continue;
        texts.add(text);
        near.add(passage);
        if (isOwn) own.add(url);
        if (isExtra) later.set(found.round, (later.get(found.round) ?? 0) + 1);
        chosen.push({ ...passage, n: chosen.length + 1, standing: found.standing });
      }
      return chosen;
    },
  };
}
