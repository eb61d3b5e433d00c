/** The order in which sentences say the words of a claim, and how far apart. */
import type { Candidate } from '../closest-sentences.ts';
import type { Reading } from '../reading/reading.ts';

/** Where the words of a claim are in its source: indices of tokens, both inclusive, and the clauses that have them. */
export interface Stretch {
  readonly low: number;
  readonly high: number;
  readonly clauses: ReadonlySet<number | undefined>;
}

/** `content` is the number of content words of the claim, at least 1. */
export function orderFeatures(
  claim: Reading,
  { reading: source, alignment }: Candidate,
  content: number,
): { row: number[]; stretch: Stretch } {
  const { matches, reverse } = alignment;
  const pairs = [...matches]
    .filter(([at, { relation }]) => claim.tokens[at]!.kind !== 'light' && relation !== 'rival')
    .sort((a, b) => a[0] - b[0]);
  let [inverted, names, near, nearTurned, apart, parted] = [0, 0, 0, 0, 0, 0];
  for (const [index, [at, { at: to }]] of pairs.entries()) {
    const next = pairs[index + 1];
    if (next !== undefined) {
      const gap = next[1].at - to;
      if (gap > 0 && gap <= 4 && source.clauses[to] === source.clauses[next[1].at]) near += 1;
      if (gap < 0 && gap >= -6) nearTurned += 1;
      if (claim.clauses[at] === claim.clauses[next[0]] && source.clauses[to] !== source.clauses[next[1].at]) {
        apart += 1;
        const [from, until] = [Math.min(to, next[1].at), Math.max(to, next[1].at)];
        if (source.tokens.slice(from, until).some(({ text }) => text === '.' || text === ';')) parted += 1;
      }
    }
    for (const [other, { at: there }] of pairs.slice(index + 1)) {
      if (there >= to) continue;
      inverted += 1;
      if (claim.isName[at] && claim.isName[other]) names += 1;
    }
  }
  const possible = Math.max(1, (pairs.length * (pairs.length - 1)) / 2);
  const places = pairs.map(([, { at }]) => at);
  const [low, high] = [Math.min(...places, source.tokens.length), Math.max(...places, 0)];
  const clauses = new Set(places.map((at) => source.clauses[at]));
  const unsaid = source.words.filter(
    (at) => at > low && at < high && !reverse.has(at) && source.tokens[at]!.kind === 'content',
  ).length;
  const row = [
    inverted / possible,
    inverted,
    names,
    near / Math.max(1, pairs.length - 1),
    nearTurned,
    apart,
    parted,
    clauses.size,
    (high - low) / Math.max(1, claim.tokens.length),
    unsaid / content,
    new Set(claim.clauses).size,
  ];
  return { row, stretch: { low, high, clauses } };
}
