/** The chat in a browser, with a real server whose model writes as slowly as a test needs. */
import type { Page } from 'playwright-core';
import {
  evidenceIn,
  goodModel,
  type ModelServer,
  type Script,
  sentenceOf,
  startModelServer,
} from '../servers/model-server.ts';
import { startTestApp, type TestApp } from '../start-app.ts';

export interface ChatServer extends AsyncDisposable {
  readonly app: TestApp;
  readonly model: ModelServer;
}

export async function startChatServer(): Promise<ChatServer> {
  const model = await startModelServer(slowly(15));
  const wanted = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' };
  const app = await startTestApp(wanted);
  return {
    app,
    model,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

/** Writes a cited sentence of each piece of evidence, `rounds` times; one token every `ms` milliseconds. */
export function slowly(ms: number, rounds = 3): Script {
  return (call, count) => {
    if (call.kind !== 'write') return goodModel(call, count);
    const cited = evidenceIn(call).map(({ n, text }) => `${sentenceOf(text)} [${n}]`);
    const text = Array.from({ length: rounds }, () => cited.join(' ')).join('\n\n');
    return { text: `STATUS: answered\n\n${text}`, ms };
  };
}

/** Always answers with this text. */
export function saying(text: string, ms = 1): Script {
  return (call, count) =>
    call.kind === 'write' ? { text: `STATUS: answered\n\n${text}`, ms } : goodModel(call, count);
}

export const question = 'Who designed the Heron Point Lighthouse?';

export async function ask(page: Page, prompt = question): Promise<void> {
  await page.getByLabel('Your question').fill(prompt);
  await page.keyboard.press('Enter');
}

/** Waits until the last answer is complete. */
export async function waitForAnswer(page: Page, withinMs = 60_000): Promise<void> {
  const toolbar = page.locator('.turn:last-child[aria-busy="false"]').getByRole('toolbar', { name: 'Answer actions' });
  await toolbar.waitFor({ timeout: withinMs });
}

/** The visible text of the last answer, without markers. */
export function textOf(page: Page): Promise<string> {
  return page
    .locator('.turn')
    .last()
    .locator('.prose')
    .evaluateAll((nodes) =>
      nodes
        .map((node) => {
          const copy = node.cloneNode(true) as typeof node;
          for (const markers of copy.querySelectorAll('.markers, .no-source')) markers.remove();
          return copy.textContent ?? '';
        })
        .join(''),
    );
}

/** An answer's Markdown without markers and line breaks. */
export function plainText(answer: string): string {
  return answer.replace(/\s*(?:\[\d+\])+/g, '').replace(/\n+/g, '');
}

export function searchIdOf(page: Page): string {
  return new URL(page.url()).searchParams.get('search') ?? '';
}
