/** What an answer looks like: cited sources first, code with its tools, tables with evidence, and the way through its citations. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../../support/browser/browser.ts';
import { ask, type ChatServer, slowly, startChatServer, waitForAnswer } from '../../support/browser/chat.ts';
import { evidenceIn, goodModel, type ModelCall, type Script } from '../../support/servers/model-server.ts';

/** Writes what `text` returns for the number of the evidence that names the designer. */
const writing =
  (text: (n: number) => string): Script =>
  (call, count) => {
    if (call.kind !== 'write') return goodModel(call, count);
    return { text: `STATUS: answered\n\n${text(numberOf(call))}` };
  };
const numberOf = (call: ModelCall) => evidenceIn(call).find(({ text }) => text.includes('designed by'))!.n;

describe.skipIf(hasNoBrowser)('an answer in the chat', () => {
  let server: ChatServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  const open = (options: PageOptions = {}) => openPage(browser, server.app.url, { key: server.app.key, ...options });

  it('shows the cited sources first, and the others on demand', async () => {
    server.model.script = writing((n) => `It was designed by the engineer Ingrid Solvay. [${n}]`);
    await using opened = await open(phone);
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const cards = page.getByRole('list', { name: 'Sources' }).getByRole('button');
    expect(await cards.count()).toBe(2);
    expect(await cards.first().textContent()).toContain('Heron Point Lighthouse');
    expect(await cards.nth(1).textContent()).toBe('+11 of 2 cited: show the others');
    await page.getByRole('button', { name: /1 of 2 cited.*show the others/ }).click();
    expect(await cards.count()).toBe(3);
    await page.getByRole('button', { name: /1 of 2 cited.*hide the others/ }).click();
    expect(await cards.count()).toBe(2);
    await page.getByRole('button', { name: /steps · 1 of 2 sources cited/ }).waitFor();
    await expectAccessible(page);
    expect(opened.problems).toEqual([]);
  });

  it('shows code with its language, colours and a button that copies it, and keeps the markers around it', async () => {
    const code = "const keeper: string = 'nobody'; // since 1984\nexport default keeper;";
    server.model.script = writing(
      (n) =>
        `It was designed by the engineer Ingrid Solvay. [${n}]\n\n\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`\nplain\n\`\`\``,
    );
    for (const options of [phone, { colorScheme: 'dark' }] as const) {
      await using opened = await open({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
      const { page } = opened;
      await ask(page);
      await waitForAnswer(page);
      const block = page.locator('.prose .code').first();
      await block.getByText('TypeScript', { exact: true }).waitFor();
      expect(await block.locator('code').textContent()).toBe(code);
      expect(await block.locator('.code-keyword').allTextContents()).toContain('const');
      expect(await block.locator('.code-comment').allTextContents()).toEqual(['// since 1984']);
      expect(await page.locator('.prose .code').nth(1).locator('code span').count()).toBe(0);
      await block.getByRole('button', { name: 'Copy code' }).click();
      await page.getByText('Code copied.').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
      expect(await page.locator('.prose .marker').count()).toBe(1);
      await expectAccessible(page);
      expect(opened.problems).toEqual([]);
    }
  });

  it('goes from one citation to the next, copies the quote, and finds words in the page', async () => {
    server.model.script = slowly(1, 1);
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.marker').first().click();
    const reader = page.locator('.reader');
    await reader.getByRole('heading', { name: 'Heron Point Lighthouse' }).first().waitFor();
    await reader.getByText('Exact quote').waitFor();
    await reader.getByText('1 of 2').waitFor();
    await reader.getByRole('button', { name: 'Copy quote' }).click();
    await page.getByText('Quote copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^“Heron Point Lighthouse stands on a granite reef .*” — Heron Point Lighthouse, file:/,
    );
    await reader.getByRole('button', { name: 'Next citation' }).press('Enter');
    await reader.getByRole('heading', { name: 'Ingrid Solvay' }).first().waitFor();
    await reader.getByText('2 of 2').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Next citation');
    expect(await reader.getByRole('button', { name: 'Next citation' }).getAttribute('aria-disabled')).toBe('true');
    expect((await reader.locator('.cited').allTextContents()).join('')).toContain('Ingrid Solvay (1841');
    await reader.getByRole('button', { name: 'Find in page' }).click();
    await reader.getByRole('searchbox', { name: 'Find in page' }).fill('SOLVAY');
    await reader.locator('.reader-find').getByText('1 of ').waitFor();
    await page.keyboard.press('Enter');
    await reader.locator('.reader-find').getByText('2 of ').waitFor();
    expect(await reader.locator('.found').allTextContents()).toEqual(['Solvay']);
    await expectAccessible(page);
    await reader.getByRole('searchbox', { name: 'Find in page' }).fill('no such words');
    await reader.getByText('Not found').waitFor();
    await page.keyboard.press('Escape');
    expect(await reader.locator('.found').count()).toBe(0);
    await page.keyboard.press('Escape');
    await reader.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('marker');
    expect(opened.problems).toEqual([]);
  });

  it('shows a list of flat objects as a table with the evidence in its cells, and marks low confidence only', async () => {
    server.model.script = (call, count) => {
      if (call.kind !== 'fill') return goodModel(call, count);
      const n = numberOf(call);
      const designer = { value: 'Ingrid Solvay', quote: 'designed by the engineer Ingrid Solvay', evidence: [n] };
      return { text: JSON.stringify({ works: [{ designer, stone: { value: 'granite', evidence: [n] } }] }) };
    };
    await using opened = await open(phone);
    const { page } = opened;
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page
      .getByRole('textbox', { name: 'Template' })
      .fill('{"works": [{"designer": "string", "stone": "string"}]}');
    await ask(page);
    await waitForAnswer(page);
    const table = page.getByRole('group', { name: 'Table' }).getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['designer', 'stone']);
    expect(await table.getByRole('row').count()).toBe(2);
    expect(await table.getByRole('cell').first().textContent()).toContain('Ingrid Solvay');
    expect(await table.locator('td .marker').count()).toBe(2);
    expect(await table.locator('.leaf-certainty').allTextContents()).toEqual(['inferred, 60%']);
    await expectAccessible(page);
    expect(opened.problems).toEqual([]);
  });
});
