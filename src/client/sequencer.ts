/**
 * Keeps the events of a search in order, however often the line was cut and whatever the server joined: each seq once,
 * none left out. A delta that overlaps what came before is cut to what is new, by its `from`.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { connectionFailed } from './citewire-error.ts';

export interface Order {
  /** The last seq that was let through: what to resume behind. */
  after(): number;
  /** The frame, what is new of it, or undefined when all of it was seen. Throws `connection_failed` where some are missing. */
  admit(frame: SearchFrame): SearchFrame | undefined;
  /** Another run of the same search follows, from its first event. */
  restart(): void;
}

export function createOrder(begin = 0): Order {
  let last = begin;
  let readFrom = begin;
  const lengths = new Map<string, number>();

  function newOf(frame: SearchFrame): SearchFrame {
    const { first_seq = frame.seq, ...rest } = frame;
    const first = Math.max(first_seq, last + 1);
    const place = first === frame.seq ? {} : { first_seq: first };
    if (rest.type !== 'answer.delta') return { ...rest, ...place };
    // Who reads on behind the start has not seen how long the block was.
    const have = lengths.get(rest.block) ?? (readFrom > 0 ? rest.from : 0);
    if (rest.from > have) throw missing(`a block of ${have} characters goes on at ${rest.from}`);
    const text = rest.text.slice(have - rest.from);
    lengths.set(rest.block, have + text.length);
    return { ...rest, ...place, from: have, text };
  }

  return {
    after: () => last,
    admit(frame) {
      if (frame.seq <= last) return undefined;
      if ((frame.first_seq ?? frame.seq) > last + 1) throw missing(`event ${last} was followed by ${frame.seq}`);
      const fresh = newOf(frame);
      last = frame.seq;
      return fresh;
    },
    restart() {
      last = 0;
      readFrom = 0;
      lengths.clear();
    },
  };
}

function missing(what: string): Error {
  return connectionFailed(`Events are missing: ${what}.`);
}
