/** What axe-core finds wrong with a page as it stands, in its own words; nothing where everyone can use it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[];
}

/** Each rule that is broken, with where and why. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const found = await page.evaluate<Found[]>('axe.run({ resultTypes: ["violations"] }).then((all) => all.violations)');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

/** The same in light and in dark. */
export async function axeFindingsInBothThemes(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change with the next frame, and what they change from is over with the one behind it.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    all.push(...(await axeFindings(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return all;
}
