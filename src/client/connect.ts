/**
 * Opens the socket of a session. What differs between runtimes is only how they take a header: browsers take none and
 * sign in with a ticket, `ws` takes a third argument, the global WebSocket of Node an object in place of the protocols.
 */
import { CitewireError, connectionFailed, fromAnswer } from './citewire-error.ts';
import { openSession, type Session, type SessionOptions, type SocketLike } from './websocket-transport.ts';

/** The global WebSocket, or the class of the package `ws`: what their types have in common. */
export type SocketConstructor = new (url: string, ...rest: never[]) => Pick<SocketLike, 'readyState' | 'close'>;

export interface Ticket {
  readonly ticket: string;
  readonly ws_url?: string | undefined;
}

export interface DialOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly ticket: (() => Promise<Ticket>) | undefined;
  readonly WebSocket: SocketConstructor;
}

/** Whether this WebSocket can sign in here: a page's cannot send a key. */
export function canSignIn({ apiKey, ticket, WebSocket }: Omit<DialOptions, 'baseUrl'>): boolean {
  return ticket !== undefined || (apiKey !== undefined && (WebSocket !== globalThis.WebSocket || !isBrowser()));
}

/** Rejects with CitewireError: what the server said, or `connection_failed`. */
export async function dial(options: DialOptions, session: SessionOptions): Promise<Session> {
  const { baseUrl, apiKey, ticket } = options;
  const bought = ticket && (await buy(ticket, session.connectTimeoutMs));
  const url = bought?.ws_url ?? new URL('v1/ws/search', baseUrl.replace(/\/*$/, '/').replace(/^http/, 'ws')).href;
  const protocols = ['citewire.v1', ...(bought === undefined ? [] : [`ticket.${bought.ticket}`])];
  const headers = bought === undefined && apiKey !== undefined ? { 'x-api-key': apiKey } : {};
  const socket = construct(options.WebSocket, url, protocols, headers);
  const refused = refusalOf(socket);
  const opening = openSession(socket, session);
  opening.catch(() => {});
  return Promise.race(refused === undefined ? [opening] : [opening, refused]);
}

async function buy(ticket: () => Promise<Ticket>, withinMs: number): Promise<Ticket> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`none came within ${withinMs} ms`)), withinMs);
  });
  try {
    return await Promise.race([ticket(), late]);
  } catch (error) {
    if (error instanceof CitewireError) throw error;
    throw connectionFailed(`There is no ticket: ${(error as Error).message}`, error);
  } finally {
    clearTimeout(timer);
  }
}

function construct(
  WebSocket: SocketConstructor,
  url: string,
  protocols: string[],
  headers: Record<string, string>,
): SocketLike {
  const Socket = WebSocket as unknown as new (url: string, ...rest: unknown[]) => SocketLike;
  if (Object.keys(headers).length === 0) return new Socket(url, protocols);
  if (WebSocket === globalThis.WebSocket) return new Socket(url, { protocols, headers });
  return new Socket(url, protocols, { headers });
}

function isBrowser(): boolean {
  return typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== 'string';
}

interface HttpMessage {
  readonly statusCode: number;
  readonly headers: Record<string, string | undefined>;
  setEncoding(encoding: string): void;
  on(event: string, listener: (chunk: string) => void): void;
}

/** Only `ws` tells how an upgrade was refused; of the others one learns no more than that it failed. */
function refusalOf(socket: SocketLike): Promise<never> | undefined {
  const { on } = socket as {
    on?: (event: string, listener: (request: unknown, response: HttpMessage) => void) => void;
  };
  if (on === undefined) return undefined;
  return new Promise((_, reject) => {
    on.call(socket, 'unexpected-response', (_, response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      const finish = () => {
        reject(asRefusal(response.statusCode, response.headers['retry-after'], text));
        socket.close();
      };
      response.on('end', finish);
      response.on('error', finish);
      response.on('aborted', finish);
    });
  });
}

/** Other statuses are those of proxies that know no upgrades: there another transport may work. */
function asRefusal(status: number, retryAfter: string | undefined, text: string): CitewireError {
  if ([401, 403, 429, 503].includes(status)) return fromAnswer(status, retryAfter, parseBody(text));
  return connectionFailed(`The upgrade was answered with ${status}.`);
}

function parseBody(text: string): Parameters<typeof fromAnswer>[2] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
