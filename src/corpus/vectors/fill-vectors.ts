/**
 * Gives each passage a vector, in the background: after indexing, and for what other processes index. Every batch is kept as it
 * comes, so a process that is stopped continues where it was. Of several processes, one at a time fills; the others count.
 */
import { randomUUID } from 'node:crypto';
import { sleep, untilAborted } from '../../base/abort.ts';
import type { Embedder } from '../../engine/ports/embedder.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { IndexReader } from '../search/read-index.ts';
import type { CallWorker } from '../worker-rpc.ts';
import type { PassageToEmbed, VectorState } from './vector-index.ts';

/** How far the vectors of a corpus are, for people. */
export interface VectorProgress extends VectorState {
  readonly model: string;
  /** The last failure of the endpoint, unless it has answered since. */
  readonly failure: { readonly reason: string; readonly at: string } | undefined;
}

export interface VectorFiller {
  /** How far it is, by the last look. */
  state(): VectorProgress;
  /**
   * Begins to fill in the background, until the corpus is closed. Starting it again does nothing. `onUnable` is called once if
   * this corpus cannot keep vectors.
   */
  start(onUnable: (reason: string) => void): void;
  /** Has it look for passages without a vector soon, if it was started. */
  wake(): void;
  /** Whether a search had an answer of the endpoint: `reason` says why it had none. */
  answered(reason: string | undefined): void;
  /** Has it ask the endpoint how long its vectors are, because that of a question had another length than those of the index. */
  suspect(): void;
  /** Ends what it does and leaves the lease to others; to be called before the corpus is closed. */
  stop(): Promise<void>;
  /**
   * Resolves when no passage is without a vector. Rejects with the signal's reason, or with the first failure of the endpoint.
   */
  complete(signal: AbortSignal, onProgress: (state: VectorProgress) => void): Promise<void>;
}

export interface VectorFillerOptions {
  readonly embedder: Embedder;
  /** Notified when the endpoint fails: it is tried again later. */
  readonly onTrouble?: ((error: Error) => void) | undefined;
}

/** Time between two looks for what other processes have indexed; set by hand. */
const lookMs = 15_000;
/**
 * A lease to fill ends by itself this long after it was last renewed: a process that was killed may have left it. Set by
 * hand.
 */
const leaseMs = 15_000;
/** How often it is renewed while the endpoint works; set by hand. */
const renewMs = 4_000;
/** A process that waits for its lease asks this often. Set by hand. */
const askMs = 2_000;
/** All vectors are dropped for their length at most this often: one address may serve two models. Set by hand. */
const dropMs = 600_000;
/** It is asked for the length of its vectors at most this often; set by hand. */
const suspectMs = 60_000;
/** The text sent to learn the length of the endpoint's vectors. */
const sample = 'How long is a vector?';
/** Wait after a failure, doubled with each in a row; set by hand. */
const retryMs = { first: 2_000, max: 300_000 } as const;

