/** Bootstrap confidence intervals of a score, by resampling hosts rather than pages, since pages of a host are alike. */
import { createRandom } from '../support/random.ts';
import { quantile } from '../support/stats.ts';

/** Set by hand: more change the bounds by less than is shown. */
const draws = 2_000;

/**
 * The 95 % interval of `score` over resamples of as many hosts, with replacement. `hosts` has one entry per page; `score` is
 * given the indexes of the pages drawn. Deterministic.
 */
export function bootstrapInterval(
  hosts: readonly string[],
  score: (pages: readonly number[]) => number,
): [number, number] {
  const pages = new Map<string, number[]>();
  for (const [at, host] of hosts.entries()) pages.set(host, [...(pages.get(host) ?? []), at]);
  const groups = [...pages.values()];
  const random = createRandom(1);
  const scores = Array.from({ length: draws }, () =>
    score(groups.flatMap(() => groups[Math.floor(random() * groups.length)]!)),
  );
  return [quantile(scores, 0.025), quantile(scores, 0.975)];
}
