/** The chat as people use it: ask, read while the answer streams, check a citation, stop, come back, copy an answer. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../src/access/accounts.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions } from '../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  plainText,
  question,
  searchIdOf,
  slowly,
  startChatServer,
  textOf,
  waitForAnswer,
} from '../support/browser/chat.ts';
import { goodModel } from '../support/servers/model-server.ts';
import type { TestApp } from '../support/start-app.ts';

/** A PNG. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(hasNoBrowser)('the chat', () => {
  let server: ChatServer;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    app = server.app;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    server.model.script = slowly(4);
  });

  const open = (options: PageOptions = {}) => openPage(browser, app.url, { key: app.key, ...options });
  const stored = async (search_id: string) => (await app.get(`/v1/search/${search_id}`)).json() as Promise<Stored>;

  it('signs in with a key, which nothing in the browser keeps', async () => {
    await using opened = await openPage(browser, app.url);
    const { page } = opened;
    await page.getByLabel('API key').fill('cw_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid API key').waitFor();
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Your question').waitFor();
    const kept = () =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.body.outerHTML]);
    expect(await page.evaluate(kept)).not.toContain(app.key);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('asks for another key when one was revoked, and keeps the question', async () => {
    const name = 'to be revoked';
    const { plaintext, key } = await app.accounts.createKey({ name, account: developmentAccount });
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    await page.getByLabel('Model', { exact: true }).waitFor();
    await app.accounts.revokeKey(key.id);
    await ask(page);
    await page.getByText('signed in with the key “to be revoked”, which the server no longer accepts').waitFor();
    expect(await page.getByRole('heading', { name: question }).count()).toBe(1);
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => textOf(page)).toContain('Ingrid Solvay');
    await waitForAnswer(page);
    expect(await page.getByRole('heading', { name: question }).count()).toBe(1);
  });

  it('sends when sources must have been published', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByLabel('Published from').fill('2025-01-01');
    await page.getByLabel('Published to').fill('2025-12-31');
    expect(await page.getByLabel('Published to').getAttribute('min')).toBe('2025-01-01');
    await page.getByRole('button', { name: 'Sources (set)' }).waitFor();
    const sending = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framesent'));
    await ask(page);
    const { payload } = await sending;
    expect(JSON.parse(String(payload))).toMatchObject({ request: { from: '2025-01-01', to: '2025-12-31' } });
    expect(opened.problems).toEqual([]);
  });

  it('shows the nearest passages where there is no answer, and opens one at its place', async () => {
    server.model.script = (call, count) =>
      call.kind === 'write' ? { text: 'STATUS: not_found' } : goodModel(call, count);
    await using opened = await open();
    const { page } = opened;
    await ask(page, 'How much did the granite blocks of the lighthouse cost?');
    await page.getByText('Not answered by these sources.').waitFor();
    const nearest = page.locator('.nearest');
    const quote = (await nearest.locator('blockquote').first().textContent()) ?? '';
    expect(quote).toMatch(/granite/);
    await nearest.getByRole('button', { name: 'View in source' }).first().click();
    const marked = page.locator('.reader .cited');
    await marked.first().waitFor();
    expect((await marked.allTextContents()).join('').replace(/\s+/g, ' ')).toContain(quote.slice(0, 40));
  });

  it('signs in with the session of the browser', async () => {
    await using opened = await openPage(browser, app.url);
    const { page } = opened;
    const [, link] = (await app.signInLink(developmentAccount)).split('#');
    const status = await page.evaluate(async (link) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/v1/session', { method: 'POST', headers, body: JSON.stringify({ link }) })).status;
    }, link);
    expect(status).toBe(200);
    await page.reload();
    await ask(page);
    await waitForAnswer(page);
    expect(await textOf(page)).toContain('Ingrid Solvay');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('asks the question in the URL once, and puts the search in its place', async () => {
    await using opened = await open({ path: `/?q=${encodeURIComponent(question)}` });
    const { page } = opened;
    await waitForAnswer(page);
    expect(await textOf(page)).toContain('Ingrid Solvay');
    const search_id = searchIdOf(page);
    await page.reload();
    await waitForAnswer(page);
    expect(searchIdOf(page)).toBe(search_id);
    expect(page.url()).not.toContain('q=');
    expect(opened.problems).toEqual([]);
  });

  it('asks the question in the URL once someone has signed in', async () => {
    await using opened = await openPage(browser, app.url, { path: `/?q=${encodeURIComponent(question)}` });
    const { page } = opened;
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForAnswer(page);
    expect(await textOf(page)).toContain('Ingrid Solvay');
  });

  it('shows steps, sources and text as they stream, and finally the whole stored answer', async () => {
    await using opened = await open();
    const { page } = opened;
    server.model.script = slowly(15);
    await ask(page);
    await page
      .getByRole('button', { name: /Heron Point Lighthouse/ })
      .first()
      .waitFor();
    const lengths: number[] = [];
    const isBusy = page.locator('.turn[aria-busy="true"]');
    while ((await isBusy.count()) > 0) lengths.push((await textOf(page)).length);
    await waitForAnswer(page);
    expect(new Set(lengths.filter((length) => length > 0)).size).toBeGreaterThan(3);
    const { result } = await stored(searchIdOf(page));
    expect(await textOf(page)).toBe(plainText(result.answer));
    expect(await page.locator('.marker').count()).toBe(result.answer.match(/\[\d+\]/g)!.length);
    await page.getByRole('button', { name: /steps · 2 of 2 sources cited/ }).click();
    await page.getByText('Checking the citations').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('moves nothing on the page while an answer streams', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    server.model.script = slowly(15);
    await ask(page);
    await page.locator('.question').waitFor();
    await page.evaluate(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { sources = [] } = entry as unknown as { sources?: Moved[] };
          for (const { node, previousRect, currentRect } of sources) {
            const element = node instanceof Element ? node : node?.parentElement;
            // The line that says where the search stands has another length each time, and the list gets its new entry.
            if (element?.closest('.timeline-line, .list') != null) continue;
            moved.push(`${element?.outerHTML.slice(0, 80)} from ${previousRect.y} to ${currentRect.y}`);
          }
        }
      }).observe({ type: 'layout-shift' });
    });
    await page.locator('.prose').waitFor();
    await waitForAnswer(page);
    const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
    expect(moved).toEqual([]);
  });

  it('shows the quote when the pointer is on a marker, and opens the page at the cited words', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const { citations } = (await stored(searchIdOf(page))).result;
    const marker = page.locator('.marker').first();
    await marker.hover();
    const card = page.getByRole('tooltip');
    expect(await card.locator('blockquote').textContent()).toBe(citations[0]!.quote);
    // In words what the wire calls a verdict.
    expect(citations[0]!.verdict).toBe('supported');
    expect(await card.textContent()).toContain('The source says this · Exact quote');
    expect(await page.locator('.claim-lit').first().textContent()).toContain('Heron Point');
    await marker.click();
    const cited = page.locator('.reader .cited');
    await cited.first().waitFor();
    const words = (text: string) => text.replace(/\s+/g, ' ').trim();
    expect(words((await cited.allTextContents()).join(''))).toBe(words(citations[0]!.quote));
    const isInView = await cited.first().evaluate((node) => {
      const [inner, outer] = [node, node.closest('.reader-body')!].map((each) => each.getBoundingClientRect());
      return inner!.top >= outer!.top && inner!.bottom <= outer!.bottom;
    });
    expect(isInView).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  it('shows the quote and opens the page with the keyboard alone', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const focused = () => page.evaluate(() => document.activeElement?.className ?? '');
    await page.locator('.timeline-line').focus();
    while (!(await focused()).includes('marker')) await page.keyboard.press('Tab');
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.reader .cited').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.reader').count()).toBe(0);
    await expect.poll(focused).toContain('marker');
  });

  it('shows the quote at the first tap, and opens the page at the second', async () => {
    await using opened = await open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.marker').first().tap();
    await page.getByRole('tooltip').waitFor();
    expect(await page.locator('.reader').count()).toBe(0);
    await page.locator('.marker').first().tap();
    await page.locator('.reader .cited').first().waitFor();
  });

  it('opens the page from the quote that a tap shows', async () => {
    await using opened = await open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.marker').first().tap();
    const card = page.getByRole('tooltip');
    // A tap on the card's own words leaves it open.
    await card.locator('.quote-foot span').first().tap();
    await card.getByRole('button', { name: 'View in source' }).first().tap();
    await page.locator('.reader .cited').first().waitFor();
  });

  it('closes the page on a phone when its reader goes back, and leaves the thread only then', async () => {
    await using opened = await open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const thread = page.url();
    const reader = page.locator('.reader');
    const openPage = async () => {
      await page.locator('.marker').first().tap();
      await page.getByRole('tooltip').getByRole('button', { name: 'View in source' }).first().tap();
      await reader.locator('.cited').first().waitFor();
    };
    await openPage();
    await page.goBack();
    await reader.waitFor({ state: 'detached' });
    expect([page.url(), await textOf(page)]).toEqual([thread, expect.stringMatching(/./)]);
    await openPage();
    await page.getByRole('button', { name: 'Close source page' }).tap();
    await reader.waitFor({ state: 'detached' });
    expect([page.url(), await textOf(page)]).toEqual([thread, expect.stringMatching(/./)]);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(opened.problems).toEqual([]);
  });

  it('stops a search, and the server’s work on it', async () => {
    await using opened = await open();
    const { page } = opened;
    server.model.script = (call, count) => (call.kind === 'write' ? { endless: true, ms: 10 } : slowly(4)(call, count));
    await ask(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect((await stored(searchIdOf(page))).state).toBe('cancelled');
    await expect.poll(() => server.model.open()).toBe(0);
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
  });

  it('fills in a structured answer as it streams, with the evidence of every value', async () => {
    await using opened = await open();
    const { page } = opened;
    server.model.script = (call, count) =>
      call.kind === 'fill'
        ? { text: JSON.stringify({ designer: { value: 'Ingrid Solvay', evidence: [1] } }) }
        : slowly(4)(call, count);
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await page.getByLabel('Field name').fill('designer');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Field name').nth(1).fill('designer');
    await page.getByText('Two fields have the name designer.').waitFor();
    await page.getByLabel('Field name').nth(1).fill('year');
    await page.getByLabel('Type of year').selectOption('Number');
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(JSON.parse(await page.getByRole('textbox', { name: 'Template' }).inputValue())).toEqual({
      designer: 'string',
      year: 'number',
    });
    await page.getByRole('textbox', { name: 'Template' }).fill('{"designer": "strin", "year": "number"}');
    await page.getByText(/^designer: expected "string", "number" or "boolean"/).waitFor();
    await page.getByRole('textbox', { name: 'Template' }).fill('{"designer": "string", "year": "number"}');
    await ask(page);
    await waitForAnswer(page);
    const { result, evidence } = await stored(searchIdOf(page));
    const shown = await page.locator('.leaf').allTextContents();
    expect(shown.length).toBe(evidence!.length);
    expect(shown[0]).toContain(String((result.output as Record<string, unknown>).designer ?? 'Not in the sources'));
    expect(opened.problems).toEqual([]);
  });

  it('says in the language of the page, also to screen readers, that a template is not full, and why', async () => {
    await using opened = await open({ locale: 'de' });
    const { page } = opened;
    server.model.script = (call, count) =>
      call.kind === 'fill'
        ? { text: JSON.stringify({ designer: { value: 'Ingrid Solvay', evidence: [1] } }) }
        : slowly(4)(call, count);
    await page.getByRole('button', { name: 'Format' }).click();
    await page.locator('input[name="format-mode"]').last().check();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('tabpanel').getByRole('textbox').fill('{"designer": "string", "year": "number"}');
    await page.locator('.composer > textarea').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.turn[aria-busy="false"]').waitFor();
    await page
      .locator('.leaf-none')
      .getByText('Das Modell hat keinen Wert geliefert, den das Feld haben darf.')
      .waitFor();
    await page.getByText('Diese Antwort ist unvollständig.').waitFor();
    await page
      .getByRole('status')
      .getByText(/^Antwort unvollständig, \d+ Zitate?\.$/)
      .waitFor();
  });

  it('names no model above an answer of quotes that the model could not write', async () => {
    await using opened = await open();
    const { page } = opened;
    server.model.script = () => ({ status: 500 });
    await ask(page);
    await waitForAnswer(page);
    await page.getByText('continued without the model').first().waitFor();
    expect(await page.locator('.timeline-line').textContent()).toMatch(/· No model: quotes only$/);
    server.model.script = slowly(4);
    await ask(page, 'How tall is the lighthouse?');
    await waitForAnswer(page);
    expect(await page.locator('.timeline-line').last().textContent()).toMatch(/· scripted$/);
  });

  it('asks a follow-up, and shows both after a reload', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await ask(page, 'And when was it first lit?');
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await waitForAnswer(page);
    expect(server.model.calls.findLast(({ kind }) => kind === 'plan')!.prompt).toContain(question);
    await page.reload();
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await page.getByRole('heading', { name: question }).waitFor();
    await page.getByRole('heading', { name: 'And when was it first lit?' }).waitFor();
    await waitForAnswer(page);
    expect(await textOf(page)).toContain('Heron Point');
  });

  it('keeps earlier questions, and opens their answers again', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page, 'What is the Heron Point Lighthouse built of?');
    await waitForAnswer(page);
    const text = await textOf(page);
    const search_id = searchIdOf(page);
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    expect(searchIdOf(page)).toBe('');
    const list = page.getByRole('navigation', { name: 'Threads' });
    await list.getByRole('button', { name: 'What is the Heron Point Lighthouse built of?' }).first().click();
    await waitForAnswer(page);
    expect(await textOf(page)).toBe(text);
    expect(searchIdOf(page)).toBe(search_id);
    await page.goBack();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });

  it('opens a link to a running search for keys of its account only', async () => {
    await using first = await open();
    server.model.script = slowly(20);
    await ask(first.page);
    await expect.poll(async () => (await textOf(first.page)).length).toBeGreaterThan(20);
    const path = `/?search=${searchIdOf(first.page)}`;
    await using second = await open({ path });
    await waitForAnswer(second.page);
    await waitForAnswer(first.page);
    expect(await textOf(second.page)).toBe(await textOf(first.page));
    await second.page.getByRole('heading', { name: question }).waitFor();
    const { plaintext } = await app.accounts.createKey({ plan: 'pro', name: 'another' });
    await using stranger = await open({ path, key: plaintext });
    await stranger.page.getByText('Not found in this account').waitFor();
  });

  it('copies an answer as Markdown with footnotes, as plain text, as JSON and as a call, and the link to it', async () => {
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const { result, search_id } = await stored(searchIdOf(page));
    const copied = async (name: string) => {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('status').filter({ hasText: /opied/ }).last().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const markdown = await copied('Markdown');
    expect(markdown).toContain(`# ${question}`);
    expect(markdown).toContain('[^1]');
    expect(markdown).toMatch(/^\[\^1\]: \[Heron Point Lighthouse\]\(<file:.*>\): “/m);
    expect(JSON.parse(await copied('JSON'))).toEqual(result);
    const call = await copied('curl command');
    expect(call).toContain(`curl -s ${app.url}/v1/search`);
    expect(call).toContain(`"prompt":"${question}"`);
    expect(call).toContain("'X-API-Key: <API_KEY>'");
    expect(call).not.toContain('cw_');
    const plain = await copied('Plain text');
    expect(plain.trim()).toBe(result.answer.replace(/\s*\[\d+\]/g, ''));
    expect(await copied('Plain text with sources')).toBe(
      `${result.answer}\n\n${result.sources.map(({ n, title, url }) => `[${n}] ${title}: ${url}`).join('\n')}\n`,
    );
    expect(await copied('Link')).toBe(`${app.url}/?thread=${search_id}&search=${search_id}`);
  });

  it('shows a preview of a chosen image, sends it, and keeps it with the question', async () => {
    await using opened = await open();
    const { page } = opened;
    const file = { name: 'kettle.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') };
    await page.locator('input[accept="image/*"]').setInputFiles(file);
    await page.getByRole('img', { name: 'Attached to the question' }).waitFor();
    await ask(page, 'What is this?');
    await waitForAnswer(page);
    expect(server.model.calls.some(({ body }) => JSON.stringify(body).includes('image_url'))).toBe(true);
    const image = page.locator('.turn').getByRole('img', { name: 'Attached to the question' });
    await expect
      .poll(() => image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    expect(await page.locator('.composer').getByRole('img').count()).toBe(0);
    await page.reload();
    await page.getByText('Asked with an image, which is not kept.').waitFor();
    await page.getByRole('button', { name: 'Edit question' }).click();
    await page.locator('.question-editor').getByText('Asked with an image, which is not kept.').waitFor();
    await page.keyboard.press('Escape');
    const omitted = page.getByText('Asked again without its image, which is not kept.');
    for (const version of ['2 of 2', '3 of 3']) {
      await page.getByRole('button', { name: 'Ask again' }).click();
      await page.getByText(version).waitFor();
      await waitForAnswer(page);
      await omitted.waitFor();
    }
    await page.getByRole('button', { name: 'Earlier version' }).dblclick();
    await page.getByText('1 of 3').waitFor();
    expect(await omitted.count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  it('shows why the server refused a request, next to the field', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByRole('radio', { name: 'Only these' }).check();
    const tooMany = Array.from({ length: 201 }, (_, at) => `s${at}.example.org`);
    await page.getByLabel('Sites and pages').fill(tooMany.join(', '));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove s200.example.org', exact: true }).waitFor();
    await ask(page);
    await page.getByText('Invalid request').waitFor();
    await page.getByText(/^Allowed sources: expected/).waitFor();
  });

  it('shows how long the rate limit of a key lasts', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'small' });
    const used = { 'x-api-key': plaintext };
    for (let call = 0; call < 10; call += 1) await app.post('/v1/search', { prompt: question }, used);
    await using opened = await open({ key: plaintext });
    await ask(opened.page);
    await opened.page.getByText(/Rate limit reached; the search will continue automatically, in \d+ s/).waitFor();
  });
});

/** A layout shift as the browser reports it; TypeScript has no type for it yet. */
interface Moved {
  readonly node?: Node;
  readonly previousRect: DOMRect;
  readonly currentRect: DOMRect;
}

interface Stored {
  readonly search_id: string;
  readonly state: string;
  readonly evidence?: readonly unknown[];
  readonly result: {
    readonly answer: string;
    readonly output?: unknown;
    readonly citations: readonly { readonly quote: string; readonly verdict?: string }[];
    readonly sources: readonly { readonly n: number; readonly title: string; readonly url: string }[];
  };
}
