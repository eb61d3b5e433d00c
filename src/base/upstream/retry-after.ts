/** The header `Retry-After` (RFC 9110, 10.2.3): read from upstream answers, written into ours. */

/** Milliseconds from now, 0 or more; undefined where there is no header or it is neither seconds nor a date. */
export function parseRetryAfter(header: string | null | undefined): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // All three forms of an HTTP date begin with a weekday; Date.parse alone would read "-3" as a month.
  const ms = /^[a-z]{3}/i.test(text) ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Whole seconds for a wait of `ms`, rounded up and at least 1, so that nobody comes back too early. */
export function formatRetryAfter(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}
