/** How far a figure may be chance: reckoned again over pages drawn anew, by host, since pages of a host are alike. */
import { createRandom } from '../support/random.ts';
import { quantile } from '../support/stats.ts';

const draws = 2_000;

/** The least and the most of the middle 95 % of `figure` over draws of as many hosts, with repeats; pages by their place. */
export function bootstrapInterval(
  hosts: readonly string[],
  figure: (pages: readonly number[]) => number,
): [number, number] {
  const pages = new Map<string, number[]>();
  for (const [at, host] of hosts.entries()) pages.set(host, [...(pages.get(host) ?? []), at]);
  const groups = [...pages.values()];
  const random = createRandom(1);
  const figures = Array.from({ length: draws }, () =>
    figure(groups.flatMap(() => groups[Math.floor(random() * groups.length)]!)),
  );
  return [quantile(figures, 0.025), quantile(figures, 0.975)];
}
