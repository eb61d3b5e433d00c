/**
 * The warnings of a search, for protocols without a place of their own for them: their clients pass on fields that they do not
 * know.
 */
import type { SearchEvent, SearchWarning } from '../../protocol/index.ts';

interface ReadableLog {
  head(): number;
  entry(seq: number): { readonly seq: number; readonly event: SearchEvent } | undefined;
}

/** As many as are shown; set by hand. */
const maxWarnings = 20;

/** Those of a log, in its order, as the field of an answer; no field if there are none. */
export function warningsIn(log: ReadableLog): { warnings?: SearchWarning[] } {
  const events: SearchEvent[] = [];
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) events.push(entry.event);
  return warningsOf(events);
}

/** The same of events. */
export function warningsOf(events: readonly SearchEvent[]): { warnings?: SearchWarning[] } {
  const warnings = events.flatMap((event) =>
    event.type === 'warning' ? [{ code: event.code, message: event.message }] : [],
  );
  return warnings.length === 0 ? {} : { warnings: warnings.slice(0, maxWarnings) };
}
