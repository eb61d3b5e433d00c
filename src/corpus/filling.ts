/** The progress of the first filling of an empty index, for searches that would find nothing yet. */
import type { Filling } from '../engine/ports/corpus.ts';

export interface FillingTracker {
  /** Undefined if the index is not being filled. */
  current(): Filling | undefined;
  /** Follows a filling until `work` has settled; `report` says how far it is. */
  follow<Result>(work: (report: (done: number, total: number) => void) => Promise<Result>): Promise<Result>;
}

/** A tracker of at most one filling at a time. */
export function createFillingTracker(): FillingTracker {
  let filling: Filling | undefined;
  return {
    current: () => filling,
    async follow(work) {
      let progress = { done: 0, total: 0 };
      let end: () => void = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      filling = { progress: () => progress, ended };
      try {
        return await work((done, total) => {
          progress = { done, total };
        });
      } finally {
        filling = undefined;
        end();
      }
    },
  };
}
