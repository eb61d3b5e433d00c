/** A time in milliseconds since 1970 as ISO 8601 in UTC, as records have it. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
