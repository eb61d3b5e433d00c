/**
 * The memory that all bodies which are arriving share. When it is full, bodies that have stopped arriving make room for those
 * that move: first those nobody has asked for, whose caller is unknown, then those that have stood still the longest.
 */

/** One body that is arriving, as the budget sees it. */
export interface HeldBody {
  /** Whether it was asked for, which happens once the caller is known. */
  isAsked: boolean;
  /** Gives the body up, which releases it. */
  readonly evict: () => void;
}

export interface BodyBudget {
  /** Holds more of a body. Returns false if there is no room for it. */
  hold(body: HeldBody, bytes: number): boolean;
  /** Frees everything that is held of it. */
  release(body: HeldBody): void;
  /** Bytes held in all. */
  held(): number;
}

/** Set by hand, for the process to stay below 600 MiB: seven bodies of the largest size, or a hundred without an image. */
const defaultCapacity = 100 * 1024 * 1024;
/** A body that has made no progress for this long may be given up; set by hand. */
const stalledMs = 1_000;
/** Bytes that count as progress; set by hand: what the native server demands per second. */
const progressBytes = 16 * 1024;
/** The share that is freed at a time, so that the bodies are not searched for every chunk; set by hand. */
const freedPart = 1 / 16;

interface Held {
  bytes: number;
  /** How many of them are since `movedAt`. */
  progress: number;
  /** When it last made progress. */
  movedAt: number;
}

export interface BodyBudgetOptions {
  /** Bytes; 100 MiB by default. */
  readonly capacity?: number;
  /** In ms. */
  readonly now?: () => number;
}

/** The budget of one server. */
export function createBodyBudget(options: BodyBudgetOptions = {}): BodyBudget {
  const { capacity = defaultCapacity, now = () => performance.now() } = options;
  const bodies = new Map<HeldBody, Held>();
  let total = 0;

  function evictStalledFor(bytes: number): void {
    const before = now() - stalledMs;
    const stalled = [...bodies]
      .filter(([, { movedAt }]) => movedAt <= before)
      .sort(([a, heldA], [b, heldB]) => Number(a.isAsked) - Number(b.isAsked) || heldA.movedAt - heldB.movedAt);
    for (const [body] of stalled) {
      if (total + bytes <= capacity * (1 - freedPart)) return;
      body.evict();
    }
  }

  return {
    hold(body, bytes) {
      if (total + bytes > capacity) evictStalledFor(bytes);
      if (total + bytes > capacity) return false;
      const held = bodies.get(body) ?? { bytes: 0, progress: 0, movedAt: now() };
      bodies.set(body, held);
      held.bytes += bytes;
      held.progress += bytes;
      total += bytes;
      if (held.progress >= progressBytes) {
        held.progress = 0;
        held.movedAt = now();
      }
      return true;
    },
    release(body) {
      total -= bodies.get(body)?.bytes ?? 0;
      bodies.delete(body);
    },
    held: () => total,
  };
}
