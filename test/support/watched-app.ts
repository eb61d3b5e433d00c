/** A test app that all tests of a file share: after each of them it has to answer and to have logged no internal error. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startTestApp, type TestApp } from './start-app.ts';

export interface WatchedApp {
  /** Only within tests: it starts before the first of them. */
  readonly app: TestApp;
  /** A key of an account of its own, so that no test meets another's limits. */
  newKey(plan?: 'starter' | 'pro'): Promise<string>;
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
  return {
    get app() {
      return app;
    },
    newKey: async (plan = 'pro') => (await app.accounts.createKey({ name: 'watched', plan })).plaintext,
  };
}
