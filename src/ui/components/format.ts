/** Formats numbers and times for display. */
const numbers = new Intl.NumberFormat('en-GB');
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const dateTimes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

export const formatNumber = (value: number) => numbers.format(value);

/** `12.3k` from 10,000 on. */
export const formatShortNumber = (value: number) => (value < 10_000 ? numbers.format(value) : short.format(value));

export const formatDateTime = (iso: string) => dateTimes.format(new Date(iso));

/** `$0.42`; of small amounts, enough digits to see that they are not nothing. */
export const formatMoney = (value: number, currency: string) =>
  new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    maximumFractionDigits: value > 0 && value < 1 ? 4 : 2,
  }).format(value);

/** "3 minutes ago"; the date after two weeks. */
export function formatAgo(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  if (seconds > -45) return 'just now';
  for (const [unit, size, max] of [
    ['minute', 60, 60],
    ['hour', 3_600, 24],
    ['day', 86_400, 14],
  ] as const) {
    const count = Math.round(seconds / size);
    if (-count < max) return relative.format(count, unit);
  }
  return dateTimes.format(new Date(iso));
}

/** "850 ms", "3.2 s" or "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Bytes in units of 1,000: "14 kB", "3.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  let value = bytes / 1_000;
  let unit = 0;
  for (; value >= 1_000 && unit < 2; unit += 1) value /= 1_000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${['kB', 'MB', 'GB'][unit]}`;
}
