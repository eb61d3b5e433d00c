/** The page of sources, in a real browser with the real server: files are uploaded and dropped, then asked about in the chat. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, phone } from '../support/browser/browser.ts';
import { signInWithKey } from '../support/browser/browser-session.ts';
import { ask, waitForAnswer } from '../support/browser/chat.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { createDeferred } from '../support/deferred.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const text = { mimeType: 'text/markdown', buffer: Buffer.from('# Harbour\n\nThe harbour is 9 m deep.\n') };
const handbook = makePdf({
  title: 'Ferry handbook',
  pages: [['The ferry Aurelia carries at most 214 passengers.', 'Dogs travel free of charge on the ferry Aurelia.']],
});

describe.skipIf(hasNoBrowser)('the page of sources', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off', FETCH_ALLOW_HOSTS: '127.0.0.1' });
    browser = await openBrowser();
    await writeFile(join(folder, 'handbook.pdf'), handbook);
    await writeFile(join(folder, 'photo.png'), Buffer.from('\x89PNG\r\n\x1a\n\x00\x00', 'latin1'));
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Sources' }).getByRole('listitem').filter({ hasText: name });

  it('uploads a PDF that the chat then answers from, with a quote that opens, and removes it', async () => {
    await using opened = await openDashboard(browser, app, '/sources', phone);
    const { page } = opened;
    await page.getByText('Drop files anywhere here').waitFor();
    await page.getByLabel('Files to upload').setInputFiles(join(folder, 'handbook.pdf'));
    const row = rowOf(page, 'handbook.pdf');
    await row.getByText('indexed just now').waitFor();
    await row.getByText('1 page').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

    await page.goto(`${app.url}/`);
    await ask(page, 'How many passengers does the ferry Aurelia carry?');
    await waitForAnswer(page);
    await page.getByText('at most 214 passengers').first().waitFor();
    await page.locator('.marker').first().press('Enter');
    await page.locator('mark').getByText('214 passengers').waitFor();

    await page.goto(`${app.url}/dashboard/sources`);
    await page.getByRole('button', { name: 'Remove handbook.pdf' }).click();
    await page.getByRole('button', { name: 'Remove source' }).click();
    await page.getByText('Source removed').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  it('takes files that are dropped on it, and says why one was not taken', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    await page.getByText('Drop files anywhere here').waitFor();
    const files = await page.evaluateHandle(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(['# Tides\n\nThe highest tide at Heron Point is 4.1 m.\n'], 'tides.md'));
      dropped.items.add(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])], 'photo.png'));
      return dropped;
    });
    await page.dispatchEvent('main', 'dragover', { dataTransfer: files });
    await page.getByText('Drop them to upload').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: files });
    await rowOf(page, 'tides.md').getByText('indexed just now').waitFor();
    await rowOf(page, 'tides.md')
      .getByText(/^\d+ bytes$/)
      .waitFor();
    const refusal = page.getByRole('alert').filter({ hasText: 'photo.png' });
    await refusal.waitFor();
    expect(await refusal.textContent()).toMatch(/Expected .*PDF/);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('sends files that are added during an upload after its own, and keeps why one of them was not taken', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    const { promise: held, resolve: letThrough } = createDeferred();
    const sent: (string | null)[] = [];
    await page.route('**/v1/sources/files?*', async (route) => {
      sent.push(new URL(route.request().url()).searchParams.get('name'));
      if (sent.length === 2) await held;
      await route.continue();
    });
    const markdown = (name: string) => ({
      name,
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# ${name}\n\nA page.\n`),
    });
    const image = {
      name: 'chart.png',
      mimeType: 'image/png',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    };
    const files = page.getByLabel('Files to upload');
    await files.setInputFiles([image, markdown('ebb.md')]);
    await expect.poll(() => sent).toEqual(['chart.png', 'ebb.md']);
    await files.setInputFiles([markdown('flow.md')]);
    await page.getByRole('status').filter({ hasText: 'ebb.md' }).waitFor();
    expect(sent).toEqual(['chart.png', 'ebb.md']);
    letThrough();
    await rowOf(page, 'flow.md').getByText('indexed just now').waitFor();
    expect(sent).toEqual(['chart.png', 'ebb.md', 'flow.md']);
    expect(await page.getByRole('alert').filter({ hasText: 'chart.png' }).isVisible()).toBe(true);
  });

  it('goes on with an upload while another page is shown, and says there later what was not taken', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    const { promise: held, resolve: letThrough } = createDeferred();
    await page.route('**/v1/sources/files?*', async (route) => {
      await held;
      await route.continue();
    });
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
    await page.getByLabel('Files to upload').setInputFiles([
      { name: 'map.png', mimeType: 'image/png', buffer: image },
      { ...text, name: 'quay.md' },
    ]);
    await page.getByRole('status').filter({ hasText: 'map.png' }).waitFor();
    const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
    await go('Keys');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await go('Sources');
    await page.getByRole('status').filter({ hasText: 'map.png' }).waitFor();
    await go('Keys');
    const sent = page.waitForResponse(/name=quay\.md/);
    letThrough();
    await sent;
    await go('Sources');
    const refusal = page.getByRole('alert').filter({ hasText: 'map.png' });
    await refusal.waitFor();
    await rowOf(page, 'quay.md').waitFor();
    // It has been seen.
    await expect.poll(() => page.getByRole('progressbar', { name: 'Upload' }).count()).toBe(0);
    await go('Keys');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await go('Sources');
    await rowOf(page, 'quay.md').waitFor();
    expect(await refusal.count()).toBe(0);
  });

  it('uploads a file with the session that another tab has begun', async () => {
    await using opened = await openPage(browser, app.url, { path: '/dashboard/sources', key: app.key });
    const { page } = opened;
    await page.getByText('Drop files anywhere here').waitFor();
    const { cookie } = await signInWithKey(app, app.key);
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: 'Strict' }]);
    await page.getByLabel('Files to upload').setInputFiles({ ...text, name: 'harbour.md' });
    await rowOf(page, 'harbour.md').getByText('indexed just now').waitFor({ timeout: 20_000 });
  });

  it('sends no file of an account to the one that signs in next', async () => {
    const [first, next] = [
      await app.accounts.createKey({ name: 'first', plan: 'pro' }),
      await app.accounts.createKey({ name: 'next', plan: 'pro' }),
    ];
    await using opened = await openPage(browser, app.url, { path: '/dashboard/sources', key: first.plaintext });
    const { page } = opened;
    const { promise: held, resolve: letThrough } = createDeferred();
    const sent: (string | null)[] = [];
    await page.route('**/v1/sources/files?*', async (route) => {
      sent.push(new URL(route.request().url()).searchParams.get('name'));
      if (sent.length > 1) return route.continue();
      await held;
      // As for a session that another one has replaced.
      await route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'No.', retryable: false } } });
    });
    const files = page.getByLabel('Files to upload');
    await files.setInputFiles([
      { ...text, name: 'mine.md' },
      { ...text, name: 'mine-too.md' },
    ]);
    await page.getByRole('status').filter({ hasText: 'mine.md' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(next.plaintext);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Drop files anywhere here').waitFor();
    // An upload of the next account does not wait for it, and what becomes of the other is not said here.
    await files.setInputFiles({ ...text, name: 'own.md' });
    await rowOf(page, 'own.md').getByText('indexed just now').waitFor({ timeout: 20_000 });
    const refusal = page.waitForResponse(/name=mine\.md/);
    letThrough();
    await (await refusal).finished();
    await files.setInputFiles({ ...text, name: 'last.md' });
    await rowOf(page, 'last.md').getByText('indexed just now').waitFor({ timeout: 20_000 });
    expect(sent).toEqual(['mine.md', 'own.md', 'last.md']);
    expect(await page.getByText('mine').count()).toBe(0);
  });

  it('says which field of an upload is refused', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    const issues = [{ type: 'too_big', loc: ['query', 'name'], msg: 'Expected at most 255 characters.' }];
    const error = { code: 'validation_error', message: 'The request is invalid.', retryable: false, issues };
    await page.route('**/v1/sources/files?*', (route) => route.fulfill({ status: 422, json: { error } }));
    await page.getByLabel('Files to upload').setInputFiles({ ...text, name: 'long.md' });
    await page.getByRole('alert').getByText('at most 255 characters').waitFor({ timeout: 20_000 });
  });

  it('adds a URL, and shows why it could not be read', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    await page.getByRole('button', { name: 'Add a URL' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('not a url');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Expected an http or https URL; got "not a url"', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1/closed');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    const row = rowOf(page, '127.0.0.1:1/closed');
    await row.getByText('failed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Index again: http://127.0.0.1:1/closed' }).waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });
});
