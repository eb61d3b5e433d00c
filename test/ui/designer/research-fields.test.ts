/** The model and the collections of a design: chosen in its form, shown as changes, and what cannot work says why. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { slowly } from '../../support/browser/chat.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { createDesign, publish } from '../../support/design.ts';
import { request } from '../../support/requests.ts';
import { type ModelServer, startModelServer } from '../../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the model and the collections of a design', () => {
  let model: ModelServer;
  let app: TestApp;
  let alone: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    model = await startModelServer(slowly(1));
    const MODELS = 'scripted,larger';
    app = await startTestApp({ MODELS, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' });
    alone = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await alone[Symbol.asyncDispose]();
    await model.close();
  });

  const draftOf = async (api_id: string) => (await app.get(`/v1/design-api/${api_id}`)).json();

  it('are chosen in the form, are shown by name before publishing, and are removed again', async () => {
    const { collection_id } = (await (await app.post('/v1/collections', { name: 'Handbook' })).json()) as {
      collection_id: string;
    };
    const { api_id } = await createDesign(app, { api_stub: 'chosen', examples: [] });
    await publish(app, api_id);
    await using opened = await openDashboard(browser, app, `/designs/${api_id}`);
    const { page } = opened;
    const picker = page.getByLabel('Model', { exact: true });
    await expect
      .poll(() => picker.locator('option').allTextContents())
      .toEqual(['Default (scripted)', 'scripted', 'larger', 'No model: quotes only']);
    await picker.selectOption('larger');
    await page.getByRole('checkbox', { name: 'Handbook' }).check();
    await page.getByText('Only the selected collections are searched, not the web.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save and publish…' }).click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('definition').allTextContents())
      .toEqual(['[added: larger] ', '[added: Handbook] ']);
    expect(await draftOf(api_id)).toMatchObject({ model: 'larger', collections: [collection_id] });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await picker.selectOption('');
    await page.getByRole('checkbox', { name: 'Handbook' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => draftOf(api_id)).not.toHaveProperty('model');
    expect(await draftOf(api_id)).not.toHaveProperty('collections');
    expect(opened.problems).toEqual([]);
  });

  it('say that a model or a collection is no longer there', async () => {
    const { collection_id } = (await (await app.post('/v1/collections', { name: 'Old' })).json()) as {
      collection_id: string;
    };
    const { api_id } = await createDesign(app, { api_stub: 'gone', model: 'gone', collections: [collection_id] });
    await request(app, 'DELETE', `/v1/collections/${collection_id}`);
    await using opened = await openDashboard(browser, app, `/designs/${api_id}`);
    const { page } = opened;
    await page.getByText('This server has no model “gone”').waitFor();
    await page.getByRole('checkbox', { name: `${collection_id} (deleted)` }).click();
    await page.getByLabel('Model', { exact: true }).selectOption('scripted');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => draftOf(api_id)).toMatchObject({ model: 'scripted' });
    expect(await draftOf(api_id)).not.toHaveProperty('collections');
    expect(opened.problems).toEqual([]);
  });

  it('are disabled where there is nothing to choose, and say why', async () => {
    await using opened = await openDashboard(browser, alone, '/designs/new', { viewport: { width: 360, height: 700 } });
    const { page } = opened;
    await page.getByText('This server has no language model: answers are quotes from the sources.').waitFor();
    expect(await page.getByLabel('Model', { exact: true }).isDisabled()).toBe(true);
    await page.getByText('The account has no collections yet.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(opened.problems).toEqual([]);
  });
});
