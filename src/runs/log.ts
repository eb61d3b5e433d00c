/**
 * The log of one search: append-only, dense from seq 1, and the only thing between the engine and any reader. A reader is
 * a cursor: it takes the entries after its seq whenever it can write, so a slow one costs nothing and loses nothing.
 *
 * An entry is one event. It is serialised once, when its first reader takes it, however many readers there are. A log that
 * outgrows its bounds coalesces neighbouring deltas into spans. A span remembers where each of its deltas began, so a
 * cursor within it stays valid. Entries are never dropped.
 */
import { isTerminal, type SearchEvent, type TerminalEvent } from '../../protocol/index.ts';

export interface Entry {
  /** The entry covers `first_seq` to `seq`; they are equal except for a span. */
  readonly first_seq: number;
  readonly seq: number;
  /** ISO 8601 with milliseconds; of a span, that of its last delta. */
  readonly at: string;
  readonly event: SearchEvent;
  /** The offsets in the text of a span at which its deltas begin, in UTF-16 code units. */
  readonly starts?: readonly number[];
}

export interface RunLog {
  readonly search_id: string;
  /** The seq of the newest entry; 0 while empty. */
  head(): number;
  /** The terminal event, once there is one; nothing can be appended after it. */
  terminal(): TerminalEvent | undefined;
  /** Throws after the terminal event. */
  append(event: SearchEvent): void;
  /** Appends an entry copied from the log of another process. Throws unless it directly follows the head. */
  adopt(entry: Entry): void;
  /** The entry that covers this seq; undefined past the head. */
  entry(seq: number): Entry | undefined;
  /** The frame, as JSON, of an entry or of several merged. That of an entry is kept for other readers while there are several. */
  text(entry: Entry): string;
  /** Calls `wake` after every append, synchronously, and counts as a reader of texts; returns a function that stops both. */
  subscribe(wake: (event: SearchEvent) => void): () => void;
  /** Calls `wake` after every append without counting as a reader of texts. */
  watch(wake: (event: SearchEvent) => void): () => void;
}

export interface LogBounds {
  readonly entries: number;
  /** Approximate memory: UTF-16 code units of text, plus a fixed amount per entry. */
  readonly size: number;
}

/** Set by hand. */
const defaultBounds: LogBounds = { entries: 5_000, size: 2 * 1024 * 1024 };
/** The newest entries are not coalesced: readers that keep up are there. Set by hand. */
const uncoalescedTail = 64;
/** Maximum text of a span: one frame, small enough for every socket's write buffer. Set by hand. */
const maxSpanCharacters = 16 * 1024;
/** Assumed size of an entry besides its text, in the unit of `LogBounds.size`. */
const entrySize = 200;

