/**
 * A server on loopback that speaks the protocols of test/support/dialects over real sockets: whole answers, streams cut at any
 * byte, errors and lists of models. What it says is scripted per call; it records every request.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dialect, DialectCall, Saying } from '../dialects/dialect.ts';

export interface ProtocolCall extends DialectCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type ProtocolReply =
  | Saying
  | {
      readonly status: number;
      readonly message: string;
      readonly headers?: Record<string, string>;
      /** Instead of the error that the protocol makes of the message. */
      readonly body?: object;
    };

export type ProtocolScript = (call: ProtocolCall, count: number) => ProtocolReply | Promise<ProtocolReply>;

export interface ProtocolServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly calls: ProtocolCall[];
  /** Paths of all requests. */
  readonly paths: string[];
  script: ProtocolScript;
  /** The models that it lists, and has. */
  models: readonly string[];
  /** What `/api/show` says of them; 404 without. */
  shown: object | undefined;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startProtocolServer(dialect: Dialect): Promise<ProtocolServer> {
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    self.paths.push(path);
    if (path.replace(/\?.*/, '') === dialect.modelsPath) return json(response, 200, dialect.models(self.models));
    if (dialect.provider === 'ollama' && path === '/api/version') return json(response, 200, { version: '0.30.1' });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, never>;
    if (path === '/api/show') {
      return self.shown === undefined
        ? json(response, 404, { error: `model '${body.model}' not found` })
        : json(response, 200, self.shown);
    }
    const read = dialect.readCall(path, body);
    if (read === undefined) return json(response, 404, dialect.error(404, `no such path: ${path}`));
    const call = { ...read, headers: request.headers, body };
    self.calls.push(call);
    const reply = await self.script(call, self.calls.length);
    if ('status' in reply)
      return json(response, reply.status, reply.body ?? dialect.error(reply.status, reply.message), reply.headers);
    if (!call.stream) return json(response, 200, dialect.whole(reply, call));
    response.writeHead(200, { 'content-type': dialect.streamType });
    for (const [at, piece] of dialect.stream(reply, call).entries()) {
      const bytes = Buffer.from(piece);
      // Cut at another byte each time, possibly within a character.
      const cut = 1 + ((at * 37) % bytes.length);
      response.write(bytes.subarray(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      response.write(bytes.subarray(cut));
    }
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: ProtocolServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    paths: [],
    script: () => ({ text: 'ok' }),
    models: ['scripted'],
    shown: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
