/** A collector of OpenTelemetry on loopback: it takes OTLP over HTTP as JSON, and refuses what is none. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly events?: readonly { readonly name: string }[];
  readonly status?: { readonly code: number };
  /** By key; numbers as they are, from either of their forms. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** The attributes of the newest resource. */
  resource: Readonly<Record<string, unknown>>;
  /** Answers an export; 200 by default. */
  answer: (response: ServerResponse, count: number) => void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path = '', headers } = request;
    const body = Buffer.concat(chunks).toString('utf8');
    const count = collector.requests.push({ path, headers, body }) - 1;
    if (path !== '/v1/traces' || headers['content-type'] !== 'application/json') {
      return void response.writeHead(415).end();
    }
    const taken = () => {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans as ResourceSpans[]) {
        collector.resource = byKey(resource.attributes);
        for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
          collector.spans.push({ ...span, attributes: byKey(span.attributes) });
        }
      }
    };
    response.on('finish', () => response.statusCode === 200 && taken());
    collector.answer(response, count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    resource: {},
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

interface ResourceSpans {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopeSpans: readonly {
    readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly KeyValue[] })[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
    readonly arrayValue?: { readonly values: readonly KeyValue['value'][] };
  };
}

function byKey(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain({ stringValue, intValue, doubleValue, boolValue, arrayValue }: KeyValue['value']): unknown {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(plain);
}
