/** The editor of templates, in the chat and in the designer: what is missing is said when it is time, and nothing gets lost. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage, phone } from '../support/browser/browser.ts';
import { ask, question, waitForAnswer } from '../support/browser/chat.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const noName = 'A field has no name yet.';

describe.skipIf(hasNoBrowser)('the template editor', () => {
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

  const openNewDesign = async () => {
    const opened = await openDashboard(browser, app, '/designs/new');
    await opened.page.getByText('Structured data').click();
    return opened;
  };
  const names = (page: Page) => page.getByRole('textbox', { name: 'Field name' });
  const isFocused = (page: Page, at: number) =>
    names(page)
      .nth(at)
      .evaluate((field) => field === document.activeElement);

  it('says that a field has no name once it has been left, not while it is new', async () => {
    await using opened = await openNewDesign();
    const { page } = opened;
    await names(page).fill('designer');
    await page.getByRole('button', { name: 'Add field' }).click();
    expect(await names(page).count()).toBe(2);
    expect(await isFocused(page, 1)).toBe(true);
    await page.getByLabel('Type of the field').selectOption('Number');
    expect(await page.getByText(noName).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Description' }).click();
    await page.getByText(noName).waitFor();
    expect(await names(page).nth(1).getAttribute('aria-invalid')).toBe('true');
    await names(page).nth(1).fill('year');
    await page.getByText(noName).waitFor({ state: 'detached' });
    // The next one is new again.
    await page.getByRole('button', { name: 'Add field' }).click();
    expect(await isFocused(page, 2)).toBe(true);
    expect(await page.getByText(noName).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  it('shows what is wrong on a phone, where the editor scrolls, once the question is sent', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, ...phone });
    const { page } = opened;
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Template' }).fill('{"designer": }');
    await page.locator('.panel').evaluate((panel) => panel.scrollTo(0, 0));
    await ask(page);
    await expect
      .poll(() =>
        page.evaluate<number>(`document.querySelector('.template-issues').getBoundingClientRect().bottom -
          document.querySelector('.panel').getBoundingClientRect().bottom`),
      )
      .toBeLessThanOrEqual(0);
    expect(await page.getByRole('textbox', { name: 'Template' }).evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
  });

  it('says which field of a group has no name', async () => {
    await using opened = await openNewDesign();
    const { page } = opened;
    await names(page).fill('building');
    await page.getByLabel('Type of building').selectOption('Group');
    expect(await page.getByText(/has no name yet/).count()).toBe(0);
    await names(page).nth(1).focus();
    await names(page).first().focus();
    await page.getByText('A field of building has no name yet.').waitFor();
  });

  it.each(['Create design', 'Run'])('shows and focuses the missing name when it is needed: %s', async (button) => {
    await using opened = await openNewDesign();
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Without a name ${button}`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill(question);
    await page.getByRole('button', { name: button }).click();
    await page.getByText(noName).waitFor();
    await expect.poll(() => isFocused(page, 0)).toBe(true);
    const { items } = (await (await app.get('/v1/design-api')).json()) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).not.toContain(`Without a name ${button}`);
    await names(page).fill('designer');
    await page.getByRole('button', { name: button }).click();
    await (button === 'Run' ? page.getByText('answered') : page.getByText('Saved', { exact: true }).first()).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('uses the fields once they are shown again, and keeps JSON that is not valid yet', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await names(page).fill('designer');
    const json = page.getByRole('tab', { name: 'JSON' });
    const fields = page.getByRole('tab', { name: 'Fields' });
    const text = page.getByRole('textbox', { name: 'Template' });
    await json.click();
    await text.fill('{"designer": "string", "year"');
    await fields.click();
    await json.click();
    expect(await text.inputValue()).toBe('{"designer": "string", "year"');
    await ask(page);
    await page.locator('.template-issues li').waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    await fields.click();
    expect(await page.locator('.template-issues li').count()).toBe(0);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await waitForAnswer(page);
    await page.locator('.leaf').getByText('Ingrid Solvay').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('writes the JSON again after a field has changed', async () => {
    await using opened = await openNewDesign();
    const { page } = opened;
    const json = page.getByRole('tab', { name: 'JSON' });
    const text = page.getByRole('textbox', { name: 'Template' });
    await json.click();
    await text.fill('{"designer":"string"}');
    await page.getByRole('tab', { name: 'Fields' }).click();
    await names(page).fill('engineer');
    await json.click();
    expect(JSON.parse(await text.inputValue())).toEqual({ engineer: 'string' });
  });

  it('gives a template back after text was chosen in the designer', async () => {
    await using opened = await openNewDesign();
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('With a template again');
    await page.getByRole('textbox', { name: 'Prompt' }).fill(question);
    await names(page).fill('designer');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.locator('.segments').getByText('Text with citations', { exact: true }).click();
    expect(await names(page).first().isVisible()).toBe(false);
    await page.getByText('Structured data').click();
    expect(await names(page).count()).toBe(2);
    expect(await names(page).first().inputValue()).toBe('designer');
    await page.getByRole('button', { name: 'Create design' }).click();
    await page.getByText(noName).waitFor();
    await names(page).nth(1).fill('year');
    await page.getByRole('button', { name: 'Create design' }).click();
    await page.getByRole('heading', { level: 1, name: 'With a template again' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const design = await (await app.get(`/v1/design-api/${id}`)).json();
    expect(design).toMatchObject({ output_format: { designer: 'string', year: 'string' } });
  });

  it('gives a template back after text was chosen in the chat, also after the panel was closed', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    const format = page.getByRole('button', { name: 'Format' });
    await format.click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await names(page).fill('designer');
    await page.getByRole('radio', { name: 'Text', exact: true }).check();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    expect(await names(page).count()).toBe(1);
    expect(await names(page).first().inputValue()).toBe('designer');
    await page.getByRole('radio', { name: 'Text', exact: true }).check();
    await format.click();
    await format.click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await format.click();
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.leaf').getByText('Ingrid Solvay').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('opens again, as it was, when a question is asked while its format is incomplete', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    const format = page.getByRole('button', { name: 'Format' });
    await format.click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await names(page).fill('designer');
    await page.getByRole('button', { name: 'Add field' }).click();
    await format.click();
    expect(await names(page).first().isVisible()).toBe(false);
    await ask(page);
    await page.getByText(noName).waitFor();
    await expect.poll(() => isFocused(page, 1)).toBe(true);
    expect(await names(page).first().inputValue()).toBe('designer');
    expect(await page.locator('.turn').count()).toBe(0);
    await names(page).nth(1).fill('year');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await waitForAnswer(page);
    await page.locator('.leaf').getByText('Ingrid Solvay').waitFor();
    expect(opened.problems).toEqual([]);
  });
});
