/**
 * The memory that bodies take from their first byte until they have been extracted, which may be long when pages wait for
 * their turn. It is bounded: a page beyond the bound is refused, and not made to wait, because it would hold its connection
 * meanwhile. Owners who hold little have a reserve, so that the large pages of one do not keep others from reading theirs.
 */
import { AppError } from '../../base/errors.ts';

export interface BodyMemoryOptions {
  /** Max. bytes of all bodies together. */
  readonly maxBytes: number;
  /** Further bytes beyond that, for owners that hold no more than `ownBytes`. */
  readonly reserveBytes: number;
  readonly ownBytes: number;
  /** What is counted, for the message when there is no room. */
  readonly what: string;
}

export interface HeldBody {
  /** Counts further bytes; throws an AppError `overloaded` when there is no room for them. */
  take(bytes: number): void;
  /** Must be called once when the body is no longer needed. */
  release(): void;
}

export interface BodyMemory {
  /** A body that counts for those of `owners`, a list that may change, who hold little; else for the first. */
  hold(owners: readonly string[]): HeldBody;
}

const megabyte = 1024 * 1024;
/**
 * Together with what a server needs anyway, this stays below 600 MB. The last limit is one page of the largest kind. All
 * set by hand.
 */
const usual: BodyMemoryOptions = {
  maxBytes: 192 * megabyte,
  reserveBytes: 64 * megabyte,
  ownBytes: 20 * megabyte,
  what: 'large pages',
};

/** Counts bodies; 192 MiB and a reserve of 64 MiB by default. */
export function createBodyMemory(options: BodyMemoryOptions = usual): BodyMemory {
  const { maxBytes, reserveBytes, ownBytes, what } = options;
  const heldBy = new Map<string, number>();
  let total = 0;

  function add(owner: string, bytes: number): void {
    total += bytes;
    const held = (heldBy.get(owner) ?? 0) + bytes;
    if (held === 0) heldBy.delete(owner);
    else heldBy.set(owner, held);
  }

  return {
    hold(owners) {
      const taken = new Map<string, number>();
      return {
        take(bytes) {
          const small = owners.find((each) => (heldBy.get(each) ?? 0) + bytes <= ownBytes);
          if (total + bytes > maxBytes + (small === undefined ? 0 : reserveBytes)) throw full(what);
          const owner = small ?? owners[0] ?? '';
          add(owner, bytes);
          taken.set(owner, (taken.get(owner) ?? 0) + bytes);
        },
        release() {
          for (const [owner, bytes] of taken) add(owner, -bytes);
          taken.clear();
        },
      };
    },
  };
}

function full(what: string): AppError {
  const message = `The server is reading as many ${what} as it has memory for.`;
  return new AppError('overloaded', message, { retry_after_ms: 5_000 });
}
