/** The forms of designs and published APIs, used with the keyboard alone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { headingOf, openDashboard } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const design = {
  name: 'Who designed it',
  prompt: 'Who designed the {{building}} in {{place}}?',
  inputs: { building: { type: 'string' }, place: { type: 'string', required: false } },
  output_format: { designer: 'string', year: 'number' },
  examples: [{ inputs: { building: 'Heron Point Lighthouse' } }, { inputs: { building: 'Kettle' } }],
};

describe.skipIf(hasNoBrowser)('by keyboard', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  let designs = 0;
  async function openDesign() {
    designs += 1;
    const response = await app.post('/v1/design-api', { ...design, api_stub: `by-keyboard-${designs}` });
    expect(response.status).toBe(201);
    const { api_id } = (await response.json()) as { api_id: string };
    const opened = await openDashboard(browser, app, `/designs/${api_id}`);
    await headingOf(opened, design.name).waitFor();
    return opened;
  }
  const tryIt = (page: Page) => page.getByRole('region', { name: 'Try it' });
  /** The name or the text of what has the focus. */
  const focused = (page: Page) =>
    page.evaluate<string>(
      `(({ activeElement: it }) => it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.tagName + ' ' + it.textContent.slice(0, 40))(document)`,
    );

  it('Enter in an input runs the design, and where a value is missing, leads to it', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    const building = tryIt(page).getByRole('textbox', { name: 'building' });
    await building.fill('');
    await tryIt(page).getByRole('textbox', { name: 'place' }).press('Enter');
    await tryIt(page).getByText('Expected a value.').waitFor();
    await expect.poll(() => focused(page)).toBe('building');
    await building.fill('Heron Point Lighthouse');
    await page.keyboard.press('Enter');
    await tryIt(page).getByRole('definition').getByText('Ingrid Solvay').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('the form of a published API leads to the value that is missing', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    await page.getByRole('button', { name: 'Publish…' }).press('Enter');
    await page.getByRole('button', { name: 'Publish version 1' }).press('Enter');
    await page.getByRole('heading', { name: 'Version 1 published' }).waitFor();
    // The dialog that was published from is gone, and the focus with it, unless this one takes it.
    expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true);
    await page.getByRole('link', { name: 'See it in the marketplace' }).press('Enter');
    await page.getByRole('button', { name: 'Run version 1' }).press('Enter');
    await tryIt(page).getByText('Expected a value.').waitFor();
    await expect.poll(() => focused(page)).toBe('building');
  });

  it('the button that publishes keeps the focus meanwhile, and publishes once', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    let calls = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/publish', async (route) => {
      calls += 1;
      await held;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Publish…' }).press('Enter');
    const publish = page.getByRole('button', { name: 'Publish version 1' });
    await publish.press('Enter');
    await page.getByRole('dialog').locator('[aria-busy="true"]').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Publish version 1');
    answer();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expect.poll(() => focused(page)).toContain('Publish version 1');
    expect(calls).toBe(1);
  });

  it('the button that saves keeps the focus once the design is saved', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    await page.getByLabel('Name', { exact: true }).first().fill('Who drew it');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.locator('.designer-foot').getByText('Saved').waitFor();
    await expect.poll(() => focused(page)).toContain('BUTTON Save');
  });

  it('the focus stays with the fields and the examples after one of them was removed', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    await page.getByRole('button', { name: 'Remove year' }).press('Enter');
    await expect.poll(() => focused(page)).toContain('Add field');
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Remove example 1' }).press('Enter');
      await expect.poll(() => page.getByRole('button', { name: /^Remove example/ }).count()).toBe(left);
      await expect.poll(() => focused(page)).toMatch(/^FIELDSET Examples/);
    }
  });

  it('says that an example was added, and that the design is yet to be saved', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    await tryIt(page).getByRole('button', { name: 'Save as example' }).press('Enter');
    await page.locator('.toast').getByText('Added to the examples. Save the design to keep it.').waitFor();
    await page.getByRole('button', { name: 'Remove example 3' }).waitFor();
  });

  it('a second field with the same name is the one that is to be changed', async () => {
    await using opened = await openDesign();
    const { page } = opened;
    const names = page.getByRole('textbox', { name: 'Field name' });
    await names.nth(1).fill('designer');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Two fields have the name designer.').waitFor();
    expect(await names.evaluateAll((all) => all.map((each) => each === document.activeElement))).toEqual([false, true]);
    expect(await names.nth(1).getAttribute('aria-invalid')).toBe('true');
    expect(await names.nth(0).getAttribute('aria-invalid')).toBe(null);
  });
});
