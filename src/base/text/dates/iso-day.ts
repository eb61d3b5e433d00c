/** Days in numbers: as ISO 8601 has them, and as numbers that grow with them. */

/** "2026-03-01"; undefined for a day that no calendar has, such as 31 February. */
export function isoDay(year: number, month: number, day: number): string | undefined {
  const written = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  const at = Date.parse(written);
  // The 31st of February is read as the 2nd of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : undefined;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** 20260301, 20260300 for a month and 20260000 for a year. */
export function dayNumber(year: number, month = 0, day = 0): number {
  return year * 10_000 + month * 100 + day;
}
