/** The dialogs of the dashboard, used with the keyboard alone: where the focus begins, stays and goes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { createDesign } from '../../support/design.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('by keyboard', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let browser: Browser;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ MEDIAWIKI_URL: 'off', FETCH_ALLOW_HOSTS: receiver.host });
    await createDesign(app);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  /** The name or the text of what has the focus. */
  const focused = (page: Page) =>
    page.evaluate<string>(
      `(({ activeElement: it }) => it.ariaLabel ?? it.labels?.[0]?.textContent ?? it.tagName + ' ' + it.textContent.slice(0, 40))(document)`,
    );

  it('the dialog of a new schedule begins at its first field, and leads to the one that is refused', async () => {
    await using opened = await openDashboard(browser, app, '/schedules');
    const { page } = opened;
    // The choices come after the dialog is open.
    await page.route('**/v1/webhooks', async (route) => {
      await page.getByRole('dialog').getByText('Loading…').waitFor();
      await route.continue();
    });
    await page.getByRole('button', { name: 'New schedule' }).press('Enter');
    await page.getByLabel('building').waitFor();
    await expect.poll(() => focused(page)).toBe('API');
    await page.getByLabel('building').fill('Heron Point Lighthouse');
    const when = page.getByLabel('When');
    const zone = page.getByLabel('Time zone');
    await when.fill('0 0 31 2 *');
    await when.press('Enter');
    await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor();
    expect(await when.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('Expected a cron expression that matches at some time; got one that never does.').waitFor();
    await expect.poll(() => focused(page)).toBe('When');
    await when.fill('0 8 * * MON');
    await zone.fill('Europe/Nowhere');
    await zone.press('Enter');
    await page.getByText('Expected an IANA time zone; got "Europe/Nowhere".').waitFor();
    expect(await when.getAttribute('aria-invalid')).toBeNull();
    await expect.poll(() => focused(page)).toBe('Time zone');
    await zone.fill('Europe/Prague');
    await zone.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/New schedule$/);
    expect(opened.problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });

  it('the focus is where it was after the secret of a webhook was shown', async () => {
    await using opened = await openDashboard(browser, app, '/webhooks');
    const { page } = opened;
    await page.getByRole('button', { name: 'New webhook' }).press('Enter');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('my program');
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    const rotate = page.getByRole('button', { name: 'New secret for my program' });
    await rotate.waitFor();
    await expect.poll(() => focused(page)).toMatch(/New webhook$/);
    await rotate.press('Enter');
    await page.getByRole('button', { name: 'Create a new secret' }).press('Enter');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('New secret for my program');
    await rotate.press('Enter');
    await page.getByRole('button', { name: 'Create a new secret' }).press('Enter');
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('New secret for my program');
    expect(opened.problems).toEqual([]);
  });

  it('the focus stays on the page when what was removed goes with its button', async () => {
    await app.accounts.createKey({ name: 'old laptop', account: developmentAccount });
    await using opened = await openDashboard(browser, app, '/keys');
    const { page } = opened;
    await page.getByRole('button', { name: 'Revoke old laptop' }).press('Enter');
    await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await page.getByText('1 revoked key').waitFor();
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('main');
    expect(opened.problems).toEqual([]);
  });

  it('Enter that is pressed twice makes one collection', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/collections', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New collection' }).press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('manuals');
    await name.press('Enter');
    await page.getByRole('dialog').locator('[aria-busy="true"]').waitFor();
    await name.press('Enter');
    answer();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // A second one would have been refused, for its name.
    expect(opened.problems).toEqual([]);
  });
});
