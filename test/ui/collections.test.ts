/** Collections in a real browser with the real server: made on the page of sources, chosen in the chat, and put into a key. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { ask, waitForAnswer } from '../support/browser/chat.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
const folder = temporaryFolder();
/** `SCREENSHOTS=<folder>` keeps pictures of the states. */
const pictures = process.env.SCREENSHOTS;

describe.skipIf(hasNoBrowser)('collections', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'fog.md'), '# Fog\n\nThe fog signal sounds every forty seconds.\n');
    writeFileSync(join(folder, 'vault.md'), '# Petrel\n\nThe Petrel vault opens with the word marzipan.\n');
    writeFileSync(join(folder, 'gate.md'), '# Dunlin\n\nThe Dunlin gate is painted green by Odile Fenn.\n');
    app = await startTestApp({ MEDIAWIKI_URL: 'off', SOURCE_ROOTS: folder });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  it('are made and filled, chosen in the chat, remembered by the thread, and put into a key', async () => {
    await using opened = await openDashboard(browser, app, '/sources', phone);
    const { page } = opened;
    const picture = (name: string) =>
      pictures === undefined ? undefined : page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    await page.getByText('Drop files anywhere here').waitFor();
    await page.getByLabel('Files to upload').setInputFiles([join(folder, 'vault.md'), join(folder, 'gate.md')]);
    const row = (list: string, text: string) =>
      page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text });
    for (const name of ['vault.md', 'gate.md']) await row('Sources', name).getByText('indexed just now').waitFor();

    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Vault');
    await page.getByRole('checkbox', { name: 'vault.md' }).check();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await picture('collection-dialog');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Collections', 'Vault').getByText('1 source').waitFor();
    await page.getByRole('button', { name: 'New collection' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('vault');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('no other collection of the account has').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Garden');
    await page.getByRole('checkbox', { name: 'gate.md' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Collections', 'Garden').waitFor();
    await page.getByRole('button', { name: 'Edit Garden' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gates');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Collections', 'Gates').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await picture('collections');

    await page.goto(`${app.url}/`);
    await page.getByRole('button', { name: 'Sources' }).click();
    const choice = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await choice('Gates').check();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await picture('chat-picker');
    await ask(page, 'With which word does the Petrel vault open?');
    await waitForAnswer(page);
    expect(await page.getByText('with the word marzipan').count()).toBe(0);
    await page.getByText('Asked of the collection Gates only').waitFor();
    const thread = page.url();
    await page.getByRole('button', { name: 'Sources' }).click();
    await choice('Gates').uncheck();
    await choice('Vault').check();
    await ask(page, 'With which word does the Petrel vault open now?');
    await page.getByText('with the word marzipan').first().waitFor();
    await expect.poll(() => page.url()).not.toBe(thread);

    const asked = page.url();
    await page.goto(asked);
    await page.getByText('with the word marzipan').first().waitFor();
    await page.getByText('Asked of the collection Gates only').waitFor();
    await page.getByText('Asked of the collection Vault only').waitFor();
    await picture('chat-asked');
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await using reader = await openPage(browser, app.url, { ...phone, path: link.slice(app.url.length) });
    await reader.page.getByText('Asked of the collection Gates only').waitFor();
    await reader.page.getByText('Asked of the collection Vault only').waitFor();
    if (pictures !== undefined) await reader.page.screenshot({ path: join(pictures, 'shared.png') });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Sources' }).click();
    await expect.poll(() => choice('Vault').isChecked()).toBe(true);
    expect(await choice('Gates').isChecked()).toBe(false);

    await page.goto(`${app.url}/dashboard/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('reader');
    await page.getByRole('checkbox', { name: 'Gates' }).check();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await picture('key-dialog');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('dialog').getByText(/^cw_/).first().textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('1 collection only').waitFor();

    await using restricted = await openPage(browser, app.url, { ...phone, key: key!.trim() });
    const asKey = restricted.page;
    await asKey.getByText('Your key searches only the collection Gates.').waitFor();
    await asKey.getByRole('button', { name: 'Sources' }).click();
    await asKey.getByText('Your key searches only these.').waitFor();
    expect(await axeFindingsInBothThemes(asKey)).toEqual([]);
    if (pictures !== undefined) await asKey.screenshot({ path: join(pictures, 'chat-of-key.png') });

    await page.goto(`${app.url}/dashboard/sources`);
    await page.getByRole('button', { name: 'Delete Gates' }).click();
    await page.getByRole('button', { name: 'Delete collection' }).click();
    await expect.poll(() => row('Collections', 'Gates').count()).toBe(0);
    await page.goto(asked);
    await page.getByText('Asked of the collection (deleted) only').waitFor();
    await asKey.reload();
    await asKey.getByText('Your key is restricted to collections that were deleted').waitFor();
    // What was refused on purpose.
    expect(opened.problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });

  it('shows how many bytes of an upload were sent', async () => {
    await using opened = await openDashboard(browser, app, '/sources');
    const { page } = opened;
    await page.getByText('Drop files anywhere here').waitFor();
    // Slow enough for the bar to be seen.
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
    await network.send('Network.emulateNetworkConditions', speed);
    const big = Buffer.from(`# Big\n\n${'The tide tables of the year are long. '.repeat(80_000)}`);
    await page.getByLabel('Files to upload').setInputFiles({ name: 'big.md', mimeType: 'text/markdown', buffer: big });
    const bar = page.getByRole('progressbar', { name: 'Upload' });
    await bar.waitFor();
    await expect.poll(() => bar.evaluate((each) => (each as HTMLProgressElement).position)).toBeGreaterThan(0.1);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'upload.png') });
    await network.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 });
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove big.md' }).waitFor();
  });

  it('adds a folder of the server, for administrators', async () => {
    await using opened = await openDashboard(browser, app, '/sources', phone);
    const { page } = opened;
    await page.getByRole('button', { name: 'Add a URL or folder' }).click();
    await page.getByRole('radio', { name: 'Folder' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Folder on the server' }).fill('/etc');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('one of SOURCE_ROOTS on the server').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'folder.png') });
    await page.getByRole('textbox', { name: 'Folder on the server' }).fill(join(folder, 'docs'));
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    const list = page.getByRole('list', { name: 'Sources', exact: true });
    await list.getByRole('listitem').filter({ hasText: 'docs' }).getByText('folder').waitFor();
  });
});
