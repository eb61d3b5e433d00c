/** Which model answers, in the chat: always to be seen, to choose where there are several, and what it cannot do is disabled. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, phone } from '../support/browser/browser.ts';
import { ask, searchIdOf, slowly, waitForAnswer } from '../support/browser/chat.ts';
import { type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the model in the chat', () => {
  let model: ModelServer;
  let app: TestApp;
  let alone: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    model = await startModelServer(slowly(1));
    const MODELS = 'scripted,a-model-with-quite-a-long-name-2026-11-22-preview-instruct';
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

  it('says that there is none, with the question and with the answer, and does not take an image', async () => {
    await using opened = await openPage(browser, alone.url, { key: alone.key, ...phone });
    const { page } = opened;
    await page.locator('.model-picker').getByText('No model: quotes only').waitFor();
    expect(await page.getByLabel('Model', { exact: true }).count()).toBe(0);
    const button = page.getByRole('button', { name: /^Add image\. Images need a vision model/ });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.press('Enter');
    await page.locator('.toast').getByText('Images need a vision model; this server has none.').waitFor();
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: /steps · .* No model: quotes only/ }).waitFor();
    await expectAccessible(page);
    expect(opened.problems).toEqual([]);
  });

  it('is chosen from several, stays chosen after a reload, and answers what is asked from then on', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, ...phone });
    const { page } = opened;
    const picker = page.getByLabel('Model', { exact: true });
    await picker.waitFor();
    expect(await picker.locator('option').allTextContents()).toEqual([
      'scripted',
      'a-model-with-quite-a-long-name-2026-11-22-preview-instruct',
      'No model: quotes only',
    ]);
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: /steps · .* scripted$/ }).waitFor();
    await picker.selectOption('extractive');
    await page.reload();
    await waitForAnswer(page);
    expect(await picker.inputValue()).toBe('extractive');
    const calls = model.calls.length;
    await page.getByRole('button', { name: 'Ask again' }).click();
    await waitForAnswer(page);
    await page.getByRole('button', { name: /steps · .* No model: quotes only/ }).waitFor();
    expect(model.calls.length).toBe(calls);
    const stored = await (await app.get(`/v1/search/${searchIdOf(page)}`)).json();
    expect(stored).toMatchObject({ usage: { models: ['extractive'] } });
    await picker.selectOption({ index: 1 });
    await expectAccessible(page);
    expect(opened.problems).toEqual([]);
  });

  it('that sees no images has an attached one removed, and says why', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByLabel('Model', { exact: true }).waitFor();
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.locator('input[accept="image/*"]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await page.getByAltText('Attached to the question').waitFor();
    await page.getByLabel('Model', { exact: true }).selectOption('extractive');
    await page
      .locator('.toast')
      .getByText(/is not one\. The image was removed/)
      .waitFor();
    expect(await page.getByAltText('Attached to the question').count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  it('that fails is said with its reason, next to the quotes that take the place of its answer', async () => {
    const { script } = model;
    model.script = () => ({ status: 401 });
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page).finally(() => {
      model.script = script;
    });
    await page.getByText(/continued without the model: its endpoint refused the key/).waitFor();
    expect(opened.problems).toEqual([]);
  });
});
