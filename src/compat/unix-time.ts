/** Seconds since 1970 of a time in ISO 8601, as the protocols of others count them. */
export function unixTime(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
