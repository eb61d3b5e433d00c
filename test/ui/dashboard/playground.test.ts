/** The playground in a real browser: a request beside its events, and programs that do the same. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../../../src/ui/dashboard/playground/samples.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { hasCommand } from '../../support/processes/has-command.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const run = promisify(execFile);
const [hasCurl, hasPython] = await Promise.all([hasCommand('curl'), hasCommand('python3')]);
const request = { prompt: `Who's the "designer" of $HOME \`x\` \\n Heron Point?`, answer: false };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(async () => app[Symbol.asyncDispose]());

const sample = (language: keyof typeof samples) =>
  samples[language]({ origin: app.url, request, transport: 'sse' }).replace('<API_KEY>', app.key);

describe('the programs of the playground', () => {
  it('has a program in TypeScript that runs where there is no WebSocket', () => {
    expect(samples.typescript({ origin: app.url, request, transport: 'websocket' })).not.toContain('transport');
    expect(sample('typescript')).toContain("transport: 'sse'");
  });

  it.skipIf(!hasCurl)('has a command for curl that prints the events', async () => {
    const { stdout } = await run('sh', ['-c', sample('curl')]);
    expect(stdout).toContain('event: search.completed');
  });

  it.skipIf(!hasPython)('has a program in Python that prints the events', async () => {
    const { stdout } = await run('python3', ['-c', sample('python')]);
    expect(stdout).toMatch(/^1 search\.accepted /);
    expect(stdout).toContain(' search.completed ');
    const { items } = (await (await app.get('/v1/search?limit=1')).json()) as { items: { prompt: string }[] };
    expect(items[0]?.prompt).toBe(request.prompt);
  });
});

describe.skipIf(hasNoBrowser)('the playground', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(['WebSocket', 'Event stream'])('runs a request and shows its raw events: %s', async (transport) => {
    await using opened = await openDashboard(browser, app, '/playground');
    const { page } = opened;
    await page.getByLabel('Request').fill('{"prompt": ');
    await page.getByText(/^Expected JSON/).waitFor();
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
    await page.getByLabel('Request').fill('{"prompt": "Who designed the Heron Point Lighthouse?"}');
    await page.getByText(transport, { exact: true }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByRole('status')
      .getByText(/^\d+ events$/)
      .waitFor();
    const events = await page
      .getByRole('region', { name: 'Events' })
      .getByRole('listitem')
      .locator('code')
      .allTextContents();
    const parsed = events.map((text) => JSON.parse(text) as { type: string });
    expect(parsed[0]).toMatchObject({ type: 'search.accepted' });
    expect(parsed.at(-1)).toMatchObject({ type: 'search.completed' });
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('import urllib.request').waitFor();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.getByText("from 'citewire/client'").waitFor();
    expect(await page.getByText("transport: 'sse'").count()).toBe(transport === 'WebSocket' ? 0 : 1);
    await page.getByRole('link', { name: 'Open the search' }).click();
    await page.getByRole('heading', { name: 'Who designed the Heron Point Lighthouse?' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('proposes a request that the index answers', async () => {
    // The index has no documentation of Citewire, as after a first upload.
    await expect
      .poll(async () => ((await (await app.get('/v1/suggestions')).json()) as { questions: string[] }).questions.length)
      .toBeGreaterThan(0);
    await using opened = await openDashboard(browser, app, '/playground');
    const { page } = opened;
    const run = page.getByRole('button', { name: 'Run' });
    await expect.poll(() => run.isEnabled()).toBe(true);
    await run.click();
    await page
      .getByRole('status')
      .getByText(/^\d+ events$/)
      .waitFor();
    const last = await page
      .getByRole('region', { name: 'Events' })
      .getByRole('listitem')
      .last()
      .locator('code')
      .textContent();
    expect(JSON.parse(last ?? '')).toMatchObject({ type: 'search.completed', result: { status: 'answered' } });
  });

  it('keeps the edited request while another page is shown, and says where it is no JSON', async () => {
    await using opened = await openPage(browser, app.url, {
      key: app.key,
      path: '/dashboard/playground',
      locale: 'de',
    });
    const { page } = opened;
    const request = page.locator('.playground-request textarea');
    const edited = '{"prompt": Leuchtturm}';
    await request.fill(edited);
    await page.getByText('Erwartet wurde JSON; Fehler in Zeile 1, Zeichen 12.').waitFor();
    await page.getByRole('link', { name: 'Schlüssel', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Schlüssel' }).waitFor();
    await page.goBack();
    await expect.poll(() => request.inputValue()).toBe(edited);
  });

  it('shows why the server refuses a request', async () => {
    await using opened = await openDashboard(browser, app, '/playground');
    const { page } = opened;
    await page.getByLabel('Request').fill('{"prompt": 7}');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').getByText('validation_error').waitFor();
  });

  it.each([1280, 360])('has no accessibility violation and no horizontal overflow at %i px', async (width) => {
    await using opened = await openDashboard(browser, app, '/playground', { viewport: { width, height: 800 } });
    const { page } = opened;
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByRole('status')
      .getByText(/^\d+ events$/)
      .waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(opened.problems).toEqual([]);
  });
});
