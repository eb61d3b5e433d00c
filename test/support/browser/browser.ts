/**
 * Pages in a real browser. One browser a test file; each page in a context of its own, with what went wrong in it, and
 * gone at the end of its test: `await using page = await openPage(browser, app.url)`.
 */
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { findProgram } from '../servers/programs.ts';

/** For `describe.skipIf`: that it was left out is said once, when the tests begin. */
export const hasNoBrowser = findProgram('chromium') === undefined;

export function openBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram('chromium')!, args: ['--no-sandbox'], ...options });
}

export interface OpenPage {
  readonly page: Page;
  /** Errors in the console, exceptions nobody caught, what the policy forbade, and every request to another origin. */
  readonly problems: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Signs the tab in, as if the key had been pasted there. */
  readonly key?: string;
}

/** `url` is the server's; requests elsewhere are refused and count as problems. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { path = '/', key, ...rest } = options;
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...rest });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // That nobody is signed in yet is an answer, though the console takes it for a failure.
    const asksWho = message.location().url.endsWith('/v1/session') && message.text().includes('401');
    if (message.type() === 'error' && !asksWho) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await context.route(
    (asked) => asked.origin !== new URL(url).origin,
    (route) => {
      problems.push(`asked for ${route.request().url()}`);
      return route.abort();
    },
  );
  if (key !== undefined) {
    const script = `if (location.origin === '${new URL(url).origin}') sessionStorage.setItem('citewire.key', '${key}');`;
    await context.addInitScript({ content: script });
  }
  await page.goto(url + path);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}
