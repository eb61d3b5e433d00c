/** A search that cannot be resumed is started again: under its own id it goes on, under another one it begins again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage, type SearchFrame } from '../../protocol/index.ts';
import { CitewireError } from '../../src/client/citewire-error.ts';
import { openStream } from '../../src/client/search-stream.ts';
import { ResumeError, type Transport } from '../../src/client/transport.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readAll } from '../support/clients/client-search.ts';
import { readLog, writtenLog } from '../support/written-log.ts';

/** Cuts the first read after `count` frames, cannot resume it, and starts the search `again`. */
function createFailingTransport(
  first: readonly SearchFrame[],
  count: number,
  again: readonly SearchFrame[],
): Transport {
  let reads = 0;
  return {
    async *read({ search_id, onSent, onAttached }) {
      onSent();
      reads += 1;
      if (reads > 1 && search_id !== undefined) throw new ResumeError('seq_ahead');
      const frames = reads === 1 ? first.slice(0, count) : again;
      onAttached(frames[0]!.search_id);
      yield* frames;
      if (reads === 1) throw new CitewireError('connection_failed', 'The connection was cut.', { retryable: true });
    },
  };
}

function read(transport: Transport): Promise<SearchFrame[]> {
  const { stream } = openStream({
    start: { request: { prompt: 'p' }, idempotency_key: 'k', on_disconnect: 'grace' },
    signal: undefined,
    maxRetries: 3,
    backoffMs: 0,
    maxBackoffMs: 0,
    chooseTransport: () => transport,
    sendCancel: () => {},
    readRecord: () => Promise.reject(new Error('there is no record')),
    onPause: () => {},
    onWanted: () => {},
    onEnd: () => {},
  });
  return readAll(stream);
}

/** Each read starts the next of these searches, and gets all of its frames. */
function createRestartingTransport(...searches: (readonly SearchFrame[])[]): Transport {
  return {
    async *read({ search_id, onSent, onAttached }) {
      onSent();
      expect(search_id).toBeUndefined();
      const frames = searches.shift()!;
      onAttached(frames[0]!.search_id);
      yield* frames;
    },
  };
}

describe('a search whose server was stopped before it had ended', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const cancelled = (frames: readonly SearchFrame[], by: 'admin' | 'disconnect'): SearchFrame[] => {
    const [first] = frames;
    return [first!, { type: 'search.cancelled', by, usage: noUsage, search_id: first!.search_id, seq: 2, at }];
  };

  it('begins again at another one', async () => {
    const [whole] = fc.sample(writtenLog, 1).map((log) => readLog(log));
    const other = whole!.map((frame) => ({ ...frame, search_id: 's_other' }));
    const frames = await read(createRestartingTransport(cancelled(whole!, 'admin'), other));
    expect(frames).toEqual([whole![0], ...other]);
  });

  it('ends if it was cancelled for another reason, and when it was stopped too often', async () => {
    const [whole] = fc.sample(writtenLog, 1).map((log) => readLog(log));
    const left = cancelled(whole!, 'disconnect');
    expect(await read(createRestartingTransport(left, whole!))).toEqual(left);
    const stopped = ['a', 'b', 'c', 'd'].map((search_id) =>
      cancelled(whole!, 'admin').map((frame) => ({ ...frame, search_id })),
    );
    const frames = await read(createRestartingTransport(...stopped));
    expect(frames.at(-1)).toEqual(stopped.at(-1)!.at(-1));
  });
});

describe('a search that cannot be resumed', () => {
  it('goes on after the last event where its key still leads to it, and repeats none', async () => {
    const anyCut = fc.record({ log: writtenLog, cut: fc.nat(60) });
    await fc.assert(
      fc.asyncProperty(anyCut, async ({ log, cut }) => {
        const whole = readLog(log);
        const count = 1 + (cut % Math.max(1, whole.length - 1));
        const frames = await read(createFailingTransport(whole, count, whole));
        expectLawful(frames);
        expect(frames.at(-1)).toEqual(whole.at(-1));
      }),
      { numRuns: 100 },
    );
  });

  it('ends with the last event of a shorter log, where the server tells it again from its record', async () => {
    const [whole] = fc.sample(writtenLog, 1).map((log) => readLog(log));
    const retold = [whole![0]!, { ...whole!.at(-1)!, seq: 2 }];
    const count = whole!.length - 1;
    const frames = await read(createFailingTransport(whole!, count, retold));
    expect(frames).toEqual([...whole!.slice(0, count), { ...whole!.at(-1)!, seq: whole![count - 1]!.seq + 1 }]);
  });

  it('begins again where it has another id', async () => {
    // The cut is before the end, or nothing would begin again.
    const anyCut = fc.record({ log: writtenLog, cut: fc.nat(60) });
    await fc.assert(
      fc.asyncProperty(anyCut, async ({ log, cut }) => {
        const whole = readLog(log);
        const count = 1 + (cut % Math.max(1, whole.length - 1));
        const other = whole.map((frame) => ({ ...frame, search_id: 's_other' }));
        const frames = await read(createFailingTransport(whole, count, other));
        expect(frames.slice(0, count)).toEqual(whole.slice(0, count));
        expect(frames.slice(count)).toEqual(other);
      }),
      { numRuns: 100 },
    );
  });
});
