/** A run as the chunks of chat completions name it: its id, and its time as the protocols of others count it. */

/** The run, as far as a completion names it. */
export interface NamedRun {
  readonly search_id: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Seconds since 1970 of a time in ISO 8601. */
export function unixTime(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
