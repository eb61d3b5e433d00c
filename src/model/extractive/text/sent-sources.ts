/**
 * Sends sources to worker threads without the texts that they already have: the same passages come back in one search after
 * another, and copying their texts was a fifth of the main thread's work for a search. A thread that lacks a text says so,
 * and is then sent all of them.
 */
import { LRUCache } from 'lru-cache';
import type { Source } from './passages.ts';

/** A source on its way to a worker. */
export interface SentSource extends Omit<Source, 'text'> {
  /** Absent if the thread has probably been sent it before. */
  readonly text: string | undefined;
  /** Of the text, UTF-16 code units. */
  readonly length: number;
}

/** Passages; as many as text/passages.ts keeps prepared. */
const maxKept = 4000;

/** The sender's end, one for a pool: remembers what was sent. With `isWhole` every text is sent. */
export function createSourceSender(): (sources: readonly Source[], isWhole: boolean) => SentSource[] {
  const sent = new LRUCache<string, true>({ max: maxKept });
  return (sources, isWhole) =>
    sources.map(({ text, ...rest }) => {
      const { length } = text;
      const key = keyOf(rest.snapshot, rest.start, length);
      const isSent = sent.get(key) === true;
      if (!isSent) sent.set(key, true);
      return { ...rest, text: isSent && !isWhole ? undefined : text, length };
    });
}

const texts = new LRUCache<string, string>({ max: maxKept });

/** The thread's end: the sources with their texts, or undefined if one of them is not here. */
export function receiveSources(sources: readonly SentSource[]): Source[] | undefined {
  const received: Source[] = [];
  for (const { length, text: sent, ...source } of sources) {
    const key = keyOf(source.snapshot, source.start, length);
    const text = sent ?? texts.get(key);
    if (text === undefined) return undefined;
    if (sent !== undefined) texts.set(key, sent);
    received.push({ ...source, text });
  }
  return received;
}

/** A snapshot never changes, so a place in it is always the same text. */
function keyOf(snapshot: string, start: number, length: number): string {
  return `${snapshot}:${start}:${length}`;
}
