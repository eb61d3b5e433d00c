/** While the server cannot be reached, what was asked of it says so within seconds, and works again afterwards. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../src/access/accounts.ts';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions } from '../support/browser/browser.ts';
import { ask, question, slowly, startChatServer, waitForAnswer } from '../support/browser/chat.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a page without its server', () => {
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

  const open = (options: PageOptions = {}) => openPage(browser, app.url, { key: app.key, ...options });
  const setOffline = (page: Page, isOffline: boolean) => page.context().setOffline(isOffline);

  it('says that a thread cannot be opened, and opens it when it is tried again', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'New thread' }).click();
    await setOffline(page, true);
    await page
      .getByRole('navigation', { name: 'Threads' })
      .getByRole('button', { name: question, exact: true })
      .click();
    const notice = page.getByRole('main').getByRole('alert');
    await notice.getByText('Could not reach the server').waitFor();
    await notice.getByText('Check the network of this device, and whether the server is running.').waitFor();
    await setOffline(page, false);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: question }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  it('asks in a new thread after one that could not be opened, and goes back to that one', async () => {
    await using opened = await open();
    const { page } = opened;
    const box = page.getByLabel('Your question');
    await page.goto(`${app.url}/?thread=s_01J0000000000000000000000A`);
    const notice = page.getByRole('main').getByRole('alert');
    await notice.getByText('Not found in this account').waitFor();
    const failed = page.url();
    expect(await box.getAttribute('placeholder')).toBe('Ask anything');
    await ask(page);
    await waitForAnswer(page);
    expect(await notice.count()).toBe(0);
    expect(await box.getAttribute('placeholder')).toBe('Ask a follow-up');
    await expect.poll(() => page.url()).toContain('search=');
    await page.goBack();
    await notice.getByText('Not found in this account').waitFor();
    expect(page.url()).toBe(failed);
    await page.goForward();
    await page.getByRole('heading', { name: question }).waitFor();
  });

  it('opens a shared thread when it is tried again', async () => {
    await using asking = await open();
    await ask(asking.page);
    await waitForAnswer(asking.page);
    const { items } = (await (await app.get('/v1/threads')).json()) as { items: { thread_id: string }[] };
    const shared = await app.post(`/v1/threads/${items[0]!.thread_id}/share`, { days: 1 });
    const { url } = (await shared.json()) as { url: string };
    await using reading = await openPage(browser, app.url, { path: '/nowhere', locale: 'de' });
    const { page } = reading;
    let isOffline = true;
    await page.route('**/v1/shared**', (route) => (isOffline ? route.abort() : route.continue()));
    await page.goto(url);
    const notice = page.getByRole('alert');
    await notice.getByText('Der Server ist nicht erreichbar').waitFor();
    isOffline = false;
    await notice.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByRole('heading', { name: question }).first().waitFor();
    expect(await notice.count()).toBe(0);
  });

  it.each([
    ['/', 'Your question'],
    ['/dashboard/keys', 'Keys'],
  ])(
    'does not call somebody signed out whose session cannot be read, and goes on once it can: %s',
    async (path, name) => {
      await using opened = await open({ path: '/nowhere' });
      const { page } = opened;
      let isOffline = true;
      await page.route('**/v1/session', (route) => (isOffline ? route.abort() : route.continue()));
      await page.goto(app.url + path);
      const notice = page.getByRole('main').getByRole('alert');
      await notice.getByText('Could not reach the server').waitFor();
      expect(await page.getByLabel('API key').count()).toBe(0);
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
      await notice.getByRole('button', { name: 'Try again' }).press('Enter');
      await notice.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
      expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Try again');
      isOffline = false;
      await page.keyboard.press('Enter');
      await page
        .getByLabel(name)
        .or(page.getByRole('heading', { level: 1, name }))
        .first()
        .waitFor();
      expect(await notice.count()).toBe(0);
    },
  );

  it('keeps a sign-in link that could not be sent, and tries it again', async () => {
    await using opened = await openPage(browser, app.url, { path: '/nowhere' });
    const { page } = opened;
    let isOffline = true;
    await page.route('**/v1/session', (route) => (isOffline ? route.abort() : route.continue()));
    await page.goto(await app.signInLink(developmentAccount));
    const notice = page.getByRole('main').getByRole('alert');
    await notice.getByText('Could not reach the server').waitFor();
    isOffline = false;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Your question').waitFor();
  });

  it('says in the dashboard what may help, as in the chat, in its pages, its dialogs and its notes', async () => {
    await using opened = await open({ path: '/dashboard/keys', locale: 'zh-CN' });
    const { page } = opened;
    const help = '请检查网络，以及服务器是否在运行。';
    await page.getByRole('heading', { level: 1, name: '密钥' }).waitFor();
    await setOffline(page, true);
    await page.getByRole('button', { name: '退出登录' }).click();
    await page.getByText(`无法连接服务器。${help}`).waitFor();
    await page.getByRole('link', { name: '设计', exact: true }).click();
    const notice = page.getByRole('main').getByRole('alert');
    await notice.getByText('无法连接服务器', { exact: true }).waitFor();
    await notice.getByText(help, { exact: true }).waitFor();
  });

  it('keeps the focus on the page when what could not be loaded is there', async () => {
    await using opened = await open({ path: '/dashboard' });
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    let isOffline = true;
    await page.route('**/v1/design-api**', (route) => (isOffline ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'Designs' }).click();
    const retry = page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    isOffline = false;
    await retry.press('Enter');
    await page.getByText('No designs yet').waitFor();
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('main');
  });

  it.each([
    ['once one part is tried again', true],
    ['once the network is back', false],
  ])('loads all parts of a page that could not be loaded %s', async (_, byHand) => {
    await app.post('/v1/search', { prompt: question });
    await using opened = await open({ path: '/dashboard/keys' });
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    let isOffline = true;
    await page.route(/\/v1\/(?:keys|account|search)/, (route) => (isOffline ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'Usage' }).click();
    const notices = page.getByRole('main').getByRole('alert');
    await expect.poll(() => notices.count()).toBe(2);
    const retry = notices.first().getByRole('button', { name: 'Try again' });
    await retry.focus();
    isOffline = false;
    if (byHand) await page.keyboard.press('Enter');
    else await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'By key, last 31 days' }).waitFor();
    await page.getByRole('link', { name: question }).first().waitFor();
    await page.getByRole('rowheader', { name: 'development' }).waitFor();
    expect(await notices.count()).toBe(0);
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('main');
  });

  it('lists the threads again once the network is back', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const list = page.getByRole('navigation', { name: 'Threads' });
    await setOffline(page, true);
    await list.getByRole('searchbox').fill('heron');
    await list.getByText('Could not reach the server').waitFor();
    await setOffline(page, false);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await list.getByText('Could not reach the server').waitFor({ state: 'detached' });
    await list.getByRole('listitem').first().waitFor();
  });

  it('does not mark the name of a new key as wrong, which is not', async () => {
    // Who signed in with a key can make none.
    await using opened = await openDashboard(browser, app, '/keys');
    const { page } = opened;
    await page.getByRole('button', { name: 'New key' }).first().click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('reports');
    await page.route('**/v1/keys', (route) => route.abort());
    await name.press('Enter');
    await page.getByRole('dialog').getByRole('alert').getByText('Could not reach the server').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe(null);
  });

  it('says that a thread could not be renamed', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Thread', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Lighthouses');
    await setOffline(page, true);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByText('Could not reach the server').waitFor();
    await setOffline(page, false);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('navigation', { name: 'Threads' })
      .getByRole('button', { name: 'Lighthouses', exact: true })
      .waitFor();
  });

  it.each([
    ['en-GB', 'Add documents', /^Could not reach the server\. Check the network/],
    ['de', 'Dokumente hinzufügen', /^Der Server ist nicht erreichbar\. Prüfen Sie/],
  ])('says in plain words that a document could not be uploaded: %s', async (locale, button, reason) => {
    await using opened = await open({ locale });
    const { page } = opened;
    await page.getByRole('textbox').last().waitFor();
    await setOffline(page, true);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles({ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('# A page') });
    await page.locator('.document-state').getByText(reason).waitFor();
  });
});

