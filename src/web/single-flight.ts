/** Shares work in progress: callers with the same key wait for one result; the work is aborted when the last caller leaves. */
import { untilAborted } from '../base/abort.ts';

export interface SingleFlight<T> {
  run(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** `run` starts the work or joins it; it rejects with the caller's own signal's reason, or as the work does. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function join(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const existing = flights.get(key);
    if (existing !== undefined) return existing;
    const abort = new AbortController();
    const flight: Flight<T> = { result: work(abort.signal), abort, waiting: 0 };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    return flight;
  }

  return {
    async run(key, work, signal) {
      signal.throwIfAborted();
      const flight = join(key, work);
      flight.waiting += 1;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0 && signal.aborted) {
          flights.delete(key);
          flight.abort.abort(signal.reason);
        }
      }
    },
  };
}
