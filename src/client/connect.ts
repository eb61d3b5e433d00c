/**
 * Opens a WebSocket to the server. Runtimes differ only in how they pass a header: browsers cannot and sign in with a
 * ticket, `ws` has a third argument, and the global WebSocket of Node accepts an object in place of the protocols.
 */
import { CitewireError, checkKey, connectionFailed, fromAnswer } from './citewire-error.ts';
import {
  openWebSocketTransport,
  type SocketLike,
  type WebSocketTransport,
  type WebSocketTransportOptions,
} from './websocket-transport.ts';

/** The common part of the types of the global WebSocket and the class of the package `ws`. */
export type SocketConstructor = new (url: string, ...rest: never[]) => Pick<SocketLike, 'readyState' | 'close'>;

export interface Ticket {
  readonly ticket: string;
  readonly ws_url?: string | undefined;
}

export interface ConnectOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly ticket: (() => Promise<Ticket>) | undefined;
  readonly WebSocket: SocketConstructor;
}

/** Whether this WebSocket can sign in in this runtime: in a browser it cannot send a key. */
export function canSignIn({ apiKey, ticket, WebSocket }: Omit<ConnectOptions, 'baseUrl'>): boolean {
  return ticket !== undefined || (apiKey !== undefined && (WebSocket !== globalThis.WebSocket || !isBrowser()));
}

/** Whether a failed WebSocket of this class tells what the server answered to the upgrade. */
export function tellsWhy(WebSocket: SocketConstructor): boolean {
  // A bound class has no prototype.
  return typeof (WebSocket.prototype as { on?: unknown } | undefined)?.on === 'function';
}

/** Resolves once the server is ready. Rejects with CitewireError: the server's error, or `connection_failed`. */
export async function connect(
  options: ConnectOptions,
  transport: WebSocketTransportOptions,
): Promise<WebSocketTransport> {
  const { baseUrl, apiKey, ticket } = options;
  if (apiKey !== undefined && ticket === undefined) checkKey(apiKey);
  const credentials = ticket && (await buyTicket(ticket, transport.connectTimeoutMs));
  const url = credentials?.ws_url ?? new URL('v1/ws/search', baseUrl.replace(/\/*$/, '/').replace(/^http/, 'ws')).href;
  const protocols = ['citewire.v1', ...(credentials === undefined ? [] : [`ticket.${credentials.ticket}`])];
  const headers = credentials === undefined && apiKey !== undefined ? { 'x-api-key': apiKey } : {};
  const socket = construct(options.WebSocket, url, protocols, headers);
  const rejected = rejectionOf(socket);
  const opening = openWebSocketTransport(socket, transport);
  opening.catch(() => {});
  return Promise.race(rejected === undefined ? [opening] : [opening, rejected]);
}

async function buyTicket(ticket: () => Promise<Ticket>, timeoutMs: number): Promise<Ticket> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([ticket(), timeout]);
  } catch (error) {
    if (error instanceof CitewireError) throw error;
    throw connectionFailed(`Could not get a ticket: ${(error as Error).message}`, error);
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

/** Rejects with the server's response to the upgrade. Only `ws` exposes it; elsewhere an upgrade merely fails. */
function rejectionOf(socket: SocketLike): Promise<never> | undefined {
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
        reject(toRejection(response.statusCode, response.headers['retry-after'], text));
        socket.close();
      };
      response.on('end', finish);
      response.on('error', finish);
      response.on('aborted', finish);
    });
  });
}

/** Other statuses come from proxies without WebSocket support, where another transport may work. */
function toRejection(status: number, retryAfter: string | undefined, text: string): CitewireError {
  if ([401, 403, 429, 503].includes(status)) return fromAnswer(status, retryAfter, parseBody(text));
  return connectionFailed(`The WebSocket upgrade was answered with ${status}.`);
}

function parseBody(text: string): Parameters<typeof fromAnswer>[2] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
