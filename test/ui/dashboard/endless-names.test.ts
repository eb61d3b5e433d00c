/** Names and addresses without a space, as long as the server takes them, on a phone and on a wide screen. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, type PageOptions, phone } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const looks: [string, PageOptions][] = [
  ['on a phone', phone],
  ['on a wide screen', {}],
];
const endless = 'W'.repeat(80);

describe.skipIf(hasNoBrowser)('endless names', () => {
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

  /** By how much the contents of each element are wider than it is. */
  const overflow = (of: Locator) => of.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));

  it.each(looks)('leave a new key in view, which is shown only once, %s', async (_, options) => {
    await using opened = await openDashboard(browser, app, '/keys', options);
    const { page } = opened;
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(endless);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(/^cw_/).waitFor();
    expect(await overflow(dialog)).toEqual([0]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('button', { name: `Revoke ${endless}` })
      .first()
      .click();
    await dialog.waitFor();
    expect(await overflow(dialog)).toEqual([0]);
  });

  it.each(looks)('of collections wrap where they are chosen, and in a notice, %s', async (look, options) => {
    const added = await app.post('/v1/collections', { name: `${endless.slice(0, 60)}${look.length}`, sources: [] });
    expect(added.status).toBe(201);
    await using opened = await openDashboard(browser, app, '/keys', options);
    const { page } = opened;
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(endless.slice(0, 60)).first().waitFor();
    expect(await overflow(dialog.locator('.dialog-form, .checks, .check'))).toSatisfy(areWithin);
    expect(await overflow(dialog)).toEqual([0]);
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Sources', exact: true }).click();
    await page.getByLabel(endless.slice(0, 60)).first().waitFor();
    expect(await overflow(page.locator('html, .composer, .panel, .choice'))).toSatisfy(areWithin);
    await page.goto(`${app.url}/?thread=${endless}`);
    const notice = page.getByRole('main').getByRole('alert');
    await notice.waitFor();
    expect(await overflow(page.locator('html, .notice, .notice *'))).toSatisfy(areWithin);
  });

  it.each(looks)('of webhooks wrap, and an address that is the name is not repeated, %s', async (look, options) => {
    const url = `https://example.com/${look.length}/${'hook'.repeat(40)}`;
    const added = await app.post('/v1/webhooks', { url });
    expect(added.status).toBe(201);
    await using opened = await openDashboard(browser, app, '/webhooks', options);
    const row = opened.page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem').filter({ hasText: url });
    await row.waitFor();
    expect(await row.getByText(url, { exact: true }).count()).toBe(1);
    expect(await overflow(row.locator('.row-main, .row-main > *'))).toSatisfy(areWithin);
  });

  it.each(looks)('of designs and schedules wrap, %s', async (look, options) => {
    const api_stub = `${'w'.repeat(50)}${look.length}`;
    const design = { name: endless, api_stub, prompt: 'What is Citewire?' };
    const created = (await (await app.post('/v1/design-api', design)).json()) as { api_id: string };
    const added = await app.post('/v1/schedules', { api_stub, cron: '0 8 * * MON', time_zone: 'UTC', inputs: {} });
    expect(added.status).toBe(201);
    await using opened = await openDashboard(browser, app, `/designs/${created.api_id}`, options);
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: endless }).waitFor();
    expect(await overflow(page.locator('html, h1, .page-head'))).toSatisfy(areWithin);
    await page.goto(`${app.url}/dashboard/schedules`);
    const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem').filter({ hasText: api_stub });
    await row.waitFor();
    expect(await row.getByText(api_stub).count()).toBe(1);
    expect(await overflow(page.locator('html, .row-main, .row-main > *'))).toSatisfy(areWithin);
  });
});

function areWithin(overflows: readonly number[]): boolean {
  return overflows.every((by) => by <= 0);
}
