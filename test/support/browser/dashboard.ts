/** The dashboard in a browser, signed in. */
import type { Browser, Locator } from 'playwright-core';
import { developmentAccount } from '../../../src/access/accounts.ts';
import type { TestApp } from '../start-app.ts';
import { type OpenPage, openPage, type PageOptions } from './browser.ts';

/** The path and fragment of a new sign-in link. */
export async function newSignInPath(app: Pick<TestApp, 'signInLink'>, accountId = developmentAccount): Promise<string> {
  const { pathname, hash } = new URL(await app.signInLink(accountId));
  return pathname + hash;
}

/** Signs in by a link, which opens the chat, and opens `/dashboard` followed by `path`. */
export async function openDashboard(
  browser: Browser,
  app: TestApp,
  path = '',
  { account, ...options }: PageOptions & { readonly account?: string } = {},
): Promise<OpenPage> {
  const opened = await openPage(browser, app.url, { ...options, path: await newSignInPath(app, account) });
  await opened.page.getByLabel('Your question').waitFor();
  await opened.page.goto(`${app.url}/dashboard${path}`);
  if (path === '') await headingOf(opened, 'Usage').waitFor();
  return opened;
}

export function headingOf({ page }: OpenPage, name: string): Locator {
  return page.getByRole('heading', { level: 1, name });
}
