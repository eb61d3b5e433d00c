/**
 * Takes the README's screenshots of the pages with a real server and a real browser: `node --import tsx
 * tools/screenshots.ts`. The server answers from the documentation of the installed packages, with nothing configured.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startApp } from '../src/app/app.ts';
import { installedPackages } from '../src/app/installed-packages.ts';
import { readConfig } from '../src/base/config.ts';
import { createLog } from '../src/base/log.ts';
import { openBrowser, openPage, type PageOptions } from '../test/support/browser/browser.ts';
import { ask, waitForAnswer } from '../test/support/browser/chat.ts';
import { newSignInPath } from '../test/support/browser/dashboard.ts';

const folder = fileURLToPath(new URL('../assets/', import.meta.url));
/** Set by hand, so that the README loads quickly. */
const maxBytes = 300 * 1024;
const question = 'How do I check a citation?';
/** Asked before, so that the list of threads shows more than one. */
const others = ['How do I index my own documents?', 'How do I share a conversation?', 'What is a design?'];

const dataDir = await mkdtemp(join(tmpdir(), 'citewire-screenshots-'));
const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const app = await startApp(config, createLog(config.logLevel));
await app.corpus.index({ kind: 'packages', path: installedPackages()! });
for (const prompt of others) await call('POST', '/v1/search', { prompt, thread: true });
const browser = await openBrowser({ env: await withGoodFonts() });
try {
  const wide = { viewport: { width: 1280, height: 800 } };
  await screenshot(browser, 'chat-light.png', { ...wide, colorScheme: 'light' }, asked(readCitation));
  await screenshot(browser, 'chat-dark.png', { ...wide, colorScheme: 'dark' }, asked(pointAtCitation));
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 };
  await screenshot(browser, 'chat-phone.png', { ...phone, colorScheme: 'dark' }, asked(tapCitation));
  const signedIn = async () => ({ ...wide, path: await newSignInPath(app) });
  await screenshot(browser, 'designer.png', { ...(await signedIn()), colorScheme: 'light' }, design);
  await screenshot(browser, 'dashboard.png', { ...(await signedIn()), colorScheme: 'dark' }, openSearch);
} finally {
  await browser.close();
  await app.close(0);
  await rm(dataDir, { recursive: true });
}

async function screenshot(
  browser: Browser,
  name: string,
  options: PageOptions,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  await using opened = await openPage(browser, app.url, { key: app.developmentKey!.plaintext, ...options });
  const { page } = opened;
  await show(page);
  // Colours have a transition.
  await page.waitForTimeout(400);
  await page.screenshot({ path: folder + name });
  const { size } = await stat(folder + name);
  if (size > maxBytes) throw new Error(`expected ${name} to be at most ${maxBytes} bytes; got ${size}`);
  process.stdout.write(`${name}: ${Math.ceil(size / 1024)} KiB\n`);
}

/** Inter, if it is installed, in place of the system fonts of a server, which few people have on their screens. */
async function withGoodFonts(): Promise<Record<string, string>> {
  const file = join(dataDir, 'fonts.conf');
  const alias = (family: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`;
  const rules = ['system-ui', 'sans', 'sans-serif'].map(alias).join('');
  const system = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>';
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${system}${rules}</fontconfig>`);
  return { PATH: process.env.PATH ?? '', HOME: dataDir, FONTCONFIG_FILE: file };
}

/** Calls the server with the key and rejects unless it succeeds; resolves with the JSON that it answers. */
async function call(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(app.url + path, {
    method,
    headers: { 'x-api-key': app.developmentKey!.plaintext, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

/** Removes the thread of an earlier screenshot. */
async function forget(): Promise<void> {
  const { items } = (await call('GET', '/v1/threads')) as { items: { thread_id: string; title: string }[] };
  for (const { thread_id } of items.filter(({ title }) => title === question)) {
    await call('DELETE', `/v1/threads/${thread_id}`);
  }
}

/** Asks the question in the chat, waits for the answer, and then shows a part of it. */
function asked(act: (page: Page) => Promise<void>) {
  return async (page: Page) => {
    await forget();
    await ask(page, question);
    await waitForAnswer(page);
    await act(page);
  };
}

async function readCitation(page: Page): Promise<void> {
  await page.locator('.marker').first().click();
  await page.locator('.reader .cited').first().waitFor();
  // Away from the markers, which have moved under the pointer.
  await page.mouse.move(1, 1);
}

async function pointAtCitation(page: Page): Promise<void> {
  const marker = page.locator('.marker').first();
  await marker.scrollIntoViewIfNeeded();
  // Scrolling closes the quotes, and its event comes with the next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  await marker.hover();
  await page.getByRole('tooltip').waitFor();
}

async function tapCitation(page: Page): Promise<void> {
  await page.locator('.marker').first().tap();
  await page.getByRole('tooltip').waitFor();
}

/** The link to sign in leads to the chat. */
async function openDashboard(page: Page): Promise<void> {
  await page.getByLabel('Your question').waitFor();
  await page.goto(`${app.url}/dashboard`);
}

async function design(page: Page): Promise<void> {
  await openDashboard(page);
  await page.getByRole('link', { name: 'Designs' }).click();
  await page.getByRole('button', { name: 'New design' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Default timeouts');
  await page.getByLabel('Description').fill('The option that sets a timeout, and its default.');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('How long does {{package}} wait for {{what}} by default?');
  await page.getByText('Structured data').click();
  await page.getByRole('textbox', { name: 'Field name' }).fill('option');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('textbox', { name: 'Field name' }).last().fill('default_ms');
  await page.getByLabel('Type of default_ms').selectOption('Number');
  const tryIt = page.getByRole('region', { name: 'Try it' });
  await tryIt.getByRole('textbox', { name: 'package' }).fill('undici');
  await tryIt.getByRole('textbox', { name: 'what' }).fill('headers');
  await tryIt.getByRole('button', { name: 'Run' }).click();
  await page.getByText('Timeline and cost').waitFor();
  await page.evaluate('scrollTo(0, 0)');
}

async function openSearch(page: Page): Promise<void> {
  await openDashboard(page);
  await page.getByRole('link', { name: 'Searches', exact: true }).click();
  await page.getByRole('link', { name: question }).first().click();
  await page.getByText('Writing the answer').waitFor();
}
