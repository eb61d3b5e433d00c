/** The designer in every interface language, in a real browser with the real server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { newSignInPath } from '../../support/browser/dashboard.ts';
import { createDesign, publish } from '../../support/design.ts';
import { request } from '../../support/requests.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const texts = {
  de: {
    run: 'Ausführen',
    answered: 'beantwortet',
    publish: 'Veröffentlichen …',
    changes: 'Änderungen seit Version 1',
    cancel: 'Abbrechen',
    versions: 'Versionen',
    retire: 'Zurückziehen: Version 1',
    effort: '[entfernt: Ausgewogen] [hinzugefügt: Gründlich] ',
    example: 'Dieses Beispiel verwenden',
  },
  fr: {
    run: 'Exécuter',
    answered: 'répondu',
    publish: 'Publier…',
    changes: 'Modifications depuis la version 1',
    cancel: 'Annuler',
    versions: 'Versions',
    retire: 'Retirer la version 1',
    effort: '[supprimé: Équilibré] [ajouté: Approfondi] ',
    example: 'Utiliser cet exemple',
  },
  es: {
    run: 'Ejecutar',
    answered: 'respondida',
    publish: 'Publicar…',
    changes: 'Cambios desde la versión 1',
    cancel: 'Cancelar',
    versions: 'Versiones',
    retire: 'Retirar la versión 1',
    effort: '[eliminado: Equilibrado] [añadido: Profundo] ',
    example: 'Usar este ejemplo',
  },
  'zh-CN': {
    run: '运行',
    answered: '已回答',
    publish: '发布…',
    changes: '自版本 1 以来的更改',
    cancel: '取消',
    versions: '版本',
    retire: '停用版本 1',
    effort: '[删除: 均衡] [新增: 深入] ',
    example: '使用此示例',
  },
} as const;

describe.skipIf(hasNoBrowser)('the designer', () => {
  let app: TestApp;
  let browser: Browser;
  let api_id: string;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
    ({ api_id } = await createDesign(app, { api_stub: 'in-languages' }));
    await publish(app, api_id);
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { effort: 'deep' });
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  it.each(Object.entries(texts))('is in the language of the browser, at 360 px too: %s', async (locale, expected) => {
    const viewport = { width: 360, height: 800 };
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale, viewport });
    const { page, problems } = opened;
    await page.locator('textarea').first().waitFor();
    const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.goto(`${app.url}/dashboard/designs/${api_id}`);
    await page.getByRole('button', { name: expected.run, exact: true }).click();
    await page.getByText(expected.answered, { exact: true }).waitFor();
    await fits();
    expect(await axeFindingsInBothThemes(page), 'after a run').toEqual([]);
    await page.getByRole('button', { name: expected.publish, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(expected.changes).waitFor();
    await expect.poll(() => dialog.getByRole('definition').allTextContents()).toEqual([expected.effort]);
    await dialog.getByRole('button', { name: expected.cancel, exact: true }).click();
    await page.getByRole('tab', { name: expected.versions, exact: true }).click();
    await page.getByRole('button', { name: expected.retire, exact: true }).waitFor();
    await fits();
    expect(await axeFindingsInBothThemes(page), 'versions').toEqual([]);
    await page.goto(`${app.url}/dashboard/apis/in-languages`);
    await page.getByRole('button', { name: expected.example, exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'building' }).inputValue()).toBe('Heron Point Lighthouse');
    await fits();
    expect(problems).toEqual([]);
  });

  it('says in German what is wrong with a prompt, a path and a template', async () => {
    await using opened = await openPage(browser, app.url, { path: await newSignInPath(app), locale: 'de' });
    const { page } = opened;
    await page.locator('textarea').first().waitFor();
    await page.goto(`${app.url}/dashboard/designs/new`);
    await page.getByLabel('Name', { exact: true }).fill('Miete');
    await page.getByLabel('Pfad', { exact: true }).fill('Nicht gut');
    const prompt = page.getByLabel('Prompt', { exact: true });
    await prompt.fill('Wie hoch ist {{1x}}?');
    expect(
      await page.getByText(/^Erwartet wird der Name einer Eingabe .*; angegeben ist "\{\{1x\}\}"\.$/).count(),
    ).toBe(2);
    await prompt.fill('Wie hoch ist die Miete?');
    await page.getByText('Strukturierte Daten').click();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByLabel('Vorlage', { exact: true }).fill('{"a": "nmber"}');
    await page.getByText(/^a: erwartet wird "string", .*; angegeben ist "nmber"/).waitFor();
    await page.getByLabel('Vorlage', { exact: true }).fill('{"a": "number"}');
    await page.getByRole('button', { name: 'Entwurf anlegen' }).click();
    await page.getByText('Pfad: erwartet werden Kleinbuchstaben').waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/\b(?:expected|got)\b/);
  });
});
