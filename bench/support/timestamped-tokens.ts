/**
 * Tokens that tell a reader how old they are and whether one is missing: `<number>-<µs>`, the number of the token in its
 * stream and the machine's monotonic clock, which all processes share, when it was written; its last eight digits.
 */
const wrap = 100_000_000;

const micros = () => Number((process.hrtime.bigint() / 1000n) % BigInt(wrap));

export function createTimestampedToken(n: number): string {
  return `${n}-${micros()}`;
}

export interface TimestampedToken {
  readonly n: number;
  readonly ageMs: number;
}

/** The marks of a text that was cut between any two of them. */
export function readTimestampedTokens(text: string): TimestampedToken[] {
  const now = micros();
  return [...text.matchAll(/(\d+)-(\d+)/g)].map(([, n, at]) => {
    return { n: Number(n), ageMs: ((now - Number(at) + wrap) % wrap) / 1000 };
  });
}
