/** The example app: its route passes a chat on, with the key that its page never has. */
import { expect, it, vi } from 'vitest';
import { openWire, TestChat } from '../../support/clients/use-chat.ts';
import { startTestApp } from '../../support/start-app.ts';

it('answers, resumes and stops through the route of examples/next-chat', async () => {
  await using app = await startTestApp();
  vi.stubEnv('CITEWIRE_URL', app.url);
  vi.stubEnv('CITEWIRE_KEY', app.key);
  const { GET, POST } = await import('../../../examples/next-chat/route.ts');
  const call: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.split('/').slice(4);
    return (request.method === 'GET' ? GET : POST)(request, { params: Promise.resolve({ path }) });
  };
  const { transport } = openWire(app.url, 'no key', {}, call);
  const chat = new TestChat('example', transport);
  await chat.sendMessage({ text: 'Who designed the Heron Point Lighthouse?' });
  expect(chat.errors).toEqual([]);
  expect(chat.text()).toContain('Ingrid Solvay');
  expect(await transport.reconnectToStream({ chatId: 'example' })).toBeNull();
  expect((await call(`${app.url}/v1/ai/chat/example/stop`, { method: 'POST' })).status).toBe(204);
  vi.unstubAllEnvs();
});
