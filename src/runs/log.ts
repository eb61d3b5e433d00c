/**
 * The log of one search: append-only, dense from seq 1, and the only thing between the engine and any reader. A reader is
 * a cursor: it takes what stands behind its seq whenever it has room, so a slow one costs nothing and loses nothing.
 *
 * An entry is one event, written as JSON once, when the first of its readers takes it, however many they are. A log that
 * grows past its bounds joins neighbouring deltas into spans; a span remembers where each of its deltas began, so that a
 * cursor within it is still good. Entries are never dropped.
 */
import { isTerminal, type SearchEvent, type TerminalEvent } from '../../protocol/index.ts';

export interface Entry {
  /** The seqs it stands for, first_seq to seq; one, save for a span. */
  readonly first_seq: number;
  readonly seq: number;
  /** ISO 8601, milliseconds; the last one's. */
  readonly at: string;
  readonly event: SearchEvent;
  /** Of a span: where in its text each of its deltas begins. */
  readonly starts?: readonly number[];
}

export interface RunLog {
  readonly search_id: string;
  /** The seq of the newest entry; 0 while empty. */
  head(): number;
  /** The terminal event, once it stands; nothing can be appended after it. */
  terminal(): TerminalEvent | undefined;
  append(event: SearchEvent): void;
  /** Appends an entry as it stands in the log of another process; it must follow the head. */
  adopt(entry: Entry): void;
  /** The entry that holds this seq, if it stands. */
  entry(seq: number): Entry | undefined;
  /** The entry's frame as JSON text. */
  text(entry: Entry): string;
  /** Calls `wake` after every append, in the same turn; returns what ends that. */
  subscribe(wake: (event: SearchEvent) => void): () => void;
  /** The same, for who takes no texts: those are kept only where several readers do. */
  watch(wake: (event: SearchEvent) => void): () => void;
}

export interface LogBounds {
  readonly entries: number;
  /** Roughly: text in UTF-16 code units, with something for each entry. */
  readonly size: number;
}

const defaultBounds: LogBounds = { entries: 5_000, size: 2 * 1024 * 1024 };
/** The newest entries stay single: readers that keep up are there. */
const kept = 64;
/** Most text of a span: one frame, small enough for any socket's room. */
const spanCharacters = 16 * 1024;
const entrySize = 200;

export function createRunLog(search_id: string, clock: () => number = Date.now, bounds = defaultBounds): RunLog {
  let entries: Entry[] = [];
  let texts = new Map<number, string>();
  let size = 0;
  let head = 0;
  let ending: TerminalEvent | undefined;
  /** Joining is tried again once a log has doubled: what it cannot join it must not look at for every event. */
  let next = bounds;
  const wakes = new Set<(event: SearchEvent) => void>();
  let readers = 0;

  function join(): void {
    const before = entries.slice(0, -kept);
    entries = [...joinDeltas(before), ...entries.slice(-kept)];
    texts = new Map([...texts].filter(([seq]) => seq > head - kept));
    size = entries.reduce((sum, entry) => sum + sizeOf(entry.event), 0);
    next = { entries: Math.max(bounds.entries, entries.length * 2), size: Math.max(bounds.size, size * 2) };
  }

  function adopt(entry: Entry): void {
    const { event, first_seq, seq } = entry;
    if (ending !== undefined) throw new Error(`search ${search_id} has ended; ${event.type} came after it`);
    if (first_seq !== head + 1) throw new Error(`search ${search_id} stands at ${head}; ${first_seq} came after it`);
    head = seq;
    entries.push(entry);
    size += sizeOf(event);
    if (isTerminal(event)) ending = event;
    if (entries.length > next.entries || size > next.size) join();
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
      if (readers < 2) return frameText(search_id, entry);
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
 * A frame: the event with its place in the log behind it. `first_seq` only where it stands for several entries. Put
 * together as text, for the place is of plain letters and every token of every search passes here.
 */
export function frameText(search_id: string, { event, first_seq, seq, at }: Entry): string {
  const first = first_seq === seq ? '' : `"first_seq":${first_seq},`;
  return `${openText(event)},"search_id":"${search_id}",${first}"seq":${seq},"at":"${at}"}`;
}

/** The event as JSON, still open at its end. Of a delta only what needs it is escaped: it is half of what a frame costs. */
function openText(event: SearchEvent): string {
  if (event.type !== 'answer.delta') return JSON.stringify(event).slice(0, -1);
  const { block, from, text } = event;
  return `{"type":"answer.delta","block":${JSON.stringify(block)},"from":${from},"text":${JSON.stringify(text)}`;
}

/** `first` and the deltas of the same block that follow it, `next(seq)` giving the entry behind a seq, as one span. */
export function coalesceFrom(first: Entry, next: (seq: number) => Entry | undefined): Entry {
  if (first.event.type !== 'answer.delta') return first;
  let length = first.event.text.length;
  let last = first;
  let entry = next(last.seq);
  // What keeps up is alone, and nothing is made for it.
  if (entry === undefined) return first;
  const parts = [first.event.text];
  const starts = [...(first.starts ?? [0])];
  for (; entry !== undefined; entry = next(last.seq)) {
    const { event } = entry;
    if (event.type !== 'answer.delta' || event.block !== first.event.block) break;
    if (length + event.text.length > spanCharacters) break;
    for (const start of entry.starts ?? [0]) starts.push(length + start);
    parts.push(event.text);
    length += event.text.length;
    last = entry;
  }
  if (last === first) return first;
  return { ...last, first_seq: first.first_seq, event: { ...first.event, text: parts.join('') }, starts };
}

/** What of a span comes behind `after`: a cursor may stand within it. */
export function sliceAfter(entry: Entry, after: number): Entry {
  const { event, first_seq } = entry;
  if (after < first_seq || event.type !== 'answer.delta') return entry;
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

function joinDeltas(entries: readonly Entry[]): Entry[] {
  const spans: Entry[] = [];
  for (let at = 0; at < entries.length; ) {
    const span = coalesceFrom(entries[at]!, () => entries[++at]);
    // The entry that did not fit, if any, is the next one's first.
    if (span === entries[at]) at += 1;
    spans.push(span);
  }
  return spans;
}

function sizeOf(event: SearchEvent): number {
  if (event.type === 'answer.delta') return entrySize + event.text.length;
  return event.type === 'search.completed' ? entrySize : 4 * entrySize;
}

/** The index of the entry that holds `seq`; entries are in order, and single ones stand `head - length` apart. */
function indexOf(entries: readonly Entry[], seq: number): number {
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

/** ISO 8601 of a time in ms; events come in bursts, and the text of a millisecond is made once. */
export function timestamp(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
