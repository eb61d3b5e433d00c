/** The HTTP calls: each row of the routes table has one handler; errors are answered as the error table says. */
import { type RouteName, routeOf, routes } from '../../../protocol/index.ts';
import type { Refusals } from '../../access/usage/refusals.ts';
import type { OnFault } from '../../base/errors.ts';
import type { Metrics } from '../../base/metrics.ts';
import { nameOfUpload } from '../../base/source-names.ts';
import type { Tracing } from '../../runs/tracing.ts';
import type { AccountService } from '../../service/account.ts';
import type { ServerService } from '../../service/service.ts';
import { isKnown } from '../etag.ts';
import type { Exchange } from '../exchange.ts';
import { limitsOfBody } from '../json-limits.ts';
import { shutdownError } from '../shutdown.ts';
import { upgradeRequired } from '../websocket/handshake.ts';
import { accountHandlers } from './account.ts';
import { createBaseUrl } from './base-url.ts';
import { type Context, createContext, defaultHeaders, nativeError, sendError } from './context.ts';
import { createCors } from './cors.ts';
import { designHandlers } from './designs.ts';
import type { Doors } from './door.ts';
import { openSearchDescription, openSearchHeaders } from './opensearch.ts';
import { callHandler, doorOfPath, matchRoute, type RouteHandlers, unknownPath } from './router.ts';
import { scheduleHandlers } from './schedules.ts';
import { searchHandlers } from './searches.ts';
import { sourceHandlers } from './sources.ts';
import { threadHandlers } from './threads.ts';
import { webhookHandlers } from './webhooks.ts';

/** The generated documents, as JSON text. They are long, and few servers are asked for them. */
export interface Documents {
  openapi(): Promise<string>;
  asyncapi(): Promise<string>;
}

/** The pages for people, served alongside the API. */
export interface Pages {
  /** Whether the path is that of a page, or may be that of one of its files. */
  owns(method: string, path: string): boolean;
  /** Resolves with false, and answers nothing, when there is no such file. */
  answer(ctx: Context): Promise<boolean>;
  /** Answers an unknown path with a page if a browser opens it; otherwise resolves with false. */
  answerUnknown(ctx: Context): Promise<boolean>;
}

/** Notes that a call was refused. */
export type OnRefused = Refusals['add'];

export interface HttpOptions {
  readonly service: ServerService;
  readonly account: AccountService;
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  /** The base URL that clients use, if the operator set one. */
  readonly publicUrl: string | undefined;
  /** Whether the server itself speaks TLS. */
  readonly isSecure: boolean;
  readonly documents: Documents;
  readonly pages: Pages;
  readonly doors: Doors;
  readonly metrics: Metrics;
  /** Absent unless traces are exported. */
  readonly tracing?: Pick<Tracing, 'call'> | undefined;
  /** Called with each call that is answered with an error. */
  readonly refused?: OnRefused | undefined;
  /** Rejects with the error that GET /readyz answers with while a part of the server does not work. */
  readonly checkReady: () => Promise<void>;
  readonly onFault: OnFault;
  readonly isDraining: () => boolean;
  /** Called after each request. */
  readonly onClosed: () => void;
}

