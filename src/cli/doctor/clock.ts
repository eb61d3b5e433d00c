/** The clock of this machine against those that the other checks met: of Redis, Postgres, models and search providers. */
import { type Finding, ok, problem, skipped } from './check.ts';

/** Largest difference that does no harm, ms; set by hand: `Date` headers are in whole seconds, and answers take a while. */
const maxSkewMs = 30_000;

type ReportTime = (from: string, ms: number) => void;

/** Collects times as they come in; `finding` judges the closest of each. */
export function createClockCheck(): { reportTime: ReportTime; finding(): Finding } {
  const skews: { readonly from: string; readonly ms: number }[] = [];
  return {
    reportTime: (from, ms) => void skews.push({ from, ms: Date.now() - ms }),
    finding() {
      const [worst] = [...skews].sort((a, b) => Math.abs(b.ms) - Math.abs(a.ms));
      if (worst === undefined) return skipped('No other machine could be reached to compare the time with.');
      const seconds = Math.round(Math.abs(worst.ms) / 1000);
      const { from } = worst;
      if (Math.abs(worst.ms) <= maxSkewMs) return ok(`It agrees with that of ${from}.`);
      return problem(
        `It is ${seconds} s ${worst.ms > 0 ? 'ahead of' : 'behind'} that of ${from}.`,
        'Synchronize the clocks of both machines with NTP.',
      );
    },
  };
}

/** Wraps a `fetch` so that the `Date` of each answer is reported. */
export function createClockWatch(reportTime: ReportTime): (inner: typeof fetch) => typeof fetch {
  return (inner) => async (input, init) => {
    const response = await inner(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) reportTime(new URL(String(input)).host, date);
    return response;
  };
}
