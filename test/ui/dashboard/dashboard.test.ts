/** The dashboard in a real browser, with the real server: what people do there affects their programs too. */
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { headingOf, newSignInPath, openDashboard } from '../../support/browser/dashboard.ts';
import { goodModel, startModelServer } from '../../support/servers/model-server.ts';
import { startWebhookReceiver, type WebhookReceiver, webhookHeaders } from '../../support/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(hasNoBrowser)('the dashboard', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let browser: Browser;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ MEDIAWIKI_URL: 'off', FETCH_ALLOW_HOSTS: receiver.host });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  it('signs in with a link, and removes its secret from the address', async () => {
    await using opened = await openDashboard(browser, app);
    expect(opened.page.url()).toBe(`${app.url}/dashboard`);
    expect(await opened.page.evaluate('document.cookie')).toBe('');
    await opened.page.reload();
    await headingOf(opened, 'Usage').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('says that a link was already used, and accepts another one that is pasted', async () => {
    const path = await newSignInPath(app);
    await using first = await openPage(browser, app.url, { path });
    await first.page.getByLabel('Your question').waitFor();
    await first.page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await headingOf(first, 'Usage').waitFor();
    await using second = await openPage(browser, app.url, { path });
    const { page } = second;
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(
      'This link was already used or has expired. Get a new one.',
    );
    await page.getByLabel('Sign-in link').fill('not a link');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid API key').waitFor();
    await page.getByLabel('Sign-in link').fill(await app.signInLink(developmentAccount));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await headingOf(second, 'Usage').waitFor();
  });

  it('uses a new link that is opened in the tab that asked for one', async () => {
    const used = await newSignInPath(app);
    await using first = await openPage(browser, app.url, { path: used });
    await first.page.getByLabel('Your question').waitFor();
    await using second = await openPage(browser, app.url, { path: used });
    const { page } = second;
    await page.getByRole('alert').waitFor();
    // Only the fragment differs, so the browser does not load the page again.
    await page.goto(app.url + (await newSignInPath(app)));
    await page.getByLabel('Your question').waitFor();
    expect(page.url()).toBe(`${app.url}/`);
  });

  it('asks for confirmation before a link switches the browser to another account', async () => {
    const { id } = await app.accounts.createAccount({ name: 'somebody else', plan: 'starter' });
    await using opened = await openDashboard(browser, app);
    const { page } = opened;
    await page.goto(app.url + (await newSignInPath(app, id)));
    await page.getByText('You are signed in to development.').waitFor();
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await headingOf(opened, 'Usage').waitFor();
    expect(await page.getByRole('banner').textContent()).toContain('development');
    // The link that was declined is not used later either.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Sign-in link').fill(await app.signInLink(developmentAccount));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await headingOf(opened, 'Usage').waitFor();
    await page.goto(app.url + (await newSignInPath(app, id)));
    await page.getByRole('button', { name: 'Use the link' }).click();
    await page.getByLabel('Your question').waitFor();
    await page.goto(`${app.url}/dashboard`);
    await page.getByText('somebody else').waitFor();
  });

  it('signs out, and stays signed out after a reload', async () => {
    await using opened = await openDashboard(browser, app);
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    await headingOf(opened, 'Sign in').waitFor();
    await opened.page.goto(`${app.url}/dashboard/keys`);
    await headingOf(opened, 'Sign in').waitFor();
  });

  it('creates a working key, renames it and revokes it', async () => {
    await using opened = await openDashboard(browser, app, '/keys');
    const { page } = opened;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my laptop');
    await page.getByRole('checkbox', { name: 'Ask questions and read pages' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByRole('dialog').getByText(/^cw_/).textContent())!;
    const withKey = () => app.get('/v1/usage', { 'x-api-key': key });
    expect((await withKey()).status).toBe(200);
    expect((await app.get('/v1/design-api', { 'x-api-key': key })).status).toBe(403);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByText('Only: Ask questions and read pages').waitFor();
    await page.getByRole('button', { name: 'Rename my laptop' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my desk');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Revoke my desk' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('1 revoked key').click();
    await page.getByRole('list', { name: 'Revoked keys' }).getByText('my desk').waitFor();
    expect((await withKey()).status).toBe(401);
    expect(opened.problems).toEqual([]);
  });

  it('revokes a key once, however often the button is pressed', async () => {
    await using opened = await openDashboard(browser, app, '/keys');
    const { page } = opened;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('old laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    let calls = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/keys/*', async (route) => {
      calls += 1;
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Revoke old laptop' }).click();
    const confirm = page.getByRole('button', { name: 'Revoke key' });
    await confirm.click();
    await page.getByRole('dialog').locator('[aria-busy="true"]').waitFor();
    await confirm.click({ force: true });
    await confirm.press('Enter');
    answer();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(calls).toBe(1);
  });

  it('shows usage as a chart and as a table, of all keys or of one', async () => {
    const { id } = await app.accounts.createAccount({ name: 'users', plan: 'starter' });
    const { plaintext } = await app.accounts.createKey({ name: 'robot', account: id });
    for (let i = 0; i < 11; i++) await app.post('/v1/search', { prompt }, { 'x-api-key': plaintext });
    await using opened = await openDashboard(browser, app, '', { account: id });
    const { page } = opened;
    await page.getByRole('img', { name: /^Calls, last hour: Calls 10 and Refused 1,/ }).waitFor();
    await page.getByText('Show as table').click();
    const table = page.getByRole('region', { name: 'Calls, last hour, as a table' });
    expect(await table.getByRole('row').last().textContent()).toMatch(/^\d\d:\d\d\d+1?/);
    await page.getByText('31 days', { exact: true }).click();
    await page.getByRole('img', { name: /^Calls, last 31 days: Calls 10 and Refused 1,/ }).waitFor();
    await page.getByRole('combobox', { name: 'Key' }).selectOption('Browsers');
    await page.getByRole('img', { name: /^Calls, last 31 days: Calls 0 and Refused 0,/ }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('shows a search with its timeline and its cost', async () => {
    const answer = await app.post('/v1/search', { prompt });
    const { search_id, usage } = (await answer.json()) as { search_id: string; usage: { passages: number } };
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    await page.getByRole('link', { name: prompt }).first().click();
    await headingOf(opened, prompt).waitFor();
    expect(page.url()).toBe(`${app.url}/dashboard/searches/${search_id}`);
    const steps = page.getByRole('listitem').filter({ hasText: 'started at' });
    await steps.first().waitFor();
    expect(await steps.allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Searchingstarted at .+, took .+/),
        expect.stringMatching(/^Writing the answerstarted at .+/),
      ]),
    );
    expect(await page.getByText('Passages ranked').locator('xpath=..').textContent()).toBe(
      `Passages ranked${usage.passages}`,
    );
    expect(opened.problems).toEqual([]);
  });

  it('adds a webhook, whose secret is shown once, tests it, and shows what was sent and tried', async () => {
    await using opened = await openDashboard(browser, app, '/webhooks');
    const { page } = opened;
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL').fill('http://10.0.0.1/hook');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('10.0.0.1 is not a public internet address.').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('my program');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const secret = (await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain('whsec_');
    await page.getByRole('button', { name: 'Test my program' }).click();
    await expect.poll(() => receiver.received.length).toBe(1);
    const [one] = receiver.received;
    expect(new Webhook(secret).verify(one!.body, webhookHeaders(one!))).toMatchObject({ type: 'webhook.test' });
    // Without a press on Refresh.
    await page.getByRole('list', { name: 'Deliveries' }).getByText('delivered').waitFor();
    await page.getByRole('button', { name: /^Attempts for Test event/ }).click();
    await page.getByRole('list', { name: 'Attempts' }).getByText('204').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Send again: Test event/ }).click();
    await expect.poll(() => receiver.received.length).toBe(2);
    await page.getByRole('button', { name: 'New secret for my program' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Disable my program' }).click();
    await page.getByText('Disabled by the account.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const remove = (await page.getByRole('button', { name: 'Remove my program' }).boundingBox())!;
    expect(remove.x + remove.width).toBeLessThanOrEqual(344);
    await page.getByRole('button', { name: 'Remove my program' }).click();
    await page.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(opened.problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });

  it('reads deliveries that are on their way less and less often, without those below, and only while somebody looks', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'hooks', plan: 'pro' });
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    const delivery = (nth: number, state: 'pending' | 'delivered', nextTry: number | null) => ({
      delivery_id: `del_${nth}`,
      webhook_id: 'wh_1',
      type: 'webhook.test',
      search_id: null,
      url: 'http://127.0.0.1:1/hook',
      state,
      created_at: new Date().toISOString(),
      tries: 1,
      next_try_at: nextTry === null ? null : new Date(Date.now() + nextTry).toISOString(),
      last_error: null,
    });
    let newest: object[] = [delivery(2, 'pending', 1_000)];
    let isDown = false;
    const read: string[] = [];
    await page.route('**/v1/webhook-deliveries?*', (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      read.push(cursor ?? 'newest');
      if (isDown)
        return route.fulfill({ status: 503, json: { error: { code: 'overloaded', message: '', retryable: true } } });
      const json = cursor === null ? { items: newest, cursor: 'older' } : { items: [delivery(1, 'delivered', null)] };
      return route.fulfill({ json });
    });
    /** Answers take no time of the page's clock. */
    const settle = () => page.evaluate('fetch("/v1/capabilities").then((answer) => answer.text())');
    await page.clock.install();
    await page.goto(`${app.url}/dashboard/webhooks`);
    const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    const begun = read.length;
    for (let second = 0; second < 60; second += 1) {
      newest = [delivery(2, 'pending', second * 1_000)];
      await page.clock.runFor(1_000);
      await settle();
    }
    const later = read.slice(begun);
    expect(new Set(later)).toEqual(new Set(['newest']));
    expect(later.length).toBeGreaterThan(3);
    expect(later.length).toBeLessThan(12);
    expect(await rows.count()).toBe(2);

    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    const whileHidden = read.length;
    await setHidden(true);
    await page.clock.runFor(60_000);
    expect(read.length).toBe(whileHidden);
    // That clock is two minutes ahead by now.
    newest = [delivery(3, 'pending', 130_000), delivery(2, 'delivered', null)];
    await setHidden(false);
    await expect.poll(() => rows.count()).toBe(3);

    const refresh = async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      // All that is shown.
      await expect.poll(() => read.at(-1)).toBe('older');
      await settle();
    };
    await refresh();
    isDown = true;
    const before = read.length;
    await page.clock.runFor(3_000);
    await expect.poll(() => read.length).toBe(before + 1);
    await settle();
    await page.clock.runFor(30_000);
    expect(read.length).toBe(before + 1);

    // Nobody tries what is long overdue.
    isDown = false;
    newest = [delivery(3, 'pending', -3_600_000)];
    await refresh();
    const overdue = read.length;
    await page.clock.runFor(60_000);
    expect(read.length).toBe(overdue);
  });

  it('lists what runs in the background with its progress, and cancels it', async () => {
    await using model = await startHeldModel();
    await using held = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    const begun = await held.post('/v1/search', { prompt, background: true });
    const { search_id } = (await begun.json()) as { search_id: string };
    await using opened = await openDashboard(browser, held, '/searches');
    const { page } = opened;
    const running = page.getByRole('list', { name: 'Running searches' });
    await running.getByText(prompt).waitFor();
    await running.getByText('Writing the answer').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: `Cancel ${prompt}` }).click();
    await running.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Searches' }).getByText('stopped').waitFor();
    expect(await (await held.get(`/v1/search/${search_id}`)).json()).toMatchObject({ state: 'cancelled' });
    expect(opened.problems).toEqual([]);
  });

  it('supports the browser’s back and forward buttons', async () => {
    await using opened = await openDashboard(browser, app);
    await opened.page.getByRole('link', { name: 'Keys' }).click();
    await headingOf(opened, 'Keys').waitFor();
    await opened.page.goBack();
    await headingOf(opened, 'Usage').waitFor();
    expect(await opened.page.title()).toBe('Usage – Citewire');
  });

  it('signs everyone out whose account is suspended', async () => {
    const { id } = await app.accounts.createAccount({ name: 'short', plan: 'starter' });
    await using opened = await openDashboard(browser, app, '', { account: id });
    await headingOf(opened, 'Usage').waitFor();
    // It has asked all that it asks by itself.
    await opened.page.waitForLoadState('networkidle');
    await app.accounts.setStatus(id, 'suspended');
    await opened.page.getByRole('link', { name: 'Keys' }).click();
    await opened.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  describe.each([1280, 360])('at %i px', (width) => {
    const viewport = { width, height: 800 };

    it.each(['', '/keys', '/searches', '/schedules', '/webhooks'])(
      'has no accessibility violation and no horizontal overflow: /dashboard%s',
      async (path) => {
        await app.post('/v1/search', { prompt });
        await using opened = await openDashboard(browser, app, path, { viewport });
        const { page } = opened;
        await page.getByRole('heading').first().waitFor();
        for (const each of await page.getByText('Loading…').all()) await each.waitFor({ state: 'detached' });
        expect(await axeFindingsInBothThemes(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(opened.problems).toEqual([]);
      },
    );

    it('has no accessibility violation and no horizontal overflow: a search', async () => {
      const { search_id } = (await (await app.post('/v1/search', { prompt })).json()) as { search_id: string };
      await using opened = await openDashboard(browser, app, `/searches/${search_id}`, { viewport });
      await opened.page.getByText('Writing the answer').first().waitFor();
      expect(await axeFindingsInBothThemes(opened.page)).toEqual([]);
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });

    it('has no accessibility violation and no horizontal overflow: signing in, and a dialog', async () => {
      await using signingIn = await openPage(browser, app.url, { path: '/dashboard', viewport });
      await headingOf(signingIn, 'Sign in').waitFor();
      expect(await axeFindingsInBothThemes(signingIn.page)).toEqual([]);
      await using opened = await openDashboard(browser, app, '/keys', { viewport });
      await opened.page.getByRole('button', { name: 'New key' }).click();
      expect(await axeFindingsInBothThemes(opened.page)).toEqual([]);
    });
  });
});

/** A model that never finishes writing. */
async function startHeldModel() {
  const model = await startModelServer();
  model.script = async (call, count) => {
    if (call.kind === 'write') await new Promise(() => {});
    return goodModel(call, count);
  };
  return { url: model.url, [Symbol.asyncDispose]: () => model.close() };
}
