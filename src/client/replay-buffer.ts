/**
 * The events of a search so far, and how it ended. Every iteration gets all of them from the first, at its own pace. They
 * stay in memory as long as the buffer does; the server bounds the log of a search.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { CitewireError, fromErrorObject } from './citewire-error.ts';
import { isTerminal, type TerminalFrame } from './transport.ts';

export interface ReplayBuffer {
  readonly frames: readonly SearchFrame[];
  /** The result in the terminal event; rejects with CitewireError when that is not an answer. May be left unhandled. */
  readonly result: Promise<unknown>;
  hasEnded(): boolean;
  /** A terminal event ends the buffer; frames after it are ignored. */
  push(frame: SearchFrame): void;
  /** Ends without a terminal event: iterations throw `error` once they have yielded every frame. */
  fail(error: CitewireError): void;
  /** Returns after the terminal event. `onLeft` is called once, when the iteration has ended or was left early. */
  iterate(onLeft: () => void): AsyncIterator<SearchFrame, undefined>;
}

/** `onEnd` is called once, synchronously with the push or failure that ends the buffer. */
export function createReplayBuffer(onEnd: (terminal: TerminalFrame | undefined) => void = () => {}): ReplayBuffer {
  const frames: SearchFrame[] = [];
  let ended = false;
  let failure: CitewireError | undefined;
  let waiting: (() => void)[] = [];
  let settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void };
  const result = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject };
  });
  result.catch(() => {});

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  }

  function iterate(onLeft: () => void): AsyncIterator<SearchFrame, undefined> {
    const done = { done: true, value: undefined } as const;
    let at = 0;
    let isOpen = true;
    const leave = () => {
      if (isOpen) onLeft();
      isOpen = false;
    };
    return {
      async next() {
        while (isOpen && at === frames.length && !ended) await new Promise<void>((resolve) => waiting.push(resolve));
        if (isOpen && at < frames.length) return { done: false, value: frames[at++]! };
        const error = isOpen ? failure : undefined;
        leave();
        if (error !== undefined) throw error;
        return done;
      },
      async return() {
        leave();
        wake();
        return done;
      },
    };
  }

  return {
    frames,
    result,
    hasEnded: () => ended,
    push(frame) {
      if (ended) return;
      frames.push(frame);
      if (isTerminal(frame)) {
        ended = true;
        if (frame.type === 'search.completed') settle.resolve(frame.result);
        else settle.reject(errorOf(frame));
        onEnd(frame);
      }
      wake();
    },
    fail(error) {
      if (ended) return;
      ended = true;
      failure = error;
      settle.reject(error);
      onEnd(undefined);
      wake();
    },
    iterate,
  };
}

function errorOf(frame: Exclude<TerminalFrame, { type: 'search.completed' }>): CitewireError {
  if (frame.type === 'search.failed') return fromErrorObject(frame.error);
  return new CitewireError('cancelled', `The search was cancelled (${frame.by}).`);
}
