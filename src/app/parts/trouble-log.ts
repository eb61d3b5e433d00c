/** Troubles with models in the log: each cause once a minute, with how often it came in between. */
import type { Log } from '../../base/log.ts';

const minuteMs = 60_000;

/**
 * A function that logs a trouble of a model as a warning, unless one with the same `causeOf` was logged within the last minute.
 */
export function createTroubleLog(
  log: Pick<Log, 'warn'>,
  causeOf = (model: string, trouble: string): string => `${model} ${trouble}`,
): (model: string, trouble: string) => void {
  const causes = new Map<string, { loggedAt: number; repeated: number }>();
  return (model, trouble) => {
    const cause = causeOf(model, trouble);
    const known = causes.get(cause);
    const now = performance.now();
    if (known !== undefined && now - known.loggedAt < minuteMs) {
      known.repeated += 1;
      return;
    }
    // Causes are sentences of this server, of which there are few.
    causes.set(cause, { loggedAt: now, repeated: 0 });
    const repeated = known?.repeated ?? 0;
    log.warn({ model, ...(repeated === 0 ? {} : { repeated }) }, `the model failed: ${trouble}`);
  };
}
