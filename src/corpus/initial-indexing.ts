/** The progress of the first indexing into an empty index, for searches that would find nothing yet. */
import type { InitialIndexing } from '../engine/ports/corpus.ts';

export interface InitialIndexingTracker {
  /** Undefined if it is not in progress. */
  current(): InitialIndexing | undefined;
  /** Follows it until `work` has settled; `report` says how far it is. */
  follow<Result>(work: (report: (done: number, total: number) => void) => Promise<Result>): Promise<Result>;
}

/** A tracker of at most one at a time. */
export function createInitialIndexingTracker(): InitialIndexingTracker {
  let indexing: InitialIndexing | undefined;
  return {
    current: () => indexing,
    async follow(work) {
      let progress = { done: 0, total: 0 };
      let end: () => void = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      indexing = { progress: () => progress, ended };
      try {
        return await work((done, total) => {
          progress = { done, total };
        });
      } finally {
        indexing = undefined;
        end();
      }
    },
  };
}
