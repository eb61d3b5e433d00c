/** Work that callers share: those who ask while it is being done wait for the same result. */

export interface SingleFlight<Result> {
  /** The result of the work that is being done, or of new work. Rejects as the work does, for all who wait for it. */
  (): Promise<Result>;
  /** The work that is being done; undefined while there is none. */
  readonly current: Promise<Result> | undefined;
}

/** Does `work` once at a time. */
export function createSingleFlight<Result>(work: () => Promise<Result>): SingleFlight<Result> {
  let current: Promise<Result> | undefined;
  const ask = () => {
    current ??= work().finally(() => {
      current = undefined;
    });
    return current;
  };
  return Object.defineProperty(ask, 'current', { get: () => current }) as SingleFlight<Result>;
}
