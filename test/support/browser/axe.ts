/** The accessibility violations that axe-core finds in the current state of a page, in its own words. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[];
}

/** No violation, and nothing that makes the page scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(over).toBeLessThanOrEqual(0);
}

/** Each violation with its rule, its place and why. */
async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Found[]>('axe.run({ resultTypes: ["violations"] }).then((all) => all.violations)');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

/** Colours start to change with the next frame; then waits for every transition, except endless animations. */
const coloursSettled = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished)))`;

/** The same in light and in dark mode. */
export async function axeFindingsInBothThemes(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(coloursSettled);
    all.push(...(await axeFindings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return all;
}
