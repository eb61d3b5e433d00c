/** What is stored of a source around the end of its indexing, over a writer whose steps the test ends one by one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IndexWriter } from '../../../src/corpus/index/write-index.ts';
import { followSource } from '../../../src/corpus/ingest/follow-source.ts';
import { createTally, type IndexProgress } from '../../../src/corpus/ingest/tally.ts';
import type { CallWorker } from '../../../src/corpus/worker-rpc.ts';
import { createDeferred } from '../../support/deferred.ts';

const source = { kind: 'url', url: 'https://a.example/' } as const;
const longerThanHeartbeatMs = 60_000;

/** A writer that stores nothing. `calls` begin with their state; a call of `slow` ends after a minute. */
function recordWrites(slow: string) {
  const calls: string[] = [];
  const write = async (method: string, _name: string, change: { state?: string } = {}) => {
    const call = change.state === undefined ? method : `${method} ${change.state}`;
    calls.push(call);
    if (call === slow) await new Promise((resolve) => setTimeout(resolve, longerThanHeartbeatMs));
    calls.push(`${call}: done`);
    return true;
  };
  return { calls, write: write as unknown as CallWorker<IndexWriter> };
}

describe('a source that is followed while it is indexed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is not noted as being indexed while its end is stored', async () => {
    const { calls, write } = recordWrites('settleSource ready');
    const ingest = async () => createTally(undefined).progress();
    const followed = followSource(source, { owner: undefined, signal: new AbortController().signal, ingest }, write);
    await vi.advanceTimersByTimeAsync(2 * longerThanHeartbeatMs);
    await followed;
    expect(calls.slice(-2)).toEqual(['settleSource ready', 'settleSource ready: done']);
  });

  it('is left waiting at shutdown, not noted as being indexed afterwards', async () => {
    const { calls, write } = recordWrites('noteSource waiting');
    const stop = new AbortController();
    const ingest = async () => {
      stop.abort(new Error('The server stops.'));
      throw stop.signal.reason;
    };
    const followed = followSource(source, { owner: undefined, signal: stop.signal, wasAdded: true, ingest }, write);
    const rejected = expect(followed).rejects.toThrow('The server stops.');
    await vi.advanceTimersByTimeAsync(2 * longerThanHeartbeatMs);
    await rejected;
    expect(calls.slice(-2)).toEqual(['noteSource waiting', 'noteSource waiting: done']);
  });

  it('is settled once every note of its progress is stored, whatever came after it', async () => {
    const { calls, write } = recordWrites('');
    const first = createDeferred();
    let notes = 0;
    const slowFirst = ((method: string, ...rest: unknown[]) => {
      if (method === 'noteSource' && ++notes === 1) return first.promise.then(() => true);
      return (write as unknown as (...all: unknown[]) => Promise<unknown>)(method, ...rest);
    }) as unknown as CallWorker<IndexWriter>;
    const ingest = async (onProgress: (progress: IndexProgress) => void) => {
      await new Promise((resolve) => setTimeout(resolve, longerThanHeartbeatMs));
      onProgress(createTally(undefined).progress());
      return createTally(undefined).progress();
    };
    const { signal } = new AbortController();
    const followed = followSource(source, { owner: undefined, signal, ingest }, slowFirst);
    await vi.advanceTimersByTimeAsync(2 * longerThanHeartbeatMs);
    expect(notes).toBeGreaterThan(1);
    expect(calls).not.toContain('settleSource ready');
    first.resolve();
    await followed;
    expect(calls.at(-1)).toBe('settleSource ready: done');
  });
});
