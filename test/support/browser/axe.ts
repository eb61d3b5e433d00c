/** The accessibility violations that axe-core finds in the current state of a page, in its own words. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
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

/** The rules to run: all, those whose result depends on colours, or the others. */
type Rules = 'all' | 'colours' | 'layout';

/** The rules that depend on colours, the slowest by far: three quarters of the time on a page of 18,000 elements. */
const ofColours = ['color-contrast', 'link-in-text-block'];

const optionsOf: Readonly<Record<Rules, axe.RunOptions>> = {
  all: {},
  colours: { runOnly: { type: 'rule', values: ofColours } },
  layout: { rules: Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])) },
};

/** Half of what the package's main file takes to send to a browser and to parse there. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each violation with its rule, its place and why. */
async function axeFindings(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // It stays in a page until another is opened.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...optionsOf[rules] });
  const found = await page.evaluate<Found[]>(`axe.run(${options}).then((all) => all.violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

/** Colours start to change with the next frame; then waits for every transition, except endless animations. */
const coloursSettled = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished)))`;

/** Everything in light mode; in dark mode what depends on colours, as the rest is the same. */
export async function axeFindingsInBothThemes(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(coloursSettled);
    all.push(...(await axeFindings(page, rules)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return all;
}

/** Everything but colours: for another width of a page whose colours were checked at one. */
export function axeFindingsOfLayout(page: Page): Promise<string[]> {
  return axeFindings(page, 'layout');
}