/** Begins nothing before it is started. Ends when `closed` fires. */
export function createVectorFiller(
  { embedder, onTrouble = () => {} }: VectorFillerOptions,
  read: CallWorker<IndexReader>,
  write: CallWorker<IndexWriter>,
  closed: AbortSignal,
): VectorFiller {
  const { space, batch } = embedder;
  const holder = randomUUID();
  let state: VectorState = { done: 0, total: 0, dimensions: null, trouble: undefined };
  let failure: VectorProgress['failure'];
  let isSuspect = false;
  let suspectedAt = Number.NEGATIVE_INFINITY;
  let droppedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  const ending = AbortSignal.any([stopping.signal, closed]);
  let wakeUp = new AbortController();

  /** The state for people. */
  const shown = (): VectorProgress => ({ ...state, model: embedder.model, failure });

  function failed(error: Error): void {
    failure = { reason: error.message, at: new Date().toISOString() };
    onTrouble(error);
  }

  /**
   * Notes that all vectors are about to be dropped. Throws if that was so not long ago: making them again may cost money.
   */
  function noteDrop(length: number): void {
    const change = `it returns vectors of ${length} dimensions; those of the index have ${state.dimensions}`;
    if (performance.now() - droppedAt < dropMs) {
      const recently = `less than ${dropMs / 60_000} minutes ago`;
      throw new Error(`${change}; the vectors were last dropped ${recently}, so they are not dropped again yet.`);
    }
    droppedAt = performance.now();
    onTrouble(new Error(`${change}: all passages get new ones.`));
  }

  /** Drops the vectors if the endpoint has others for passages, too. */
  async function verifyLength(signal: AbortSignal): Promise<void> {
    const [vector] = await embedder.documents([sample], signal);
    state = await read('vectorState', space);
    if (vector !== undefined && state.dimensions !== null && state.dimensions !== vector.length) {
      noteDrop(vector.length);
      await write('dropOthers', space, vector.length);
    }
    isSuspect = false;
  }

  /**
   * Looks at all passages once. Resolves with `done` when all have a vector, `other` when it is another process's lease, and
   * `changed` when the index uses another space.
   */
  async function fill(
    signal: AbortSignal,
    onProgress: (state: VectorProgress) => void,
  ): Promise<'done' | 'other' | 'changed'> {
    if (isSuspect) await verifyLength(signal);
    state = await read('vectorState', space);
    onProgress(shown());
    if (state.trouble !== undefined) return 'changed';
    for (let after = 0; ; ) {
      const passages = await read('passagesToEmbed', after, batch);
      const last = passages.at(-1);
      if (last === undefined) return 'done';
      const lease = await write('takeLease', space, holder, leaseMs);
      if (lease !== 'mine') return lease;
      const renewing = setInterval(() => {
        // If something is wrong with the index, keeping the vectors reports it.
        write('takeLease', space, holder, leaseMs).catch(() => {});
      }, renewMs);
      const vectors = await embedder.documents(passages.map(toText), signal).finally(() => clearInterval(renewing));
      const embedded = passages.map(({ snapshot, start }, at) => ({ snapshot, start, vector: vectors[at] }));
      failure = undefined;
      const length = vectors.find((vector) => vector !== undefined)?.length;
      if (length !== undefined && state.dimensions !== null && state.dimensions !== length) noteDrop(length);
      // Vectors of another length: all passages need one again.
      const isKept = await write('putVectors', space, embedded);
      after = isKept ? last.n : 0;
      state = isKept
        ? {
            ...state,
            dimensions: length ?? state.dimensions,
            done: Math.min(state.total, state.done + passages.length),
          }
        : await read('vectorState', space);
      onProgress(shown());
    }
  }

  /** As `fill`; leaves the lease at the end, whatever the outcome. */
  async function fillUnderLease(signal: AbortSignal, onProgress: (state: VectorProgress) => void) {
    try {
      return await untilAborted(fill(signal, onProgress), signal);
    } finally {
      // A lease of no time. If this fails, the lease ends by itself.
      await write('takeLease', space, holder, 0).catch(() => {});
    }
  }

  async function run(onUnable: (reason: string) => void): Promise<void> {
    let isOurs = false;
    for (let failures = 0; !ending.aborted; ) {
      let wait: number = lookMs;
      // Whatever is indexed from here on is found by this look, or wakes up the next.
      wakeUp = new AbortController();
      try {
        if (!isOurs) await write('useSpace', space);
        isOurs = true;
        const ended = await fillUnderLease(ending, () => {});
        if (ended === 'changed') return state.trouble === undefined ? undefined : onUnable(state.trouble);
        if (ended === 'done') await untilAborted(write('indexVectors'), ending);
        failures = 0;
        if (ended === 'other') wait = askMs;
      } catch (error) {
        if (ending.aborted) return;
        failed(error as Error);
        const { retryAfterMs } = error as { retryAfterMs?: number };
        wait = Math.min(retryMs.max, retryAfterMs ?? retryMs.first * 2 ** failures);
        failures += 1;
      }
      // A failing endpoint is not asked sooner because something was indexed.
      await sleep(wait, failures > 0 ? ending : AbortSignal.any([ending, wakeUp.signal])).catch(() => {});
    }
  }

  return {
    state: shown,
    answered(reason) {
      failure = reason === undefined ? undefined : { reason, at: new Date().toISOString() };
    },
    suspect() {
      if (performance.now() - suspectedAt < suspectMs) return;
      suspectedAt = performance.now();
      isSuspect = true;
      wakeUp.abort();
    },
    start(onUnable) {
      running ??= run(onUnable);
    },
    wake: () => wakeUp.abort(),
    async stop() {
      stopping.abort(new Error('The corpus is being closed.'));
      await running;
    },
    async complete(signal, onProgress) {
      const either = AbortSignal.any([signal, ending]);
      await write('useSpace', space);
      for (;;) {
        const ended = await fillUnderLease(either, onProgress);
        if (ended !== 'other') return;
        await sleep(askMs, either);
      }
    },
  };
}

/** The words above a passage say what it is about. */
function toText({ title, headings, text }: PassageToEmbed): string {
  return [title, headings, text].filter((part) => part !== '').join('\n');
}
