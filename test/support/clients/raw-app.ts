/** A watched app, and requests to it that are written byte for byte. */
import { beforeAll } from 'vitest';
import { useWatchedApp, type WatchedApp } from '../watched-app.ts';
import { connectRaw } from './raw-client.ts';

export interface RawApp extends Pick<WatchedApp, 'app' | 'newKey'> {
  /**
   * POST /v1/search with a key of its own, so that no limit is met; `lines` are further lines of its head and end in CRLF
   * each.
   */
  post(lines: string, body: string): Promise<string>;
  /** The key of the last `post`. */
  lastKey(): string;
  /** Sends everything over one connection; resolves with all that came once the server has closed it. */
  sendAll(...parts: (string | Uint8Array)[]): Promise<string>;
}

export const question = JSON.stringify({ prompt: 'Who designed the Heron Point Lighthouse?' });
/** A request after which the server closes the connection. */
export const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
export const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;
export const chunked = 'Transfer-Encoding: chunked\r\n';
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The app has answered a search before the first test. */
export function useRawApp(): RawApp {
  const watched = useWatchedApp();
  let key = '';
  beforeAll(async () => {
    await watched.app.post('/v1/search', { prompt: 'warm up' });
  });
  return {
    get app() {
      return watched.app;
    },
    newKey: watched.newKey,
    async post(lines, body) {
      key = await watched.newKey();
      return `POST /v1/search HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;
    },
    lastKey: () => key,
    async sendAll(...parts) {
      const client = await connectRaw(watched.app.url);
      client.send(...parts);
      return client.ended;
    },
  };
}
