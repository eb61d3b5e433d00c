/** Designs in a real browser: created, tried, published, compared and called; every step is visible over HTTP too. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { headingOf, openDashboard } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const whoDesigned = {
  name: 'Who designed it',
  prompt: 'Who designed the {{building}}, and in which year was it first lit?',
  inputs: { building: { type: 'string', max: 100, description: 'What people call it.' } },
  output_format: { designer: 'string', year: 'number' },
  examples: [{ inputs: { building: 'Heron Point Lighthouse' } }],
};

describe.skipIf(hasNoBrowser)('the designer', () => {
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

  async function create(api_stub: string, change: object = {}): Promise<string> {
    const response = await app.post('/v1/design-api', { ...whoDesigned, api_stub, ...change });
    expect(response.status).toBe(201);
    return ((await response.json()) as { api_id: string }).api_id;
  }
  const withKey = (method: string, path: string, body?: object) =>
    fetch(app.url + path, {
      method,
      headers: { 'x-api-key': app.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('creates a design from a prompt, tries it, publishes it, and programs can call the version', async () => {
    await using opened = await openDashboard(browser, app, '/designs');
    const { page } = opened;
    await page.getByRole('button', { name: 'New design' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Who lit it');
    expect(await page.getByRole('textbox', { name: 'Path' }).inputValue()).toBe('who-lit-it');
    await page.getByRole('textbox', { name: 'Prompt' }).fill(whoDesigned.prompt);
    await page.getByText('Structured data').click();
    await page.getByRole('textbox', { name: 'Field name' }).fill('designer');
    const tryIt = page.getByRole('region', { name: 'Try it' });
    await tryIt.getByRole('textbox', { name: 'building' }).fill('Heron Point Lighthouse');
    expect(await tryIt.locator('mark').textContent()).toBe('Heron Point Lighthouse');
    await tryIt.getByRole('button', { name: 'Run' }).click();
    await tryIt.getByRole('definition').getByText('Ingrid Solvay').waitFor();
    await tryIt.getByText('JSON', { exact: true }).click();
    await tryIt.getByText('"designer": "Ingrid Solvay"').waitFor();
    await page.getByRole('button', { name: 'Create design' }).click();
    await headingOf(opened, 'Who lit it').waitFor();

    // What was typed to try it is still there.
    expect(await tryIt.getByRole('textbox', { name: 'building' }).inputValue()).toBe('Heron Point Lighthouse');
    await tryIt.getByRole('button', { name: 'Run' }).click();
    await tryIt.getByRole('definition').getByText('Ingrid Solvay').waitFor();
    await tryIt.getByText('answered').waitFor();
    await tryIt.getByRole('button', { name: 'Save as example' }).click();
    await page.getByRole('button', { name: 'Save and publish…' }).click();
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('heading', { name: 'Version 1 published' }).waitFor();
    await page.getByRole('dialog').getByText('answered').waitFor();
    await page.getByRole('link', { name: 'See it in the marketplace' }).click();
    await page.getByRole('region', { name: 'Try it' }).getByRole('combobox', { name: 'Version' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/apis/who-lit-it');

    const answer = await withKey('POST', '/v1/published-service/who-lit-it/v1', { building: 'Heron Point Lighthouse' });
    expect(await answer.json()).toEqual({ designer: 'Ingrid Solvay' });
    expect(opened.problems).toEqual([]);
  });

  it('has space between the inputs, the prompt and the button to run it', async () => {
    const id = await create('with-space');
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const tryIt = opened.page.getByRole('region', { name: 'Try it' });
    const [inputs, prompt, buttons] = await Promise.all(
      [
        tryIt.getByRole('textbox', { name: 'building' }),
        tryIt.locator('.prompt-frame'),
        tryIt.getByRole('button', { name: 'Run' }),
      ].map(async (part) => (await part.boundingBox())!),
    );
    expect(prompt!.y - inputs!.y - inputs!.height).toBeGreaterThanOrEqual(12);
    expect(buttons!.y - prompt!.y - prompt!.height).toBeGreaterThanOrEqual(12);
  });

  it('shows the evidence of each value of a run, and opens its page at the quote', async () => {
    const id = await create('with-evidence');
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    const tryIt = page.getByRole('region', { name: 'Try it' });
    await tryIt.getByRole('button', { name: 'Run' }).click();
    await tryIt.getByText('answered').waitFor();
    const marker = tryIt.getByRole('definition').filter({ hasText: 'Ingrid Solvay' }).locator('.marker').first();
    expect(
      await tryIt
        .getByRole('definition')
        .getByText(/Confidence: \d+/)
        .count(),
    ).toBe(2);
    await marker.hover();
    const card = page.getByRole('tooltip');
    await card.getByText('Ingrid Solvay').first().waitFor();
    expect(await axeFindingsInBothThemes(page), 'quote').toEqual([]);
    await marker.click();
    const reader = page.getByRole('complementary');
    await reader.locator('.cited').first().waitFor();
    expect(await reader.locator('.cited').allTextContents()).toEqual([expect.stringContaining('Ingrid Solvay')]);
    await reader.getByText('1 of 2').waitFor();
    expect(await axeFindingsInBothThemes(page), 'reader').toEqual([]);
    await page.keyboard.press('Escape');
    await reader.waitFor({ state: 'detached' });
    expect(await marker.evaluate((element) => element === document.activeElement)).toBe(true);
    await tryIt.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    await reader.waitFor();
    await page.getByRole('tab', { name: 'Versions' }).press('Enter');
    await page.getByRole('link', { name: 'Designs' }).first().press('Enter');
    await reader.waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  it('shows a call of the version that is chosen', async () => {
    const id = await create('called-by-version');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, {
      prompt: 'Who designed the {{building}} in {{country}}?',
      inputs: { building: { type: 'string' }, country: { type: 'string' } },
      examples: [],
    });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, '/apis/called-by-version');
    const { page } = opened;
    const call = page.locator('.copy-text code');
    await call.getByText('/called-by-version/v2').waitFor();
    expect(await call.textContent()).toContain('"country"');
    await page.getByLabel('Version', { exact: true }).selectOption('1');
    await call.getByText('/called-by-version/v1').waitFor();
    expect(await call.textContent()).toContain('"building"');
    expect(await call.textContent()).not.toContain('"country"');
    await page.getByRole('tab', { name: 'Python' }).click();
    await call.getByText('/called-by-version/v1').waitFor();
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: '/openapi.json' }).click();
    await (await opening).getByText('"openapi"').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('asks for confirmation before unsaved changes are lost', async () => {
    const id = await create('kept');
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another name');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('link', { name: 'Keys' }).click();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Another name');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Keys' }).click();
    await headingOf(opened, 'Keys').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await headingOf(opened, 'Usage').waitFor();
  });

  it('leaves the path of a saved design as it is when its name changes', async () => {
    const id = await create('who-designed-it');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Who has designed it');
    expect(await page.getByRole('textbox', { name: 'Path' }).inputValue()).toBe('who-designed-it');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await headingOf(opened, 'Who has designed it').waitFor();
    expect((await withKey('GET', '/v1/published-service/who-designed-it')).status).toBe(200);
  });

  it('saves what was changed in it, and shows what another tab has changed meanwhile', async () => {
    const id = await create('in-two-tabs', { output_format: { designer: 'string' } });
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await headingOf(opened, whoDesigned.name).waitFor();
    const elsewhere = { description: 'Names the engineer.', output_format: { engineer: 'string' } };
    await withKey('PATCH', `/v1/design-api/${id}`, elsewhere);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await headingOf(opened, 'Renamed').waitFor();
    const saved = await (await withKey('GET', `/v1/design-api/${id}`)).json();
    expect(saved).toMatchObject({ ...elsewhere, name: 'Renamed' });
    const description = page.getByRole('textbox', { name: 'Description', exact: true });
    await expect.poll(() => description.inputValue()).toBe('Names the engineer.');
    expect(await page.getByRole('textbox', { name: 'Field name' }).inputValue()).toBe('engineer');
    await description.fill('Names who built it.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The page may still say that the first change was saved.
    await expect
      .poll(async () => (await withKey('GET', `/v1/design-api/${id}`)).json())
      .toMatchObject({ description: 'Names who built it.', output_format: { engineer: 'string' } });
  });

  it('shows which examples failed, and publishes nothing', async () => {
    const id = await create('with-bounds', { examples: [{ inputs: { building: 'x'.repeat(60) } }] });
    await withKey('PATCH', `/v1/design-api/${id}`, { inputs: { building: { type: 'string', max: 50 } } });
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/Not published.*Example 1 .*building.*expected/);
    expect((await withKey('GET', '/v1/published-service/with-bounds')).status).toBe(404);
  });

  it('shows why the server refused a field, next to the field', async () => {
    await create('taken');
    await using opened = await openDashboard(browser, app, '/designs/new');
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Name' }).fill('Taken');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('What is {{it}}?');
    await page.getByRole('button', { name: 'Create design' }).click();
    await page.getByRole('alert').waitFor();
    const path = page.getByRole('textbox', { name: 'Path' });
    expect(await path.getAttribute('aria-invalid')).toBe('true');
    await path.fill('not-taken');
    await page.getByRole('button', { name: 'Create design' }).click();
    await headingOf(opened, 'Taken').waitFor();
  });

  it('compares versions side by side, with their differences', async () => {
    const id = await create('two-versions');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, { output_format: { designer: 'string' } });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('tab', { name: 'Versions' }).click();
    const differences = page.getByRole('region', { name: 'Compare versions' });
    const output = differences.getByRole('definition');
    await expect.poll(() => output.allTextContents()).toEqual(['year[removed: Number] ']);
    await page.getByLabel('From').selectOption('Version 2');
    await differences.getByText('No differences').waitFor();
    await page.getByLabel('To', { exact: true }).selectOption('Version 1');
    await expect.poll(() => output.allTextContents()).toEqual(['year[added: Number] ']);
  });

  it('lists and compares every version, also where the server lists them in pages', async () => {
    const id = await create('many-versions');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, { output_format: { designer: 'string' } });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.route('**/versions?*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '1');
      return route.continue({ url: url.href });
    });
    await page.getByRole('tab', { name: 'Versions' }).click();
    const rows = page.getByRole('list', { name: 'Versions', exact: true }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('From').selectOption('Version 1');
    expect(opened.problems).toEqual([]);
  });

  it('shows what a version changes before it is published, with the words that changed', async () => {
    const id = await create('to-be-compared', { source_whitelist: ['example.com', 'example.org'] });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing has changed.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page
      .getByRole('textbox', { name: 'Prompt' })
      .fill('Who built the {{building}}, and in which year was it first opened?');
    await page.getByRole('textbox', { name: 'Only these' }).fill('example.org\nexample.net');
    await page.getByText('Deep', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove example 1' }).click();
    await page.getByRole('button', { name: 'Save and publish…' }).click();
    await dialog.getByRole('term').first().waitFor();
    expect(await dialog.getByRole('term').allTextContents()).toEqual(['Prompt', 'Effort', 'Sources', 'Examples']);
    expect(await dialog.getByRole('definition').allTextContents()).toEqual([
      'Who [removed: designed] [added: built]  the {{building}}, and in which year was it first [removed: lit] [added: opened] ?',
      '[removed: Balanced] [added: Deep] ',
      'Only[removed: example.com] ',
      'Only[added: example.net] ',
      '[removed: building: Heron Point Lighthouse] ',
    ]);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByRole('heading', { name: 'Version 2 published' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('copies a version to the draft, and asks first if that has changes that were not published', async () => {
    const id = await create('to-be-restored');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, { prompt: 'Who built the {{building}}?', effort: 'deep' });
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    const draft = async () => (await withKey('GET', `/v1/design-api/${id}`)).json();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Copy to draft: version 1' }).click();
    await page.getByRole('dialog').getByText('They will be lost').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await draft()).toMatchObject({ effort: 'deep' });
    await page.getByRole('button', { name: 'Copy to draft: version 1' }).click();
    await page.getByRole('button', { name: 'Replace draft' }).click();
    await expect.poll(() => prompt.inputValue()).toBe(whoDesigned.prompt);
    expect(await draft()).toMatchObject({ prompt: whoDesigned.prompt, effort: 'balanced' });
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('same as the draft').waitFor();

    await page.getByRole('tab', { name: 'Edit and try' }).click();
    await prompt.fill('Who lit the {{building}}?');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Copy to draft: version 1' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'Edit and try' }).click();
    expect(await prompt.inputValue()).toBe('Who lit the {{building}}?');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Copy to draft: version 1' }).click();
    await expect.poll(() => prompt.inputValue()).toBe(whoDesigned.prompt);
    expect(opened.problems).toEqual([]);
  });

  it('retires a version, which then runs by its number only, and lists it again', async () => {
    const id = await create('to-be-retired');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, { output_format: { designer: 'string' } });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    const offered = async () => {
      const api = await (await withKey('GET', '/v1/published-service/to-be-retired')).json();
      return (api as { version: number }).version;
    };
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Retire version 2' }).click();
    await page.getByRole('dialog').getByText('calls without a version run version 1').waitFor();
    await page.getByRole('button', { name: 'Retire version', exact: true }).click();
    const again = page.getByRole('button', { name: 'List again: version 2' });
    await again.waitFor();
    await page.getByRole('link', { name: 'Published as version 1' }).waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await offered()).toBe(1);
    await page.getByRole('button', { name: 'Retire version 1' }).click();
    await page.getByRole('dialog').getByText('no version is left').waitFor();
    await page.getByRole('button', { name: 'Retire version', exact: true }).click();
    await page.getByRole('button', { name: 'List again: version 1' }).waitFor();
    await page.getByRole('link', { name: 'Version 2 (retired)' }).waitFor();

    await using second = await openDashboard(browser, app, '/apis/to-be-retired');
    await second.page.getByText('Every version of this API is retired.').waitFor();
    await second.page.getByRole('list', { name: 'Versions', exact: true }).getByText('retired').first().waitFor();
    expect(await axeFindingsInBothThemes(second.page)).toEqual([]);
    await again.click();
    await page.getByRole('button', { name: 'Retire version 2' }).waitFor();
    await page.getByRole('link', { name: 'Published as version 2' }).waitFor();
    expect(await offered()).toBe(2);
    expect([...opened.problems, ...second.problems]).toEqual([]);
  });

  it('finds published APIs, and calls any version with a form of its inputs', async () => {
    const id = await create('to-be-found', { name: 'Lighthouse facts', description: 'Names the engineer.' });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await withKey('PATCH', `/v1/design-api/${id}`, { output_format: { designer: 'string' } });
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, '/apis');
    const { page } = opened;
    await page.getByRole('searchbox', { name: 'Search' }).fill('lighthouse engineer');
    await page.getByRole('link', { name: 'Lighthouse facts' }).click();
    await headingOf(opened, 'Lighthouse facts').waitFor();
    await page.getByRole('button', { name: 'Run version 2' }).click();
    await page.getByText('Expected a value.').waitFor();
    await page.getByLabel('Version', { exact: true }).selectOption('1');
    await page.getByRole('button', { name: 'Use this example' }).click();
    expect(await page.getByRole('textbox', { name: 'building' }).inputValue()).toBe('Heron Point Lighthouse');
    await page.getByRole('button', { name: 'Run version 1' }).click();
    await page.getByRole('region', { name: 'Try it' }).getByRole('definition').getByText('1887').waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('import urllib.request').waitFor();
    await page.getByRole('link', { name: 'Timeline and cost' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('deletes a design and keeps its versions', async () => {
    const id = await create('to-delete');
    await withKey('POST', `/v1/design-api/${id}/publish`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete design' }).click();
    await headingOf(opened, 'Designs').waitFor();
    expect((await withKey('GET', `/v1/design-api/${id}`)).status).toBe(404);
    expect((await withKey('GET', '/v1/published-service/to-delete')).status).toBe(200);
  });

  describe.each([1280, 360])('at %i px', (width) => {
    it('has no accessibility violation and no horizontal overflow', async () => {
      const id = await create(`for-everyone-${width}`);
      await withKey('POST', `/v1/design-api/${id}/publish`);
      await using opened = await openDashboard(browser, app, '/designs', { viewport: { width, height: 800 } });
      const { page } = opened;
      const check = async (path: string, ready: string) => {
        await page.goto(`${app.url}/dashboard${path}`);
        await page.getByText(ready).first().waitFor();
        expect(await axeFindingsInBothThemes(page), path).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
      };
      await check('/designs', `for-everyone-${width}`);
      await check('/designs/new', 'Prompt and inputs');
      await check(`/designs/${id}`, 'Try it');
      await page.getByText('Default, limits and choices').click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Timeline and cost').waitFor();
      expect(await axeFindingsInBothThemes(page), 'after a run').toEqual([]);
      await page.getByRole('button', { name: 'Publish…' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeFindingsInBothThemes(page), 'publishing').toEqual([]);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('tab', { name: 'Versions' }).click();
      await page.getByRole('heading', { name: 'Compare versions' }).waitFor();
      expect(await axeFindingsInBothThemes(page), 'versions').toEqual([]);
      await check('/apis', 'Marketplace');
      await check(`/apis/for-everyone-${width}`, 'Call from code');
      expect(opened.problems).toEqual([]);
    });
  });

  it.each([
    [844, 390],
    [667, 375],
  ])('leaves most of a screen of %i × %i px to the page, and reaches every section', async (width, height) => {
    const id = await create(`on-its-side-${width}`);
    await using opened = await openDashboard(browser, app, `/designs/${id}`, { viewport: { width, height } });
    const { page } = opened;
    await headingOf(opened, whoDesigned.name).waitFor();
    const sections = page.getByRole('navigation', { name: 'Dashboard' });
    await page.getByText('Research', { exact: true }).scrollIntoViewIfNeeded();
    const taken = await page.evaluate(() =>
      ['.top', '.sections', '.designer-foot']
        .map((part) => document.querySelector(part)!.getBoundingClientRect())
        // Beside the page, or scrolled away, it takes nothing from its height.
        .filter((box) => box.width > innerWidth / 2 && box.bottom > 0 && box.top < innerHeight)
        .reduce((sum, box) => sum + box.height, 0),
    );
    expect(taken).toBeLessThan(height / 4);
    expect((await sections.boundingBox())!.height).toBeLessThanOrEqual(height);
    await sections.getByRole('link').last().scrollIntoViewIfNeeded();
    expect(await sections.getByRole('link').last().isVisible()).toBe(true);
  });
});
