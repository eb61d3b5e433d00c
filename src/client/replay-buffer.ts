/**
 * The events of a search as they have come so far, and how it ended. Every iteration gets all of them, from the first on,
 * at its own speed; they are kept as long as the feed, and a server's log of a search is bounded.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { CitewireError, fromErrorObject } from './citewire-error.ts';
import { isEnding, type TerminalFrame } from './transport.ts';

export interface Feed {
  readonly frames: readonly SearchFrame[];
  /** What the terminal event gives; rejects with CitewireError when that is not an answer. Need not be listened to. */
  readonly result: Promise<unknown>;
  hasEnded(): boolean;
  /** Ends with a terminal event; what comes after one is left out. */
  push(frame: SearchFrame): void;
  /** Ends without a terminal event: iterations throw this once they have had what there is. */
  fail(error: CitewireError): void;
  /** Ends after the terminal event. `onLeft` is called once, when it has ended or was left early. */
  iterate(onLeft: () => void): AsyncIterator<SearchFrame, undefined>;
}

/** `onEnd` is called once, in the turn in which it ends. */
export function createFeed(onEnd: (terminal: TerminalFrame | undefined) => void = () => {}): Feed {
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
    const over = { done: true, value: undefined } as const;
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
        return over;
      },
      async return() {
        leave();
        wake();
        return over;
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
      if (isEnding(frame)) {
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
