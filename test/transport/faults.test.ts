/** Internal errors: what the caller is shown, and what the operator finds in the log. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorObject, HTTPError } from '../../protocol/index.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { connect } from '../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const Database = loadSqlite();

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const database = new Database(join(app.dataDir, 'citewire.db'));
  database.exec('drop table runs');
  database.close();
});
afterAll(() => app[Symbol.asyncDispose]());

const logged = () => app.faults.map((line) => JSON.parse(line) as { request_id?: string; err: { message: string } });

describe('an internal error', () => {
  it('shows a neutral sentence for an internal error, and logs it under the request id that the caller was given', async () => {
    const response = await app.get('/v1/search');
    const { detail, error } = (await response.json()) as HTTPError;
    expect([response.status, error.code, error.retryable]).toEqual([500, 'internal', true]);
    expect(JSON.stringify([detail, error])).not.toContain('runs');
    expect(error.request_id).toBe(response.headers.get('x-request-id'));
    expect(logged().find(({ request_id }) => request_id === error.request_id)?.err.message).toContain('runs');
  });

  it('answers an internal error over a WebSocket, which stays open', async () => {
    const client = await connect(app.url, { 'x-api-key': app.key });
    const ready = await client.next(({ type }) => type === 'session.ready');
    client.send({ type: 'search.resume', ref: 'a', search_id: 's_AAAAAAAAAAAAAAAAAAAAAA', after_seq: 0 });
    const { error } = await client.next(({ ref }) => ref === 'a');
    expect(error).toMatchObject({ code: 'internal', request_id: ready.connection_id });
    expect(logged().some(({ request_id }) => request_id === (error as ErrorObject).request_id)).toBe(true);
    client.send({ type: 'ping', ref: 'b' });
    await client.next(({ type }) => type === 'pong');
    client.close();
  });
});
