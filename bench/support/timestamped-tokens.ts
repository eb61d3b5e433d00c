/**
 * Tokens that show a reader how old they are and whether one is missing: `<number>-<µs>`, the number of the token in its
 * stream and when it was written, the last eight digits of the machine's monotonic clock, which all processes share.
 */
const wrap = 100_000_000;

const micros = () => Number((process.hrtime.bigint() / 1000n) % BigInt(wrap));

/** Token `n` of a stream, written now. */
export function createTimestampedToken(n: number): string {
  return `${n}-${micros()}`;
}

export interface TimestampedToken {
  readonly n: number;
  readonly ageMs: number;
}

/** The tokens of a text that contains only whole ones. */
export function readTimestampedTokens(text: string): TimestampedToken[] {
  const now = micros();
  return [...text.matchAll(/(\d+)-(\d+)/g)].map(([, n, at]) => {
    return { n: Number(n), ageMs: ((now - Number(at) + wrap) % wrap) / 1000 };
  });
}
