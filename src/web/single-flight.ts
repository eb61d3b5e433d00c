/**
 * Shares work in progress: callers with the same key wait for one result; the work is aborted when the last caller leaves. The
 * work knows its owners, because it may have to wait for its turn among work for others.
 */
import { untilAborted } from '../base/abort.ts';

export interface SingleFlight<T> {
  run(key: string, owner: string, work: Work<T>, signal: AbortSignal): Promise<T>;
}

/** `owners` are those of the callers that wait for it, and changes with them. */
type Work<T> = (owners: readonly string[], signal: AbortSignal) => Promise<T>;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  readonly owners: string[];
}

/** `run` starts the work or joins it; it rejects with the caller's own signal's reason, or as the work does. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function join(key: string, owner: string, work: Work<T>): Flight<T> {
    const existing = flights.get(key);
    if (existing !== undefined) {
      existing.owners.push(owner);
      return existing;
    }
    const abort = new AbortController();
    const owners = [owner];
    const flight: Flight<T> = { result: work(owners, abort.signal), abort, owners };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    return flight;
  }

  return {
    async run(key, owner, work, signal) {
      signal.throwIfAborted();
      const flight = join(key, owner, work);
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.owners.splice(flight.owners.indexOf(owner), 1);
        if (flight.owners.length === 0 && signal.aborted) {
          flights.delete(key);
          flight.abort.abort(signal.reason);
        }
      }
    },
  };
}
