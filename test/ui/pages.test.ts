/** The pages are served with safe headers and load nothing from other origins. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const paths = ['/', '/dashboard', '/dashboard/keys', '/shared', '/docs', '/docs/api'];

describe.each(paths)('the page %s', (path) => {
  it('allows only own scripts and nothing from other origins on a page', async () => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|https?:/);
  });

  it('refers to files that are cached permanently and served compressed', async () => {
    const html = await (await fetch(app.url + path)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const whole = await fetch(app.url + file, { headers: { 'accept-encoding': 'identity' } });
      expect(whole.headers.get('cache-control')).toContain('immutable');
      expect(whole.headers.get('content-encoding')).toBeNull();
      const text = await whole.text();
      for (const coding of ['br', 'gzip']) {
        const response = await fetch(app.url + file, { headers: { 'accept-encoding': coding } });
        // Fewer bytes would become more.
        if (text.length < 300 && response.headers.get('content-encoding') === null) continue;
        expect(response.headers.get('content-encoding')).toBe(coding);
        expect(Number(response.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(text));
        expect(response.headers.get('etag')).not.toBe(whole.headers.get('etag'));
        expect(await response.text()).toBe(text);
      }
    }
  });

  it('links the description of the search engine, which names this server', async () => {
    const html = await (await fetch(app.url + path)).text();
    const [, href] = /<link rel="search" type="application\/opensearchdescription\+xml" [^>]*href="([^"]+)"/.exec(
      html,
    )!;
    const response = await fetch(new URL(href!, app.url));
    expect(response.headers.get('content-type')).toBe('application/opensearchdescription+xml; charset=utf-8');
    expect(await response.text()).toContain(`template="${app.url}/?q={searchTerms}"`);
  });

  it('answers 304 when the browser has the current version of a page', async () => {
    const first = await fetch(app.url + path);
    const etag = first.headers.get('etag')!;
    const again = await fetch(app.url + path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const other = await fetch(app.url + path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('answers HEAD with headers only', async () => {
    const response = await fetch(app.url + path, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await response.text()).toBe('');
  });

  it('leaves other methods to the API', async () => {
    const response = await fetch(app.url + path, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('detail');
  });
});

describe.skipIf(hasNoBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(paths)('renders %s without errors', async (path) => {
    await using opened = await openPage(browser, app.url, { path });
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('keeps the chosen theme from the first paint on', async () => {
    await using opened = await openPage(browser, app.url, { colorScheme: 'light' });
    const { page } = opened;
    const schemeOf = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await schemeOf()).toBe('light dark');
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('button', { name: /^Theme: light/ }).click();
    expect(await schemeOf()).toBe('dark');
    await page.reload({ waitUntil: 'commit' });
    await page.locator('body').waitFor({ state: 'attached' });
    // The style sheet may still be on its way: nothing is drawn before it is there.
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.waitForLoadState();
    expect(await schemeOf()).toBe('dark');
  });
});
