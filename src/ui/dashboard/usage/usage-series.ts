/** Usage as bars: one per minute, quarter of an hour or day, including those without usage. */
import type { AccountUsage, UsageCounts } from '../../../../protocol/index.ts';
import { locale } from '../../language/choice.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';

export type Range = 'hour' | 'day' | 'month';

/** What each counts, from the bottom of a bar up. */
export const measures = {
  calls: ['calls', 'refused'],
  work: ['searches', 'contents'],
  tokens: ['input_tokens', 'output_tokens'],
} as const satisfies Record<string, readonly (keyof UsageCounts)[]>;
export type Measure = keyof typeof measures;

export interface Bar {
  /** Label below the axis. */
  readonly short: string;
  /** Full label, for the tooltip and the table. */
  readonly full: string;
  /** One value per part of the measure. */
  readonly values: readonly number[];
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** How many minutes of usage to request for a range. */
export function minutesOf(range: Range): number {
  return range === 'day' ? 1440 : 60;
}

export function barsOf(usage: AccountUsage, range: Range, measure: Measure): Bar[] {
  const parts: readonly (keyof UsageCounts)[] = measures[measure];
  const valuesOf = (rows: readonly UsageCounts[]) => parts.map((part) => rows.reduce((sum, row) => sum + row[part], 0));
  if (range === 'month') {
    const first = Date.parse(usage.from_day);
    return slots(first, dayMs, 31).map((at) => {
      const day = new Date(at).toISOString().slice(0, 10);
      const name = date.format(at);
      return { short: name, full: `${name} (UTC)`, values: valuesOf(usage.days.filter((row) => row.day === day)) };
    });
  }
  const step = range === 'hour' ? minuteMs : 15 * minuteMs;
  const end = Math.floor(Date.now() / step) * step;
  const count = (minutesOf(range) * minuteMs) / step;
  return slots(end - (count - 1) * step, step, count).map((at) => {
    const rows = usage.minutes.filter(({ minute }) => Date.parse(minute) >= at && Date.parse(minute) < at + step);
    const from = clock.format(at);
    const full = range === 'hour' ? from : fill(t.usage.slot, { from, until: clock.format(at + step) });
    return { short: from, full, values: valuesOf(rows) };
  });
}

function slots(first: number, step: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at * step);
}

/** The sum of all rows. */
export function totalOf(rows: readonly UsageCounts[]): UsageCounts {
  const none: UsageCounts = { calls: 0, refused: 0, searches: 0, contents: 0, input_tokens: 0, output_tokens: 0 };
  return rows.reduce<UsageCounts>(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      refused: sum.refused + row.refused,
      searches: sum.searches + row.searches,
      contents: sum.contents + row.contents,
      input_tokens: sum.input_tokens + row.input_tokens,
      output_tokens: sum.output_tokens + row.output_tokens,
    }),
    none,
  );
}
