/**
 * Pages in a real browser. One browser per test file; each page has its own context, records its problems and is closed at
 * the end of its test: `await using page = await openPage(browser, app.url)`.
 */
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { findProgram } from '../servers/programs.ts';
import { signInWithKey } from './browser-session.ts';

/** Required, because Node reads all of it for its exports, a third of a second, before it imports it. */
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');

/** For `describe.skipIf`; a warning at the start of the run says what is skipped. */
export const hasNoBrowser = findProgram('chromium') === undefined;

export function openBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram('chromium')!, args: ['--no-sandbox'], ...options });
}

export interface OpenPage {
  readonly page: Page;
  /** Console errors, uncaught exceptions, violations of the content security policy, and requests to other origins. */
  readonly problems: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Signs the browser in, as if the key had been entered there. */
  readonly key?: string;
}

/** The narrowest screen that the pages are made for. */
export const phone: PageOptions = { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true };

/** `url` is the server's; requests to other origins are refused and count as problems. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { path = '/', key, ...rest } = options;
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...rest });
  // As long as anything else is waited for.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // The console reports the 401 of a visitor who is not signed in yet; it is expected.
    const asksWho = message.location().url.endsWith('/v1/session') && message.text().includes('401');
    if (message.type() === 'error' && !asksWho) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await context.route(
    (asked) => asked.origin !== new URL(url).origin,
    (route) => {
      problems.push(`requested ${route.request().url()}`);
      return route.abort();
    },
  );
  if (key !== undefined) {
    const { setCookie } = await signInWithKey({ url }, key);
    const [name = '', value = ''] = setCookie.split(';')[0]!.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  }
  await page.goto(url + path);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}
