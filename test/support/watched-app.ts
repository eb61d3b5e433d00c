/** A test app that all tests of a file share: after each of them it has to answer and to have logged no internal error. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { connectRawSocket, type RawSocket } from './clients/raw-client.ts';
import { connect, type WsClient } from './clients/ws-client.ts';
import { startTestApp, type TestApp } from './start-app.ts';

export interface WatchedApp {
  /** Only within tests: it starts before the first of them. */
  readonly app: TestApp;
  /** A key of an account of its own, so that no test meets another's limits. */
  newKey(plan?: 'starter' | 'pro'): Promise<string>;
  /** A WebSocket with such a key. */
  open(): Promise<WsClient>;
  /** The same, with frames made by hand. */
  openRaw(): Promise<RawSocket>;
}

export function useWatchedApp(env: Record<string, string> = {}): WatchedApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(env);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  afterEach(async () => {
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect(app.faults).toEqual([]);
  });
  const newKey = async (plan: 'starter' | 'pro' = 'pro') =>
    (await app.accounts.createKey({ name: 'watched', plan })).plaintext;
  return {
    get app() {
      return app;
    },
    newKey,
    open: async () => connect(app.url, { 'x-api-key': await newKey() }, ['citewire.v1']),
    openRaw: async () => connectRawSocket(app.url, { 'X-API-Key': await newKey() }),
  };
}
