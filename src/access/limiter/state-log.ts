/** The states of the limiter in the log: each once a minute, because a Redis that answers slowly may change them every few seconds. */
import type { LimiterState } from './fallback.ts';

const everyMs = 60_000;

export interface StateLog {
  changed(state: LimiterState, cause?: unknown): void;
  close(): void;
}

/** `write` gets how often the state changed since it was last called, if that was more than once. */
export function createStateLog(
  write: (state: LimiterState, cause: unknown, repeated: { readonly changes?: number }) => void,
): StateLog {
  const writtenAt = new Map<LimiterState, number>();
  let written: LimiterState | undefined;
  let changes = 0;
  let later: NodeJS.Timeout | undefined;

  function note(state: LimiterState, cause: unknown): void {
    writtenAt.set(state, performance.now());
    written = state;
    write(state, cause, changes > 1 ? { changes } : {});
    changes = 0;
  }

  return {
    changed(state, cause) {
      changes += 1;
      clearTimeout(later);
      const waitMs = (writtenAt.get(state) ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now();
      if (waitMs <= 0) note(state, cause);
      // Unless it changes back until then.
      else if (state !== written) later = setTimeout(() => note(state, cause), waitMs).unref();
    },
    close: () => clearTimeout(later),
  };
}
