/**
 * Keeps the events of a search in order, however often the connection was lost and whatever the server merged: each seq
 * once, none missing. A delta that overlaps earlier text is trimmed to what is new, by its `from`.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { connectionFailed } from './citewire-error.ts';

export interface Sequencer {
  /** The last seq that was admitted; resume after it. */
  after(): number;
  /** The frame, or its new part; undefined when all of it was seen. Throws `connection_failed` when events are missing. */
  admit(frame: SearchFrame): SearchFrame | undefined;
  /** Expects another run of the same search, from its first event. */
  restart(): void;
}

/** `begin` is the seq after which reading starts; 0 for the whole log. */
export function createSequencer(begin = 0): Sequencer {
  let last = begin;
  let readFrom = begin;
  /** Characters seen so far, by block. */
  const lengths = new Map<string, number>();

  function unseenPart(frame: SearchFrame): SearchFrame {
    const { first_seq = frame.seq, ...rest } = frame;
    const first = Math.max(first_seq, last + 1);
    const place = first === frame.seq ? {} : { first_seq: first };
    if (rest.type === 'search.restarted') {
      lengths.clear();
      readFrom = 0;
    }
    if (rest.type !== 'answer.delta') return { ...rest, ...place };
    // A reader that joined midway does not know how long the block already was.
    const seen = lengths.get(rest.block) ?? (readFrom > 0 ? rest.from : 0);
    if (rest.from > seen) throw missing(`a block of ${seen} characters continues at ${rest.from}`);
    const text = rest.text.slice(seen - rest.from);
    lengths.set(rest.block, seen + text.length);
    return { ...rest, ...place, from: seen, text };
  }

  return {
    after: () => last,
    admit(frame) {
      if (frame.seq <= last) return undefined;
      if ((frame.first_seq ?? frame.seq) > last + 1) throw missing(`event ${last} was followed by ${frame.seq}`);
      const unseen = unseenPart(frame);
      last = frame.seq;
      return unseen;
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
