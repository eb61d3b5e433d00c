/** What uses up the searches of a ticket, and what does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ticket } from '../../../protocol/index.ts';
import { connect, type WsClient } from '../../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const origin = 'https://page.example';
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: origin });
});
afterAll(() => app[Symbol.asyncDispose]());

/** A page's connection whose ticket is for one search. */
async function openForOneSearch(): Promise<WsClient> {
  const { ticket } = (await (await app.post('/v1/ws/tickets', { max_searches: 1 })).json()) as Ticket;
  return connect(app.url, { origin }, ['citewire.v1', `ticket.${ticket}`]);
}

async function codeOf(client: WsClient, frame: { ref: string; request: unknown; idempotency_key?: string }) {
  client.send({ type: 'search.start', ...frame });
  const answer = await client.next(({ ref }) => ref === frame.ref);
  return answer.type === 'error' ? (answer.error as { code: string }).code : answer.type;
}

describe('the searches of a ticket', () => {
  it.each<[string, unknown]>([
    ['a request that does not fit its schema', { ...question, colour: 'red' }],
    ['a request without a prompt', {}],
    ['a run of an API that does not exist', { api_stub: 'no-such-api', inputs: {} }],
    ['a run of an API by a malformed name', { api_stub: 'NOT A STUB', inputs: {} }],
  ])('does not use up the searches of a ticket by %s', async (_, request) => {
    const client = await openForOneSearch();
    expect(await codeOf(client, { ref: 'bad', request })).toMatch(/^(?:validation_error|not_found)$/);
    expect(await codeOf(client, { ref: 'bad with a key', request, idempotency_key: 'k' })).toMatch(
      /^(?:validation_error|not_found)$/,
    );
    expect(await codeOf(client, { ref: 'good', request: question })).toBe('search.attached');
    expect(await codeOf(client, { ref: 'one too many', request: question })).toBe('forbidden');
    client.close();
  });

  it('does not use up the searches of a ticket by repeating a request under its idempotency key', async () => {
    const client = await openForOneSearch();
    const idempotency_key = 'the same';
    expect(await codeOf(client, { ref: 'first', request: question, idempotency_key })).toBe('search.attached');
    expect(await codeOf(client, { ref: 'again', request: question, idempotency_key })).toBe('search.attached');
    expect(await codeOf(client, { ref: 'another', request: question })).toBe('forbidden');
    client.close();
  });
});
