/** What is put into the question: an image, or a text of any length. Nothing of it is lost or refused without saying so. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, type ChatServer, question, startChatServer, waitForAnswer } from '../support/browser/chat.ts';

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const png = (name: string, buffer = Buffer.from(onePixel, 'base64')) => ({ name, mimeType: 'image/png', buffer });

describe.skipIf(hasNoBrowser)('the question box', () => {
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
  const box = (page: Page) => page.getByLabel('Your question');
  const attached = (page: Page) => page.getByRole('img', { name: 'Attached to the question' });
  const choose = (page: Page, file: ReturnType<typeof png>) =>
    page.locator('input[accept="image/*"]').setInputFiles(file);
  const isFocused = (page: Page) => box(page).evaluate((area) => area === area.ownerDocument.activeElement);

  /** What a browser sends to the page when images are pasted into the question. */
  async function paste(page: Page, names: readonly string[]): Promise<void> {
    await box(page).evaluate(
      (area, [all, base64]) => {
        const clipboardData = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
        for (const name of all) clipboardData.items.add(new File([bytes], name, { type: 'image/png' }));
        area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      [names, onePixel] as const,
    );
  }

  it('takes no file that only has the name of an image, and says so before the question is asked', async () => {
    await using opened = await open();
    const { page } = opened;
    await choose(page, png('broken.png', Buffer.from('not really')));
    await page.locator('.toast').getByText('could not open broken.png').waitFor();
    expect(await attached(page).count()).toBe(0);
  });

  it('says that a file chosen as an image is none, and keeps the image that is there', async () => {
    await using opened = await open();
    const { page } = opened;
    await choose(page, png('kettle.png'));
    await attached(page).waitFor();
    await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await page.locator('.toast').getByText('Expected an image; got notes.txt.').waitFor();
    expect(await attached(page).count()).toBe(1);
  });

  it('takes one image of several that are pasted, and says which', async () => {
    await using opened = await open();
    const { page } = opened;
    await paste(page, ['front.png', 'back.png']);
    await page.locator('.toast').getByText('only one image: front.png was attached').waitFor();
    await attached(page).waitFor();
  });

  it('takes the text of what is pasted from a spreadsheet, which comes with a picture of it', async () => {
    await using opened = await open();
    const { page } = opened;
    /** Whether the page leaves it to the browser, which inserts the text. */
    const isLeftToBrowser = (text: string, name: string) =>
      box(page).evaluate(
        (area, [plain, file]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', plain);
          clipboardData.items.add(new File(['bytes'], file, { type: 'image/png' }));
          return area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        },
        [text, name] as const,
      );
    expect(await isLeftToBrowser('Boat\tRack\nHeron\t4', 'image.png')).toBe(true);
    expect(await page.locator('.toast').count()).toBe(0);
    // File managers put the name or the path of a copied file beside it.
    expect(await isLeftToBrowser('/home/ann/kettle.png', 'kettle.png')).toBe(false);
    await page.locator('.toast').getByText('could not open kettle.png').waitFor();
  });

  it('says that an image can be dropped as well as documents', async () => {
    await using opened = await open();
    const { page } = opened;
    await box(page).evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['# Notes'], 'notes.md', { type: 'text/markdown' }));
      document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.getByText('Drop documents to ask about them, or an image for your question').waitFor();
  });

  it('begins a new thread without the sources, dates and format of the one before, and with what is being written', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Sources', exact: true }).click();
    await page.getByLabel('Published from').fill('2020-01-01');
    await page.getByRole('button', { name: 'Format', exact: true }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await page.getByLabel('Field name').fill('designer');
    await page.getByRole('button', { name: 'Sources (set)' }).waitFor();
    await page.getByRole('button', { name: 'Format (set)' }).waitFor();
    await box(page).fill('To be asked there');
    await page.getByRole('button', { name: 'New thread' }).click();
    await page.getByRole('button', { name: 'Sources', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Format', exact: true }).click();
    expect(await page.getByRole('radio', { name: 'Text', exact: true }).isChecked()).toBe(true);
    expect(await box(page).inputValue()).toBe('To be asked there');
  });

  it('checks the sources that are added, takes the names of documents, and needs one for “Only these”', async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Sources', exact: true }).click();
    await page.getByRole('radio', { name: 'Only these' }).check();
    await ask(page, 'And when was it first lit?');
    await page.getByText('Enter at least one site, page or document, or choose “Any source”.').waitFor();
    expect(await page.locator('.turn').count()).toBe(1);
    const field = page.getByLabel('Sites and pages');
    await field.fill('example.org, my documents');
    await field.press('Enter');
    await page.getByText('“my documents” is not an address.').waitFor();
    expect(await field.inputValue()).toBe('my documents');
    expect(await page.locator('.entry').allTextContents()).toEqual(['example.org']);
    const name = await page.locator('datalist option').first().getAttribute('value');
    await field.fill(decodeURIComponent(name!.split('/').at(-1)!));
    await field.press('Enter');
    expect(await page.locator('.entry').allTextContents()).toEqual(['example.org', name]);
    await box(page).press('Enter');
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await waitForAnswer(page);
    expect(problems).toEqual([]);
  });

  it('has the focus after its image was removed', async () => {
    await using opened = await open();
    const { page } = opened;
    await choose(page, png('kettle.png'));
    await page.getByRole('button', { name: 'Remove image' }).press('Enter');
    await expect.poll(() => attached(page).count()).toBe(0);
    expect(await isFocused(page)).toBe(true);
  });

  it('keeps what was written, with its image and its options, over another language, the dashboard and a reload', async () => {
    await using opened = await open();
    const { page } = opened;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const notes = {
      name: 'notes.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Notes\n\nThe pool opens at 7.\n'),
    };
    await (await chooser).setFiles(notes);
    await page.getByText('Answers come from these documents only.').waitFor();
    await choose(page, png('kettle.png'));
    await page.getByLabel('Effort').selectOption('deep');
    await box(page).fill('A long question');
    const draft = page.locator('.dock textarea');
    const isThere = async () => {
      await expect.poll(() => draft.inputValue()).toBe('A long question');
      expect(await page.locator('.composer-image').count()).toBe(1);
      expect(await page.locator('.composer-effort').inputValue()).toBe('deep');
      await page.locator('.document').getByText('notes.md').waitFor();
    };
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Sprache' }).waitFor();
    await isThere();
    await page.goto(`${server.app.url}/dashboard`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await isThere();
    await page.reload();
    await isThere();
    await draft.press('Enter');
    await page.waitForURL(/search=/);
    await page.reload();
    await page.locator('.turn').waitFor();
    expect(await draft.inputValue()).toBe('');
    await page.getByText('notes.md').first().waitFor();
  });

  it('keeps nothing of what was written after signing out', async () => {
    await using opened = await open();
    const { page } = opened;
    await box(page).fill('A secret question');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').fill(server.app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await box(page).waitFor();
    expect(await box(page).inputValue()).toBe('');
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('secret');
  });

  it('keeps all of a text that is too long, says so, and asks it once it is short enough', async () => {
    await using opened = await open(phone);
    const { page, problems } = opened;
    const text = `${question} ${'The light is seen from the sea. '.repeat(1_300)}`;
    await box(page).fill(text);
    await page.getByText('Too long: 41,640 characters, of at most 40,000.').waitFor();
    expect(await box(page).inputValue()).toBe(text);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true);
    expect(await page.locator('.turn').count()).toBe(0);
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Edit question' }).click();
    await page.getByRole('textbox', { name: 'Edit question' }).fill(text);
    await page.getByText('Too long: 41,640 characters, of at most 40,000.').waitFor();
    expect(problems).toEqual([]);
  });
});
