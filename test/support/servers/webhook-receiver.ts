/** A receiver of webhooks on loopback: it keeps what it gets, and answers as the test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  /** `127.0.0.1:port`, for FETCH_ALLOW_HOSTS. */
  readonly host: string;
  readonly received: Received[];
  /** Answers a webhook; 204 by default. `count` is how many came before it. */
  answer: (response: ServerResponse, received: Received, count: number) => void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => void receive(request, response));
  const received: Received[] = [];
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    const count = received.push(one) - 1;
    receiver.answer(response, one, count);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    url: `http://${host}/hook`,
    host,
    received,
    answer: (response) => void response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The headers that a verifier takes. */
export function webhookHeaders({ headers }: Received): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
