/**
 * The log of one search: append-only, dense from seq 1, and the only thing between the engine and any reader. A reader is
 * a cursor: it takes the entries behind its seq whenever it has room, so a slow one costs nothing and loses nothing.
 * Each entry is written as JSON once, when the first reader takes it, however many readers there are.
 */
import { isTerminal, type SearchEvent, type TerminalEvent } from '../../protocol/index.ts';

export interface Entry {
  readonly seq: number;
  /** ISO 8601, milliseconds. */
  readonly at: string;
  readonly event: SearchEvent;
}

export interface RunLog {
  readonly search_id: string;
  /** The seq of the newest entry; 0 while empty. */
  head(): number;
  /** The terminal event, once it stands; nothing can be appended after it. */
  terminal(): TerminalEvent | undefined;
  append(event: SearchEvent): void;
  /** The entry with this seq, if it stands. */
  entry(seq: number): Entry | undefined;
  /** The entry's frame as JSON text. */
  text(entry: Entry): string;
  /** Calls `wake` after every append, in the same turn; returns what ends that. */
  subscribe(wake: (event: SearchEvent) => void): () => void;
}

export function createRunLog(search_id: string, clock: () => number = Date.now): RunLog {
  const entries: Entry[] = [];
  const texts: (string | undefined)[] = [];
  const wakes = new Set<(event: SearchEvent) => void>();
  let ending: TerminalEvent | undefined;

  return {
    search_id,
    head: () => entries.length,
    terminal: () => ending,
    append(event) {
      if (ending !== undefined) throw new Error(`search ${search_id} has ended; ${event.type} came after it`);
      entries.push({ seq: entries.length + 1, at: timestamp(clock()), event });
      if (isTerminal(event)) ending = event;
      for (const wake of wakes) wake(event);
    },
    entry: (seq) => entries[seq - 1],
    text(entry) {
      return (texts[entry.seq - 1] ??= frameText(search_id, entry));
    },
    subscribe(wake) {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
  };
}

/** A frame: the event with its place in the log. `first_seq` only where it stands for several entries. */
export function frameText(search_id: string, entry: Entry, first_seq?: number): string {
  const { type, ...payload } = entry.event;
  const place = { search_id, ...(first_seq === undefined ? {} : { first_seq }), seq: entry.seq, at: entry.at };
  return JSON.stringify({ type, ...place, ...payload });
}

let lastMs = 0;
let lastText = '';

/** ISO 8601 of a time in ms; events come in bursts, and the text of a millisecond is made once. */
export function timestamp(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
