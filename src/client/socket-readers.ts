/**
 * The readers of one WebSocket: which search each of them reads, and which have no reply yet. The server has one
 * subscription for each search of a connection, so a search is detached only when nobody reads it here, and nobody may be
 * about to.
 */
import type { Queue } from './queue.ts';

type Reader = Queue<unknown>;

export interface SocketReaders {
  /** A reader whose request has the ref: a resume of `search_id` or, without one, a start. */
  add(ref: string, reader: Reader, search_id: string | undefined): void;
  /** The reader reads nothing more; `ended` if its search has ended. */
  remove(ref: string, ended: boolean): void;
  /** The request was answered: from now on its reader, if it is still there, reads this search. */
  attach(ref: string, search_id: string): void;
  /** The request was refused. */
  refuse(ref: string): void;
  withRef(ref: string): Reader | undefined;
  of(search_id: string): Iterable<Reader>;
  all(): Iterable<Reader>;
  isEmpty(): boolean;
  /** The ref of the only reader without a reply; undefined if there are several. */
  onlyUnanswered(): string | undefined;
}

/** `detach` ends the server's subscription of a search. */
export function createSocketReaders(detach: (search_id: string) => void): SocketReaders {
  const readers = new Map<string, Reader>();
  const bySearch = new Map<string, Set<string>>();
  /** The requests without a reply, and the searches that they are to resume. */
  const unanswered = new Map<string, string | undefined>();
  /** Searches that nobody reads here any more. */
  const left = new Set<string>();

  /** A start may turn out to be of any search, by its idempotency key. */
  function detachLeft(): void {
    for (const search_id of left) {
      const isRead = bySearch.has(search_id);
      if (!isRead && [...unanswered.values()].some((asked) => asked === undefined || asked === search_id)) continue;
      left.delete(search_id);
      if (!isRead) detach(search_id);
    }
  }

  function* of(search_id: string): Iterable<Reader> {
    for (const ref of bySearch.get(search_id) ?? []) yield readers.get(ref)!;
  }

  return {
    add(ref, reader, search_id) {
      readers.set(ref, reader);
      unanswered.set(ref, search_id);
    },
    remove(ref, ended) {
      readers.delete(ref);
      for (const [search_id, refs] of bySearch) {
        if (!refs.delete(ref) || refs.size > 0) continue;
        bySearch.delete(search_id);
        if (!ended) left.add(search_id);
      }
      detachLeft();
    },
    attach(ref, search_id) {
      unanswered.delete(ref);
      if (readers.has(ref)) bySearch.set(search_id, (bySearch.get(search_id) ?? new Set()).add(ref));
      else if (!bySearch.has(search_id)) left.add(search_id);
      detachLeft();
    },
    refuse(ref) {
      unanswered.delete(ref);
      detachLeft();
    },
    withRef: (ref) => readers.get(ref),
    of,
    all: () => readers.values(),
    isEmpty: () => readers.size === 0,
    onlyUnanswered() {
      const waiting = [...unanswered.keys()].filter((ref) => readers.has(ref));
      return waiting.length === 1 ? waiting[0] : undefined;
    },
  };
}
