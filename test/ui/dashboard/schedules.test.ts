/** Schedules and quotas in the dashboard, in a real browser, with the real server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScheduleList } from '../../../protocol/index.ts';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { createDeferred } from '../../support/deferred.ts';
import { createDesign, publish } from '../../support/design.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(hasNoBrowser)('the dashboard', () => {
  let app: TestApp;
  let browser: Browser;
  /** To make a time come. */
  let store: Store;
  beforeAll(async () => {
    app = await startTestApp({
      MEDIAWIKI_URL: 'off',
      QUOTAS: JSON.stringify({
        pro: { searches_per_day: 4, searches_per_month: 1_000, tokens_per_day: 20_000, tokens_per_month: 2_000_000 },
      }),
      MODEL_PRICES: JSON.stringify({ input: 0.15, output: 0.6, currency: 'EUR' }),
    });
    store = await openStore({ dataDir: app.dataDir });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await store.close();
    await app[Symbol.asyncDispose]();
  });

  it('says what a schedule needs while there is no API', async () => {
    await using opened = await openDashboard(browser, app, '/schedules');
    await opened.page.getByText('No schedules yet').waitFor();
    await opened.page.getByRole('button', { name: 'New schedule' }).click();
    await opened.page.getByText('No APIs yet').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('adds a schedule, shows its next run and what came of the last one, pauses, resumes and removes it', async () => {
    await createDesign(app);
    await using opened = await openDashboard(browser, app, '/schedules');
    const { page } = opened;
    await page.getByRole('button', { name: 'New schedule' }).click();
    await page.getByLabel('building').waitFor();
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await page.getByText('Expected a value.').waitFor();
    await page.getByLabel('building').fill('Heron Point Lighthouse');
    await page.getByLabel('When').fill('0 0 31 2 *');
    await page.getByLabel('Time zone').fill('Europe/Prague');
    await page.getByRole('textbox', { name: 'Name' }).fill('lighthouse');
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await page.getByText('one that never does').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByLabel('When').fill('0 8 * * MON');
    // What was typed survives the end of the session.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Add schedule' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('textbox').fill(app.key);
    await Promise.all([page.waitForResponse(/\/v1\/design-api\/[^/?]+$/), again.getByRole('textbox').press('Enter')]);
    await again.waitFor({ state: 'detached' });
    expect(await page.getByLabel('building').inputValue()).toBe('Heron Point Lighthouse');
    await page.getByRole('button', { name: 'Add schedule' }).click();

    const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem');
    // In the time zone that is named beside it.
    await row.getByText(/next run: .*\b0?8:00\b/).waitFor();
    await row.getByText('no run yet').waitFor();
    const [schedule] = ((await (await app.get('/v1/schedules')).json()) as ScheduleList).items;
    expect(schedule).toMatchObject({
      name: 'lighthouse',
      api_stub: 'who-designed',
      inputs: { building: 'Heron Point Lighthouse' },
      cron: '0 8 * * MON',
      time_zone: 'Europe/Prague',
    });

    const { schedule_id } = schedule!;
    await store.schedules.change(developmentAccount, schedule_id, { next_at: '2026-01-05T07:00:00.000Z' });
    await expect
      .poll(
        async () => {
          await page.reload();
          await row.waitFor();
          return row.getByRole('link', { name: /^last run/ }).count();
        },
        { interval: 500 },
      )
      .toBe(1);
    await row.getByText('completed').waitFor();

    await page.getByRole('button', { name: 'Pause lighthouse' }).click();
    await row.getByText('paused', { exact: true }).waitFor();
    await row.getByText('Disabled by the account.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('button', { name: 'Resume lighthouse' }).click();
    await row.getByText('next run:').waitFor();
    await row.getByRole('link', { name: /^last run/ }).click();
    await page.waitForURL(/\/dashboard\/searches\/s_/);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove lighthouse' }).click();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove schedule' }).click();
    await page.getByText('No schedules yet').waitFor();
    expect(opened.problems.filter((problem) => !/401|422/.test(problem))).toEqual([]);
  });

  it('adds a schedule with a key that may only run APIs', async () => {
    const { api_id } = await createDesign(app, { api_stub: 'for-run-keys', name: 'For run keys' });
    await publish(app, api_id);
    const { plaintext } = await app.accounts.createKey({ name: 'runs', account: developmentAccount, scopes: ['run'] });
    await using opened = await openPage(browser, app.url, { key: plaintext, path: '/dashboard/schedules' });
    const { page } = opened;
    await page.getByRole('button', { name: 'New schedule' }).click();
    await page.getByLabel('API', { exact: true }).selectOption('for-run-keys');
    await page.getByLabel('building').fill('Heron Point Lighthouse');
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await page.getByRole('button', { name: 'Remove for-run-keys' }).click();
    await page.getByRole('button', { name: 'Remove schedule' }).click();
    await page.getByText('No schedules yet').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('offers every API for a schedule, also where the server lists them in pages', async () => {
    await createDesign(app, { api_stub: 'on-a-later-page', name: 'On a later page' });
    await createDesign(app, { api_stub: 'on-the-last-page', name: 'On the last page' });
    await using opened = await openDashboard(browser, app, '/schedules');
    const { page } = opened;
    await page.route('**/v1/design-api?*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '1');
      return route.continue({ url: url.href });
    });
    await page.getByRole('button', { name: 'New schedule' }).click();
    const api = page.getByLabel('API', { exact: true });
    await api.waitFor();
    const offered = (await api.getByRole('option').allTextContents()).join();
    expect(offered).toContain('On a later page (on-a-later-page)');
    expect(offered).toContain('On the last page (on-the-last-page)');
    expect(opened.problems).toEqual([]);
  });

  it('asks for the inputs of the API that is chosen, and keeps what is typed when those of another one come late', async () => {
    const input = { type: 'string', max: 100 };
    const inputsOf = (name: string) => ({ prompt: `What is {{${name}}}?`, inputs: { [name]: input }, examples: [] });
    await createDesign(app, { ...inputsOf('tower'), api_stub: 'towers', name: 'Towers' });
    const slow = await createDesign(app, { ...inputsOf('bridge'), api_stub: 'bridges', name: 'Bridges' });
    await using opened = await openDashboard(browser, app, '/schedules');
    const { page } = opened;
    const { promise: held, resolve: letThrough } = createDeferred();
    await page.getByRole('button', { name: 'New schedule' }).click();
    const api = page.getByLabel('API', { exact: true });
    const add = page.getByRole('button', { name: 'Add schedule' });
    const [tower, bridge] = [page.getByLabel('tower'), page.getByLabel('bridge')];
    await api.selectOption('towers');
    await tower.fill('the old one');
    await page.route(`**/v1/design-api/${slow.api_id}`, async (route) => {
      await held;
      await route.continue();
    });
    await api.selectOption('bridges');
    await tower.waitFor({ state: 'detached', timeout: 10_000 });
    expect(await add.isDisabled()).toBe(true);
    await api.selectOption('towers');
    await tower.fill('the new one');
    const late = page.waitForResponse(`**/v1/design-api/${slow.api_id}`);
    letThrough();
    await (await late).finished();
    await page.waitForTimeout(200);
    expect(await tower.inputValue()).toBe('the new one');
    await api.selectOption('bridges');
    await bridge.fill('the long one');
    await add.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { items } = (await (await app.get('/v1/schedules')).json()) as ScheduleList;
    expect(items.map(({ api_stub, inputs }) => ({ api_stub, inputs }))).toEqual([
      { api_stub: 'bridges', inputs: { bridge: 'the long one' } },
    ]);
    expect(opened.problems).toEqual([]);
  });

  it('shows what is used of each quota, which one is used up, and what tokens cost', async () => {
    let status = 200;
    while (status === 200) ({ status } = await app.post('/v1/search', { prompt }));
    expect(status).toBe(429);
    await using opened = await openDashboard(browser, app);
    const { page } = opened;
    const quotas = page.getByRole('region', { name: 'Quotas' });
    const quota = (name: string) => quotas.getByRole('listitem').filter({ hasText: name });
    await quota('Searches today').getByText('4 of 4').waitFor();
    await quota('Searches today').getByText('Used up.').waitFor();
    await quota('Searches this month').getByText('4 of 1,000').waitFor();
    await quota('Tokens this month').getByText('0 of 2,000,000').waitFor();
    await quotas.getByText('€0.00').first().waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(opened.problems).toEqual([]);
  });
});
