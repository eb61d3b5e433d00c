/** Faults in the log, made by a table of the database that is gone: each names its request and its trace. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { connect } from '../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
const prompt = 'Who designed the Heron Point Lighthouse?';

let app: TestApp;
let seen = 0;

beforeAll(async () => {
  app = await startTestApp();
  const Database = loadSqlite();
  const database = new Database(`${app.dataDir}/citewire.db`);
  database.exec('ALTER TABLE api_versions RENAME TO gone_versions; ALTER TABLE runs RENAME TO gone_runs');
  database.close();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  seen = app.faults.length;
});

/** The line of the only fault of this test, once it is written. */
async function fault(): Promise<Record<string, unknown>> {
  await expect.poll(() => app.faults.length).toBe(seen + 1);
  return JSON.parse(app.faults[seen]!);
}

const gone = { msg: 'unexpected error', err: { message: expect.stringContaining('no such table') } };

describe('the log line of a fault', () => {
  it('names the request and the trace of an HTTP call', async () => {
    const response = await app.get('/v1/published-service', { traceparent });
    expect(response.status).toBe(500);
    const request_id = response.headers.get('x-request-id');
    expect(await fault()).toMatchObject({ ...gone, trace_id: trace, request_id });
  });

  it('has no trace for a call without one', async () => {
    await app.get('/v1/published-service');
    expect(await fault()).not.toHaveProperty('trace_id');
  });

  it('names the connection and the trace of a WebSocket, for a frame', async () => {
    const socket = await connect(app.url, { 'x-api-key': app.key, traceparent });
    const { connection_id } = await socket.next(({ type }) => type === 'session.ready');
    socket.send({ type: 'search.start', ref: 'r1', request: { prompt, previous_search_id: `s_${'0'.repeat(26)}` } });
    await socket.next(({ type }) => type === 'error');
    expect(await fault()).toMatchObject({ ...gone, trace_id: trace, request_id: connection_id });
    socket.close();
  });

  it('names the trace of an MCP call', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const headers = {
      traceparent,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    await app.post('/mcp', message, headers);
    expect(await fault()).toMatchObject({ ...gone, trace_id: trace, request_id: expect.any(String) });
  });
});
