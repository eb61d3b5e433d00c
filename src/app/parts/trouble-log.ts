/** Troubles in the log: each cause once a minute, with how often it came in between. */
import type { Log } from '../../base/log.ts';

const minuteMs = 60_000;

/**
 * A function that logs a trouble of a model as a warning, unless one with the same `causeOf` was logged within the last minute.
 */
export function createTroubleLog(
  log: Pick<Log, 'warn'>,
  causeOf = (model: string, trouble: string): string => `${model} ${trouble}`,
): (model: string, trouble: string) => void {
  const once = createOnceAMinute();
  return (model, trouble) =>
    once(causeOf(model, trouble), (repeated) => log.warn({ model, ...repeated }, `the model failed: ${trouble}`));
}

/** A function that logs a sentence for the operator as a warning, unless it logged the same one within the last minute. */
export function createSentenceLog(log: Pick<Log, 'warn'>): (sentence: string) => void {
  const once = createOnceAMinute();
  return (sentence) => once(sentence, (repeated) => log.warn(repeated, sentence));
}

/** Calls `write` for the first trouble of a cause in a minute, with how many were passed over since the last one. */
function createOnceAMinute(): (cause: string, write: (repeated: { repeated?: number }) => void) => void {
  const causes = new Map<string, { loggedAt: number; repeated: number }>();
  return (cause, write) => {
    const known = causes.get(cause);
    const now = performance.now();
    if (known !== undefined && now - known.loggedAt < minuteMs) {
      known.repeated += 1;
      return;
    }
    // Causes are sentences of this server, of which there are few.
    causes.set(cause, { loggedAt: now, repeated: 0 });
    const repeated = known?.repeated ?? 0;
    write(repeated === 0 ? {} : { repeated });
  };
}
