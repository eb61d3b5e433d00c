/** The page of a published API names the fields of a design in words, in what a version changed and in what is wrong with a call. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the page of a published API', () => {
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

  const first = {
    name: 'Who designed it',
    api_stub: 'who-designed-it',
    prompt: 'Who designed the {{building}}?',
    inputs: { building: { type: 'string' } },
    output_format: { designer: 'string' },
  };
  const second = {
    prompt: 'Who designed the {{building}} in {{country}}?',
    inputs: { building: { type: 'string', max: 20_000 }, country: { type: 'string' } },
    output_format: { people: [{ name: 'string' }] },
    max: { pages: 3 },
  };
  async function send(method: string, path: string, body: object = {}): Promise<{ api_id: string }> {
    const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
    const response = await fetch(app.url + path, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as { api_id: string };
  }

  it.each([
    [
      'en-GB',
      'Changes in version 2',
      ['Prompt changed', 'Inputs › building changed', 'Inputs › country added', 'Limits added'],
      ['Answer format › people[] › name added', 'Answer format › designer removed'],
    ],
    [
      'de',
      'Änderungen in Version 2',
      ['Prompt geändert', 'Eingaben › building geändert', 'Eingaben › country hinzugefügt', 'Grenzen hinzugefügt'],
      ['Antwortformat › people[] › name hinzugefügt', 'Antwortformat › designer entfernt'],
    ],
  ])('says what a version changed: %s', async (locale, list, design, output) => {
    const api_stub = `changed-${locale.toLowerCase()}`;
    const { api_id } = await send('POST', '/v1/design-api', { ...first, api_stub });
    await send('POST', `/v1/design-api/${api_id}/publish`);
    await send('PATCH', `/v1/design-api/${api_id}`, second);
    await send('POST', `/v1/design-api/${api_id}/publish`);
    await using opened = await openPage(browser, app.url, {
      key: app.key,
      locale,
      path: `/dashboard/apis/${api_stub}`,
    });
    const changes = opened.page.getByRole('list', { name: list }).getByRole('listitem');
    await changes.first().waitFor();
    expect((await changes.allTextContents()).sort()).toEqual([...design, ...output].sort());
    expect(opened.problems).toEqual([]);
  });

  it.each([
    ['de', '1,5', 'Version 1 ausführen', 1.5],
    ['de', '1.5', 'Version 1 ausführen', 1.5],
    ['en-GB', '1.5', 'Run version 1', 1.5],
    ['en-GB', '1,500', 'Run version 1', undefined],
  ])('reads a decimal as the language writes it: %s %s', async (locale, typed, run, sent) => {
    const api_stub = `tall-${locale.toLowerCase()}-${typed.replace(/\D/, typed.includes(',') ? 'c' : 'p')}`;
    const tall = { prompt: 'What is {{height}} m tall?', inputs: { height: { type: 'number', max: 2.5 } } };
    const { api_id } = await send('POST', '/v1/design-api', { ...first, ...tall, api_stub });
    await send('POST', `/v1/design-api/${api_id}/publish`);
    await using opened = await openPage(browser, app.url, {
      key: app.key,
      locale,
      path: `/dashboard/apis/${api_stub}`,
    });
    const { page } = opened;
    const bodies: string[] = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => bodies.push(String(payload))));
    await page.getByLabel('height').fill(typed);
    await page.getByRole('button', { name: run }).click();
    if (sent === undefined) await page.getByText('Expected a number.').waitFor();
    else await expect.poll(() => bodies.join()).toContain(`"height":${sent}`);
  });

  it('says that a text is too long, and in words what the server refuses', async () => {
    const prompt = 'Who designed the {{building}} in {{country}}?';
    const inputs = { building: { type: 'string' }, country: { type: 'string' } };
    const { api_id } = await send('POST', '/v1/design-api', { ...first, prompt, inputs });
    await send('POST', `/v1/design-api/${api_id}/publish`);
    await using opened = await openPage(browser, app.url, { key: app.key, path: '/dashboard/apis/who-designed-it' });
    const { page } = opened;
    await page.getByLabel('building').fill('x'.repeat(20_001));
    await page.getByLabel('country').fill('y'.repeat(19_990));
    await page.getByRole('button', { name: 'Run version 1' }).click();
    await page.getByText('Expected at most 20000 characters.').waitFor();
    await page.getByLabel('building').fill('x'.repeat(20_000));
    await page.getByRole('button', { name: 'Run version 1' }).click();
    const refused = /^Inputs: expected inputs that make a prompt of at most 40000 characters; got 40012$/;
    await page.locator('.run').getByRole('alert').getByText(refused).waitFor();
  });
});
