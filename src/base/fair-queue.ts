/**
 * Places for work, shared fairly among owners. A free place goes to the waiting owner with the fewest places, then to the
 * one served longest ago, then in order of arrival: however much one owner has waiting, another's first piece of work is
 * next. In case all places are held by slow work, `reserve` more are only for owners that hold none.
 */

export interface FairQueueOptions {
  /** What one owner alone can use. */
  readonly places: number;
  /** Further places, each for an owner that holds no place yet. */
  readonly reserve: number;
  /** Max. places of one owner; as many as there are by default. */
  readonly perOwner?: number;
}

export interface FairQueue {
  /**
   * Resolves with the function that frees the place; rejects with the signal's reason when it fires. Work may have several
   * owners, or none, and their list may change while it waits: of several, the one whose turn comes first counts.
   */
  acquire(owners: readonly string[], signal: AbortSignal): Promise<() => void>;
}

/** Does a step of some work when it is its turn. Rejects with the signal's reason if that fires before. */
export type InTurn = <Result>(step: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** For work that waits for none. */
export const withoutTurns: InTurn = (step) => step();

/** Steps of the owner, each with a place of the queue. */
export function takingTurns(queue: FairQueue, owner: string): InTurn {
  return async (step, signal) => {
    const release = await queue.acquire([owner], signal);
    try {
      return await step();
    } finally {
      release();
    }
  };
}

interface Waiter {
  readonly owners: readonly string[];
  enter(owner: string): void;
}

interface Owner {
  readonly name: string;
  /** The places that it holds. */
  readonly held: number;
  /** The number of the place that it got last, counting all that were ever given. */
  readonly served: number;
}

/** All work without an owner has this one. */
const nobody = [''];

/** A queue in memory. */
export function createFairQueue({ places, reserve, perOwner = Number.POSITIVE_INFINITY }: FairQueueOptions): FairQueue {
  const waiting = new Set<Waiter>();
  const held = new Map<string, number>();
  const served = new Map<string, number>();
  let taken = 0;
  let given = 0;

  function startWaiting(): void {
    for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) {
      waiting.delete(next.waiter);
      next.waiter.enter(next.owner.name);
    }
    if (taken === 0) served.clear();
  }

  function nextWaiter(): { readonly waiter: Waiter; readonly owner: Owner } | undefined {
    if (taken >= places + reserve) return undefined;
    let next: { readonly waiter: Waiter; readonly owner: Owner } | undefined;
    for (const waiter of waiting) {
      for (const name of waiter.owners.length > 0 ? waiter.owners : nobody) {
        const owner = { name, held: held.get(name) ?? 0, served: served.get(name) ?? 0 };
        if (owner.held >= perOwner) continue;
        if (next === undefined || isBefore(owner, next.owner)) next = { waiter, owner };
      }
    }
    return taken < places || next?.owner.held === 0 ? next : undefined;
  }

  function take(owner: string): () => void {
    taken += 1;
    given += 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
    served.set(owner, given);
    return () => {
      taken -= 1;
      const left = held.get(owner)! - 1;
      if (left === 0) held.delete(owner);
      else held.set(owner, left);
      startWaiting();
    };
  }

  return {
    async acquire(owners, signal) {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          owners,
          enter(owner) {
            signal.removeEventListener('abort', leave);
            resolve(take(owner));
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(waiter);
        startWaiting();
      });
    },
  };
}

/** Whether `a` is served before `b`, which arrived earlier. */
function isBefore(a: Owner, b: Owner): boolean {
  return a.held < b.held || (a.held === b.held && a.served < b.served);
}
