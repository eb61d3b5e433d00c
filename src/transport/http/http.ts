/** The HTTP calls. Each row of the routes table has one handler here; what it throws is answered as the error table says. */
import { type RouteName, routes } from '../../../protocol/index.ts';
import { invalid, type OnFault } from '../../base/errors.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { AccountService } from '../../service/account.ts';
import type { Service } from '../../service/service.ts';
import type { Exchange, Headers } from '../exchange.ts';
import { goingDown } from '../shutdown.ts';
import { upgradeRequired } from '../websocket/handshake.ts';
import { accountHandles } from './account.ts';
import { answerAsJson } from './await-result.ts';
import { createBaseUrl } from './base-url.ts';
import { callOf } from './call.ts';
import { createCors } from './cors.ts';
import { type Asks, designHandles } from './designs.ts';
import { readJson } from './read-json.ts';
import { defaultHeaders, replyJson, replyText, sendError } from './reply.ts';
import { type Handle, matchRoute } from './router.ts';
import { follow, searchHandles } from './searches.ts';
import { wantsEvents } from './sse.ts';

/** The generated documents, as JSON text. */
export interface Documents {
  readonly openapi: string;
  readonly asyncapi: string;
}

/** The pages that people look at, served beside the API. */
export interface Pages {
  /** Whether the path is that of a page, or may be that of one of its files. */
  owns(method: string, path: string): boolean;
  /** False, with nothing answered, when there is no such file. */
  answer(exchange: Exchange, headers: Headers): Promise<boolean>;
}

export interface HttpOptions {
  readonly service: Service;
  readonly account: AccountService;
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  /** Where clients find this server, where the operator says so. */
  readonly publicUrl: string | undefined;
  readonly documents: Documents;
  /** The pages that people look at. */
  readonly pages: Pages;
  readonly metrics: Metrics;
  readonly onFault: OnFault;
  readonly isDraining: () => boolean;
  /** Called whenever a request has ended. */
  readonly onClosed: () => void;
}

export function createHttp(options: HttpOptions): { request(exchange: Exchange): Promise<void>; open(): number } {
  const { service, account, documents, pages, metrics, onFault, isDraining, onClosed } = options;
  const cors = createCors(options.originAllowed);
  const baseUrl = createBaseUrl(options.publicUrl);
  let open = 0;
  let streams = 0;
  metrics.watch('streams_open', () => streams);

  const handles: Record<RouteName, Handle> = {
    search: (exchange, headers) => search(exchange, headers, { body: () => readJson(exchange) }),
    ...designHandles(service, search, baseUrl),
    ...searchHandles(service),
    async search_socket() {
      throw upgradeRequired();
    },
    async contents(exchange, headers) {
      const body = () => readJson(exchange);
      const call = { ...callOf(exchange, headers), body, signal: exchange.signal };
      replyJson(exchange, 200, await service.contents(call), headers);
    },
    async read_snapshot(exchange, headers, { snapshot = '' }) {
      const contents = await service.snapshot(callOf(exchange, headers), snapshot);
      // A snapshot never changes, so whoever may read it may keep it.
      replyJson(exchange, 200, contents, { ...headers, 'cache-control': 'private, max-age=31536000, immutable' });
    },
    async issue_ticket(exchange, headers) {
      const body = () => readJson(exchange);
      const { ticket, expires_at } = await service.ticket({ ...callOf(exchange, headers), body });
      const ws_url = `${baseUrl(exchange).replace(/^http/, 'ws')}${routes.search_socket.path}`;
      replyJson(exchange, 200, { ticket, expires_at, ws_url }, headers);
    },
    async usage(exchange, headers) {
      replyJson(exchange, 200, await service.usage(callOf(exchange, headers)), headers);
    },
    ...accountHandles(account),
    async metrics(exchange, headers) {
      exchange.respond(
        200,
        { ...defaultHeaders, ...headers, 'content-type': metrics.contentType },
        await metrics.text(),
      );
    },
    async health(exchange, headers) {
      replyJson(exchange, 200, { status: 'ok' }, headers);
    },
    async ready(exchange, headers) {
      if (isDraining()) throw goingDown();
      replyJson(exchange, 200, { status: 'ready' }, headers);
    },
    async openapi(exchange, headers) {
      replyText(exchange, 200, documents.openapi, headers);
    },
    async asyncapi(exchange, headers) {
      replyText(exchange, 200, documents.asyncapi, headers);
    },
  };

  async function search(exchange: Exchange, headers: Record<string, string>, asks: Asks): Promise<void> {
    const streamed = wantsEvents(exchange);
    const { signal } = exchange;
    const idempotency_key = readIdempotencyKey(exchange);
    const how = { streamed, on_disconnect: 'grace', signal, idempotency_key } as const;
    const { run } = await service.search({ ...callOf(exchange, headers), ...asks, ...how });
    if (streamed) return follow(run, 0, { service, exchange, headers });
    const leave = service.attach(run);
    try {
      await answerAsJson(exchange, run, headers);
    } finally {
      leave();
    }
  }

  async function request(given: Exchange): Promise<void> {
    let route: RouteName | 'page' | 'unknown' = 'unknown';
    const begun = performance.now();
    const onStatus = (status: number) => metrics.request(route, status, (performance.now() - begun) / 1000);
    const exchange = observed(given, onStatus, (change) => {
      streams += change;
    });
    const headers = { 'x-request-id': exchange.id, ...cors.headers(exchange) };
    open += 1;
    try {
      const preflight = cors.preflight(exchange);
      if (preflight !== undefined) return exchange.respond(204, { ...headers, ...preflight }, '');
      if (pages.owns(exchange.method, exchange.path)) {
        route = 'page';
        if (await pages.answer(exchange, headers)) return;
      }
      const match = matchRoute(exchange.method, exchange.path);
      route = match.route;
      if (isDraining() && routes[match.route].counted) throw goingDown();
      await handles[match.route](exchange, headers, match.params);
    } catch (error) {
      sendError(exchange, error, headers, onFault);
    } finally {
      open -= 1;
      onClosed();
    }
  }

  return { request, open: () => open };
}

/** The same exchange; `onStatus` is told how it was answered, once the answer is whole, `onStream` when a stream begins and ends. */
function observed(
  exchange: Exchange,
  onStatus: (status: number) => void,
  onStream: (change: 1 | -1) => void,
): Exchange {
  return {
    ...exchange,
    respond(status, headers, body) {
      exchange.respond(status, headers, body);
      onStatus(status);
    },
    stream(headers) {
      const stream = exchange.stream(headers);
      let isOpen = true;
      const close = () => {
        if (isOpen) onStream(-1);
        isOpen = false;
      };
      onStream(1);
      exchange.signal.addEventListener('abort', close, { once: true });
      return {
        ...stream,
        end() {
          stream.end();
          if (isOpen) onStatus(200);
          close();
        },
      };
    },
  };
}

/** A caller's own name for a request: 1 to 255 visible characters. */
function readIdempotencyKey(exchange: Exchange): string | undefined {
  const key = exchange.headers.get('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(['header', 'idempotency-key'], 'expected 1 to 255 visible ASCII characters', 'value_error');
}