/** `open` returns the number of requests that are being answered. */
export function createHttp(options: HttpOptions): { request(exchange: Exchange): Promise<void>; open(): number } {
  const {
    service,
    account,
    documents,
    pages,
    doors,
    metrics,
    tracing,
    refused,
    checkReady,
    onFault,
    isDraining,
    onClosed,
  } = options;
  const cors = createCors(options.originAllowed);
  const baseUrl = createBaseUrl(options.publicUrl, options.isSecure);
  let open = 0;
  let streams = 0;
  metrics.watch('streams_open', () => streams);

  const handlers: RouteHandlers = {
    ...searchHandlers(service),
    ...designHandlers(service, baseUrl),
    ...accountHandlers(account, baseUrl),
    ...threadHandlers(service, baseUrl),
    ...webhookHandlers(service),
    ...scheduleHandlers(service),
    ...sourceHandlers(service),
    ...doors.handlers,
    search_socket() {
      throw upgradeRequired();
    },
    contents: async (ctx) => ctx.json(200, await service.contents(ctx.call)),
    async read_snapshot(ctx, { snapshot }) {
      const contents = await service.snapshot(ctx.call, snapshot);
      // A snapshot never changes, so its reader may keep it. One of an uploaded file is asked for each time: after somebody has
      // signed out,
      // the next person at the browser must not read it there.
      const isUpload = nameOfUpload(contents.info.final_url) !== undefined;
      const etag = `"${encodeURIComponent(contents.info.snapshot)}"`;
      ctx.header('cache-control', isUpload ? 'private, no-cache' : 'private, max-age=31536000, immutable');
      if (isUpload) ctx.header('etag', etag);
      if (isUpload && isKnown(ctx.request.headers.get('if-none-match'), etag)) ctx.send(304, {}, '');
      else ctx.json(200, contents);
    },
    async issue_ticket(ctx) {
      const ticket = await service.ticket(ctx.call);
      const ws_url = `${baseUrl(ctx.request).replace(/^http/, 'ws')}${routes.search_socket.path}`;
      ctx.json(200, { ...ticket, ws_url });
    },
    follow_ups: async (ctx, { search_id }) => ctx.json(200, await service.followUps(ctx.call, search_id)),
    suggestions: async (ctx) => ctx.json(200, await service.suggestions(ctx.call)),
    capabilities: async (ctx) => ctx.json(200, await service.capabilities(ctx.call)),
    usage: async (ctx) => ctx.json(200, await service.usage(ctx.call)),
    metrics: async (ctx) =>
      ctx.send(200, { ...defaultHeaders, 'content-type': metrics.contentType }, await metrics.text()),
    health: (ctx) => ctx.json(200, { status: 'ok' }),
    async ready(ctx) {
      if (isDraining()) throw shutdownError();
      // A proxy that asks for more would have no server left while what all of them share is unreachable.
      if (ctx.query().only !== 'server') await checkReady();
      ctx.json(200, { status: 'ready' });
    },
    opensearch: (ctx) => ctx.send(200, openSearchHeaders, openSearchDescription(baseUrl(ctx.request))),
    openapi: async (ctx) => ctx.jsonText(200, await documents.openapi()),
    asyncapi: async (ctx) => ctx.jsonText(200, await documents.asyncapi()),
  };

  async function request(exchange: Exchange): Promise<void> {
    let route: RouteName | 'page' | 'unknown' = 'unknown';
    const begun = performance.now();
    const span = tracing?.call(exchange.headers.get('traceparent'));
    const endSpan = (status?: number) => {
      const { method, path } = exchange;
      const about = { method, path, route: routeOf(route)?.path, status };
      span?.end({ ...about, host: exchange.headers.get('host'), isSecure: options.isSecure });
    };
    const ctx = createContext(exchange, {
      headers: cors.headers(exchange),
      traceparent: span?.traceparent,
      bodyLimits: () => limitsOfBody(routeOf(route)?.body),
      errorFormat: () => doors.errors[doorOfPath(exchange.path)] ?? nativeError,
      onAnswered(status) {
        metrics.request(route, status, (performance.now() - begun) / 1000);
        endSpan(status);
      },
      onError: (error) =>
        refused?.(ctx.call.from, { method: exchange.method, path: exchange.path, request_id: exchange.id }, error),
      onStream(change) {
        streams += change;
      },
    });
    open += 1;
    try {
      const preflight = cors.preflight(exchange);
      if (preflight !== undefined) return ctx.send(204, preflight, '');
      const { method, path } = exchange;
      if (pages.owns(method, path)) {
        route = 'page';
        if (await pages.answer(ctx)) return;
      }
      const match = matchRoute(method, path);
      route = match?.route ?? 'unknown';
      if (match === undefined) {
        if (await pages.answerUnknown(ctx)) return;
        throw unknownPath(path);
      }
      if (isDraining() && routes[match.route].counted) throw shutdownError();
      await callHandler(handlers, ctx, match);
    } catch (error) {
      sendError(ctx, error, onFault);
    } finally {
      endSpan();
      open -= 1;
      onClosed();
    }
  }

  return { request, open: () => open };
}
