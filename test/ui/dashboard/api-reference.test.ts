/** The page of the OpenAPI document in a real browser, without an account. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes, axeFindingsOfLayout } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const { paths, components } = JSON.parse(readFileSync('protocol/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
};
const calls = Object.values(paths).flatMap(Object.keys).length;

describe.skipIf(hasNoBrowser)('the page of the HTTP API', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  it('shows every call and every schema of the document, whose links all lead somewhere', async () => {
    await using opened = await openPage(browser, app.url, { path: '/docs/api' });
    const { page } = opened;
    await page.getByText(`${calls} of ${calls} calls`).waitFor();
    for (const name of Object.keys(components.schemas)) {
      expect(await page.locator(`[id="schema-${name}"]`).count(), name).toBe(1);
    }
    const broken = await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))`,
    );
    expect(broken).toEqual([]);
    // Descriptions are Markdown.
    expect(await page.locator('.operation').getByText('`').count()).toBe(0);
    await page.getByLabel('Find a call').fill('webhook delete');
    await expect.poll(() => page.getByRole('navigation', { name: 'Calls' }).getByRole('link').count()).toBeLessThan(5);
    expect(opened.problems).toEqual([]);
  });

  it('says limits as people write numbers', async () => {
    await using opened = await openPage(browser, app.url, { path: '/docs/api' });
    const { page } = opened;
    const call = page.locator('#create_schedule');
    await call.getByText('The body may have at most 1 MiB, and (+) 2,000 keys and 4,000 values in total.').waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/\d{4,} (?:bytes|characters|keys|values|entries)/);
  });

  it('can be asked for again where it could not be loaded', async () => {
    await using opened = await openPage(browser, app.url);
    const { page } = opened;
    await page.route('**/openapi.json', (route) => route.abort());
    await page.goto(`${app.url}/docs/api`);
    await page.getByRole('heading', { level: 1, name: 'HTTP API' }).waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`${calls} of ${calls} calls`).waitFor();
  });

  it('opens at the call that the address names', async () => {
    await using opened = await openPage(browser, app.url, { path: '/docs/api#cancel_search' });
    const call = opened.page.locator('#cancel_search');
    await call.waitFor();
    await expect.poll(async () => (await call.boundingBox())?.y).toBeLessThan(400);
  });

  it.each([
    [1280, axeFindingsInBothThemes],
    [360, axeFindingsOfLayout],
  ])(
    'has no accessibility violation and no horizontal overflow at %i px',
    { timeout: 300_000 },
    async (width, findingsOf) => {
      await using opened = await openPage(browser, app.url, { path: '/docs/api', viewport: { width, height: 800 } });
      const { page } = opened;
      await page.getByText(`${calls} of ${calls} calls`).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(opened.problems).toEqual([]);
    },
  );
});