/** An empty log. `clock` returns milliseconds since 1970. */
export function createRunLog(search_id: string, clock: () => number = Date.now, bounds = defaultBounds): RunLog {
  let entries: Entry[] = [];
  let texts = new Map<number, string>();
  let size = 0;
  let head = 0;
  let ending: TerminalEvent | undefined;
  /** The bounds double after each compaction, so entries that cannot be coalesced are not scanned again on every append. */
  let next = bounds;
  const wakes = new Set<(event: SearchEvent) => void>();
  let readers = 0;

  function compact(): void {
    const before = entries.slice(0, -uncoalescedTail);
    entries = [...coalesceAll(before), ...entries.slice(-uncoalescedTail)];
    texts = new Map([...texts].filter(([seq]) => seq > head - uncoalescedTail));
    size = entries.reduce((sum, entry) => sum + sizeOf(entry.event), 0);
    next = { entries: Math.max(bounds.entries, entries.length * 2), size: Math.max(bounds.size, size * 2) };
  }

  function adopt(entry: Entry): void {
    const { event, first_seq, seq } = entry;
    if (ending !== undefined) throw new Error(`search ${search_id} has ended; got ${event.type} after its end`);
    if (first_seq !== head + 1) throw new Error(`search ${search_id}: expected seq ${head + 1}; got ${first_seq}`);
    head = seq;
    entries.push(entry);
    size += sizeOf(event);
    if (isTerminal(event)) ending = event;
    if (entries.length > next.entries || size > next.size) compact();
    for (const wake of wakes) wake(event);
  }

  return {
    search_id,
    head: () => head,
    terminal: () => ending,
    adopt,
    append: (event) => adopt({ first_seq: head + 1, seq: head + 1, at: timestamp(clock()), event }),
    entry: (seq) => (seq < 1 || seq > head ? undefined : entries[indexOf(entries, seq)]),
    text(entry) {
      if (readers < 2 || entry !== entries[indexOf(entries, entry.seq)]) return frameText(search_id, entry);
      const known = texts.get(entry.seq);
      if (known !== undefined) return known;
      const text = frameText(search_id, entry);
      texts.set(entry.seq, text);
      return text;
    },
    subscribe(wake) {
      wakes.add(wake);
      readers += 1;
      return () => {
        if (wakes.delete(wake)) readers -= 1;
      };
    },
    watch(wake) {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
  };
}

/**
 * The frame of an entry as JSON: the event's fields, then its position in the log (`first_seq` only for a span).
 * Concatenated as text, because the position needs no escaping and every token of every search comes through here.
 */
export function frameText(search_id: string, { event, first_seq, seq, at }: Entry): string {
  const first = first_seq === seq ? '' : `"first_seq":${first_seq},`;
  return `${openText(event)},"search_id":"${search_id}",${first}"seq":${seq},"at":"${at}"}`;
}

/** The event as JSON without its closing brace. Only the strings of a delta are escaped: escaping is half its cost. */
function openText(event: SearchEvent): string {
  if (event.type !== 'answer.delta') return JSON.stringify(event).slice(0, -1);
  const { block, from, text } = event;
  return `{"type":"answer.delta","block":${JSON.stringify(block)},"from":${from},"text":${JSON.stringify(text)}`;
}

/**
 * `first` and the deltas of the same block that follow it as one span of at most `maxSpanCharacters`; `first` itself
 * where nothing can be added. `next` returns the entry after a seq.
 */
export function coalesceFrom(first: Entry, next: (seq: number) => Entry | undefined): Entry {
  if (first.event.type !== 'answer.delta') return first;
  let length = first.event.text.length;
  let last = first;
  let entry = next(last.seq);
  // A reader that keeps up takes single entries; this path allocates nothing.
  if (entry === undefined) return first;
  const parts = [first.event.text];
  const starts = [...(first.starts ?? [0])];
  for (; entry !== undefined; entry = next(last.seq)) {
    const { event } = entry;
    if (event.type !== 'answer.delta' || event.block !== first.event.block) break;
    if (length + event.text.length > maxSpanCharacters) break;
    for (const start of entry.starts ?? [0]) starts.push(length + start);
    parts.push(event.text);
    length += event.text.length;
    last = entry;
  }
  if (last === first) return first;
  return { ...last, first_seq: first.first_seq, event: { ...first.event, text: parts.join('') }, starts };
}

/** The part of an entry after the seq `after`: a cursor may lie within a span, or in a part of the log that was given up. */
export function sliceAfter(entry: Entry, after: number): Entry {
  const { event, first_seq } = entry;
  if (after < first_seq) return entry;
  if (event.type !== 'answer.delta') return { ...entry, first_seq: after + 1 };
  const { starts = [0] } = entry;
  const from = starts[after + 1 - first_seq] ?? event.text.length;
  const rest = starts.slice(after + 1 - first_seq).map((start) => start - from);
  return {
    ...entry,
    first_seq: after + 1,
    event: { ...event, from: event.from + from, text: event.text.slice(from) },
    starts: rest,
  };
}

function coalesceAll(entries: readonly Entry[]): Entry[] {
  const spans: Entry[] = [];
  for (let at = 0; at < entries.length; ) {
    const span = coalesceFrom(entries[at]!, () => entries[++at]);
    // The entry that did not fit, if any, begins the next span.
    if (span === entries[at]) at += 1;
    spans.push(span);
  }
  return spans;
}

function sizeOf(event: SearchEvent): number {
  if (event.type === 'answer.delta') return entrySize + event.text.length;
  return event.type === 'search.completed' ? entrySize : 4 * entrySize;
}

/**
 * The index of the entry that covers `seq`, from 1 to the head. Without spans it is `seq - 1`; otherwise it is found by
 * bisection.
 */
export function indexOf(entries: readonly Entry[], seq: number): number {
  let low = 0;
  let high = Math.min(entries.length - 1, seq - 1);
  if (entries[high]!.first_seq <= seq && seq <= entries[high]!.seq) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 of a time in milliseconds since 1970. Events come in bursts, so the last result is kept. */
export function timestamp(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
