/** Ways to end this process: late, if it does not end by itself, or at once, by a signal. */
import { constants } from 'node:os';
import type { Log } from '../base/log.ts';

/**
 * Ends the process with exit code 1 after this time, ms, unless it has ended before: what does not close, such as a connection to a
 * database that hangs, must not keep it.
 */
export function endProcessAfter(ms: number, log: Pick<Log, 'warn'>): void {
  setTimeout(() => {
    log.warn(`not everything could be closed within ${ms / 1000} s: ending without it; what was not stored is lost`);
    process.stderr.write('', () => process.exit(1));
  }, ms).unref();
}

/**
 * Ends the process immediately, as this signal does where nothing receives it, so that the sender sees that it did: exit would wait
 * for what threads do in a database. The first process of a container is not ended by its own signal, and exits with the same code.
 */
export function endProcessBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
