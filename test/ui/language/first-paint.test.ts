/** What a browser must load before it shows the chat stays small: its scripts with the texts of one language, as they are sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

/** The budget for JavaScript, compressed. */
const maxBytes = 90_000;
const languages = ['en', 'de', 'fr', 'es', 'zh'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the first paint of the chat', () => {
  it(`loads at most ${maxBytes} bytes of JavaScript, compressed, in every language`, async () => {
    const html = await (await fetch(app.url)).text();
    const scripts = [...html.matchAll(/(?:src|modulepreload" href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
    expect(scripts.length).toBeGreaterThan(1);
    const shared = await sum(scripts);
    for (const language of languages) {
      const messages = new RegExp(`data-${language}="([^"]+)"`).exec(html)![1]!.split(' ');
      expect(scripts.filter((script) => messages.includes(script))).toEqual([]);
      const texts = await sum(messages);
      console.info(`chat, first paint, ${language}: ${shared + texts} bytes of JavaScript (${texts} of them texts)`);
      expect(shared + texts).toBeLessThanOrEqual(maxBytes);
    }
  });
});

async function sum(paths: readonly string[]): Promise<number> {
  const sizes = paths.map(async (path) => {
    const response = await fetch(app.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    const size = Number(response.headers.get('content-length'));
    // A file of a few lines would become larger.
    if (size > 300) expect(response.headers.get('content-encoding')).toBe('br');
    return size;
  });
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
