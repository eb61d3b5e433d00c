/** Loads data from the server when a component is mounted, ignores it once unmounted, and reloads it on demand. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { CitewireError } from '../../client/client.ts';
import { type Explanation, explain } from '../language/describe-error.ts';
import { renewals } from './session.ts';

export interface LoadFailure extends Explanation {
  /** Not where the key or the account may not read it. */
  readonly canRetry: boolean;
}

export interface Loadable<Data> {
  /** The last data loaded; kept during a reload. */
  readonly data: Data | undefined;
  /** Why it could not be loaded. */
  readonly error: LoadFailure | undefined;
  readonly reload: () => void;
  /** How many loads were answered. */
  readonly answers: number;
}

/** Counts how often what could not be loaded is tried again, all of it: mostly it failed for one reason. */
const retries = signal(0);

export function retryFailed(): void {
  retries.value += 1;
}

// The network is back.
addEventListener('online', retryFailed);

/** Loads again when one of `deps` changes, when the user signs in again, and after a failure as soon as it is tried again. */
export function useLoad<Data>(load: () => Promise<Data>, deps: readonly unknown[]): Loadable<Data> {
  const [state, setState] = useState<Omit<Loadable<Data>, 'reload'>>({ data: undefined, error: undefined, answers: 0 });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isGone = false;
    load().then(
      (data) => {
        if (!isGone) setState(({ answers }) => ({ data, error: undefined, answers: answers + 1 }));
      },
      (failure: CitewireError) => {
        const error = { ...explain(failure), canRetry: failure.code !== 'forbidden' };
        if (!isGone) setState(({ data, answers }) => ({ data, error, answers: answers + 1 }));
      },
    );
    return () => {
      isGone = true;
    };
  }, [...deps, round, renewals.value]);
  const { error } = state;
  useEffect(() => {
    if (error === undefined) return undefined;
    const before = retries.peek();
    return retries.subscribe((now) => {
      if (now !== before) setRound((round) => round + 1);
    });
  }, [error]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}

/**
 * Reloads `pauseMs` after each answer, unless it is undefined. Not at intervals: a reload drops what is on its way, so that a
 * server that takes longer than an interval would never be heard.
 */
export function useReload({ answers, reload }: Loadable<unknown>, pauseMs: number | undefined): void {
  useEffect(() => {
    if (answers === 0 || pauseMs === undefined) return;
    const timer = setTimeout(reload, pauseMs);
    return () => clearTimeout(timer);
  }, [answers, pauseMs]);
}

/** Reloads at intervals while the page is visible: for what is answered much sooner than an interval. */
export function useRefresh({ reload }: Loadable<unknown>, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, intervalMs);
    return () => clearInterval(timer);
  }, []);
}