describe.skipIf(hasNoBrowser)('stopping an answer', () => {
  it('says at once that it stopped, also where the server does not confirm it, and then that it may run on', async () => {
    await using server = await startChatServer();
    server.model.script = slowly(100);
    await using browser = await openBrowser();
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page } = opened;
    let isGone = false;
    await page.routeWebSocket(/\/v1\/ws\//, (socket) => {
      const toServer = socket.connectToServer();
      socket.onMessage((message) => (isGone ? undefined : toServer.send(message)));
      toServer.onMessage((message) => (isGone ? undefined : socket.send(message)));
    });
    await page.reload();
    await ask(page);
    await page.locator('.prose').first().waitFor();
    isGone = true;
    // Nothing changes on the page between two events and the next one, so that each state is seen.
    const seen = await page.evaluateHandle(() => {
      const states: string[] = [];
      const stop = [...document.querySelectorAll('button')].find(({ title }) => title === 'Stop')!;
      new MutationObserver(() => {
        const state = `${document.querySelector('.turn .spinner') ? 'busy' : 'quiet'}: ${document.querySelector('.turn .notice')?.textContent ?? ''}`;
        if (state !== states.at(-1)) states.push(state);
      }).observe(document.querySelector('.turn')!, { subtree: true, childList: true, characterData: true });
      stop.click();
      return states;
    });
    const notice = page.locator('.turn').getByRole('alert');
    await notice.getByText('The server did not confirm it, so the search may continue there.').waitFor();
    expect(await seen.jsonValue()).toEqual([
      'quiet: StoppedEverything found so far is shown above.',
      'quiet: StoppedThe server did not confirm it, so the search may continue there.',
    ]);
    await page.getByLabel('Your question').fill('And when was it first lit?');
    await expect.poll(() => page.getByRole('button', { name: 'Ask', exact: true }).isEnabled()).toBe(true);
  });
});
