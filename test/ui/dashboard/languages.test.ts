/** The dashboard in every interface language, in a real browser with the real server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { newSignInPath } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the dashboard', () => {
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

  it.each([
    ['de', 'Nutzung', 'Aufrufe, letzte Stunde'],
    ['fr', 'Utilisation', 'Appels, dernière heure'],
    ['es', 'Uso', 'Llamadas, última hora'],
    ['zh-CN', '用量', '调用，最近一小时'],
  ])('is in the language of the browser: %s', async (locale, title, chart) => {
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale });
    const { page, problems } = opened;
    await page.locator('#composer, textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByText(chart, { exact: true }).waitFor();
    const preloaded = await page.locator('link[rel=modulepreload]').evaluateAll((links) => links.length);
    expect(preloaded).toBeGreaterThan(1);
    await page.setViewportSize({ width: 360, height: 740 });
    const beyondCard = await page.locator('.segments').evaluateAll((all) =>
      all.map((each) => {
        const card = each.closest('section')!.getBoundingClientRect();
        return Math.max(0, each.getBoundingClientRect().right - card.right);
      }),
    );
    expect(beyondCard).toEqual([0, 0]);
    const logo = await page.locator('.brand svg').first().boundingBox();
    expect(logo?.width).toBe(logo?.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(problems).toEqual([]);
  });

  it.each([
    ['/searches', 'Suchen', 'Noch keine Suchen'],
    ['/searches/refused', 'Abgelehnte Aufrufe', 'Keine abgelehnten Aufrufe'],
    ['/playground', 'Testbereich', 'Als Programm'],
    ['/sources', 'Quellen', 'Dateien hochladen'],
    ['/feedback', 'Bewertungen', 'Noch keine Bewertungen'],
    ['/keys', 'Schlüssel', 'Neuer Schlüssel'],
    ['/schedules', 'Zeitpläne', 'Noch keine Zeitpläne'],
    ['/webhooks', 'Webhooks', 'Noch keine Webhooks'],
  ])('says everything of a page in German: %s', async (path, title, words) => {
    const { id } = await app.accounts.createAccount({ name: `conto ${path}`, plan: 'starter' });
    const options = { path: await newSignInPath(app, id), locale: 'de', viewport: { width: 360, height: 740 } };
    await using opened = await openPage(browser, app.url, options);
    const { page, problems } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard${path}`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByText(words, { exact: true }).first().waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it.each(['de', 'fr', 'es'])('shows the filters of searches whole where there is room: %s', async (locale) => {
    const viewport = { width: 1440, height: 800 };
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale, viewport });
    const { page } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard/searches`);
    const filters = page.locator('.filters select');
    await expect.poll(() => filters.count()).toBe(4);
    const lacking = await filters.evaluateAll((all) =>
      (all as HTMLSelectElement[]).map((select) => {
        const width = select.offsetWidth;
        select.replaceChildren(select.selectedOptions[0]!);
        select.style.width = 'max-content';
        return Math.max(0, select.offsetWidth - width);
      }),
    );
    expect(lacking).toEqual([0, 0, 0, 0]);
  });

  it('names the steps of a search in German', async () => {
    const found = await app.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' });
    const { search_id } = (await found.json()) as { search_id: string };
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale: 'de' });
    const { page } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard/searches/${search_id}`);
    const steps = page.locator('.span-name');
    await expect.poll(() => steps.allTextContents()).toContain('Frage wird gelesen');
    expect((await steps.allTextContents()).join(' ')).not.toMatch(/Search|Writ|Plann|Check/);
    // The legend calls them what the list does.
    const names = await steps.allTextContents();
    for (const name of await page.getByRole('list', { name: 'Legende' }).getByRole('listitem').allTextContents())
      expect(names).toContain(name.trim());
  });

  it('names the events of webhooks in German, and why one is disabled', async () => {
    const created = await app.post('/v1/webhooks', {
      url: 'https://example.org/hook',
      events: ['search.completed', 'search.failed'],
    });
    const { webhook_id } = (await created.json()) as { webhook_id: string };
    await app.post(`/v1/webhooks/${webhook_id}/test`, {});
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale: 'de' });
    const { page } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard/webhooks`);
    const hooks = page.getByRole('list', { name: 'Webhooks' });
    await hooks.getByText('Suche abgeschlossen und Suche fehlgeschlagen').waitFor();
    await page.getByRole('list', { name: 'Zustellungen' }).getByText('Testereignis').waitFor();
    await page.getByRole('button', { name: /deaktivieren$/ }).click();
    await hooks.getByText('Vom Konto deaktiviert.').waitFor();
  });

  it('says in German why a source could not be read, a file is refused and a form is wrong', async () => {
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale: 'de' });
    const { page } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard/sources`);
    const choose = page.getByLabel('Hochzuladende Dateien');
    await choose.setInputFiles({
      name: 'bild.png',
      mimeType: 'image/png',
      buffer: Buffer.from('\x89PNG\r\n', 'latin1'),
    });
    await page.getByText(/bild\.png: Erwartet wird Markdown, /).waitFor();
    const large = { name: 'archiv.md', mimeType: 'text/markdown', buffer: Buffer.alloc(20 * 1024 * 1024 + 1, 'a') };
    await choose.setInputFiles(large);
    await page.getByText(/^archiv\.md: Zu groß: \S+ \S+\. Dateien dürfen höchstens .+ haben\.$/).waitFor();
    await page.getByRole('button', { name: 'URL hinzufügen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('keine');
    await dialog.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
    await dialog
      .getByText('Erwartet wird eine URL mit http oder https; angegeben ist "keine"', { exact: true })
      .waitFor();
    await dialog.getByLabel('URL').fill('http://127.0.0.1/');
    await dialog.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
    await page.getByText('1 Seite konnte nicht gelesen werden').click();
    await page.getByText('127.0.0.1 ist keine öffentliche Internetadresse.').waitFor();
  });

  it('changes its language by its menu', async () => {
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app) });
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nutzung' }).waitFor();
  });
});
