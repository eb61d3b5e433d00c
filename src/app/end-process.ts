/** Ends a process that does not end by itself. */
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
