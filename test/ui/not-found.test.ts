/** An address of the server at which there is nothing: a page in a browser, JSON for programs. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes, expectAccessible } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, phone } from '../support/browser/browser.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

/** As Chromium opens an address. */
const navigation = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-dest': 'document',
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = navigation, init: RequestInit = {}) =>
  fetch(app.url + path, { headers, redirect: 'manual', ...init });

describe('an unknown path', () => {
  it.each([
    '/nope',
    '/docs/nope',
    '/shared/abc',
    '/assets/nope.js',
    '/not-found',
    '/mcp/nope',
    '/%E0%A4%A',
    '/dashboard/nope',
    '/dashboard/keys/nope',
  ])('is a page with status 404 in a browser: %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toContain('accept,');
    expect(response.headers.get('etag')).toBeNull();
    expect(await response.text()).toContain('<title>Page not found – Citewire</title>');
  });

  it('has the security headers of the other pages', async () => {
    const [missing, home] = await Promise.all([get('/nope'), get('/')]);
    for (const name of [
      ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
      ...['permissions-policy', 'referrer-policy', 'x-content-type-options'],
    ]) {
      expect([name, missing.headers.get(name)]).toEqual([name, expect.any(String)]);
      expect([name, missing.headers.get(name)]).toEqual([name, home.headers.get(name)]);
    }
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0', ''])(
    'is JSON for a program that accepts "%s"',
    async (accept) => {
      const response = await get('/nope', { accept });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );

  it.each(['/v1', '/v1/nope', '/v1/search/nope/more', '/.well-known/oauth-authorization-server'])(
    'is JSON for everyone where only programs ask: %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('is JSON for other methods', async () => {
    const response = await get('/nope', navigation, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('detail');
  });

  it('has no body for HEAD', async () => {
    const response = await get('/nope', navigation, { method: 'HEAD' });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  it('is compressed like the other pages', async () => {
    const response = await get('/nope', { ...navigation, 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toContain('<!doctype html>');
  });
});

it.each([
  ['/docs/', '/docs'],
  ['/docs/api/?a=1', '/docs/api?a=1'],
  ['/shared/', '/shared'],
])('leads from a page with a slash at its end to the page: %s', async (path, page) => {
  const response = await get(path);
  expect(response.status).toBe(308);
  expect(response.headers.get('location')).toBe(page);
});

it('keeps the status of a path that has other methods', async () => {
  expect((await get('/tavily/search')).status).toBe(405);
});

describe.skipIf(hasNoBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** The console reports the status of the page itself. */
  const others = (problems: readonly string[]) => problems.filter((problem) => !problem.includes('404'));

  it('says what was not found, and leads to the start page', async () => {
    await using opened = await openPage(browser, app.url, { path: '/wiki/Z%C3%BCrich%20See?x=1' });
    const { page, problems } = opened;
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByText('There is no page at /wiki/Zürich See.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect(others(problems)).toEqual([]);
  });

  it('is no section of the dashboard', async () => {
    await using opened = await openDashboard(browser, app);
    const links = opened.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    const paths = await links.evaluateAll((all) =>
      all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    );
    expect(paths).toContain('/dashboard/accounts');
    const deeper = [
      '/dashboard/',
      '/dashboard/sign-in',
      '/dashboard/searches/s_1',
      '/dashboard/designs/new',
      '/dashboard/apis/a',
    ];
    for (const path of [...paths, ...deeper]) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('speaks the language of the browser', async () => {
    await using opened = await openPage(browser, app.url, { path: '/nope', locale: 'de-CH' });
    await opened.page.getByRole('heading', { name: 'Seite nicht gefunden' }).waitFor();
    await opened.page.getByText('Unter /nope gibt es keine Seite.').waitFor();
    expect(await opened.page.title()).toBe('Seite nicht gefunden – Citewire');
  });

  it('shows markup and endless words of an address as text, without scrolling sideways', async () => {
    const path = `/${encodeURIComponent('<img src=x onerror=window.hacked=1>')}${'long'.repeat(80)}`;
    await using opened = await openPage(browser, app.url, { ...phone, path });
    await opened.page.getByText('<img src%3Dx onerror').waitFor();
    expect(await opened.page.evaluate(() => 'hacked' in window)).toBe(false);
    await expectAccessible(opened.page);
  });
});
