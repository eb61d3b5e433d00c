/**
 * What a page of an allowed origin may send and read, in one place. Other origins get nothing, which is how a browser is
 * told no; calls that come without a browser are none of its business. Cookies of browsers are for this server's own pages,
 * so no page of another origin may send any: `Access-Control-Allow-Credentials` is never there.
 */
import type { Exchange, Headers } from '../exchange.ts';

export interface Cors {
  /** What every answer to this request carries. */
  headers(exchange: Exchange): Headers;
  /** Whether this asks if a page may call; the answer is 204 with these headers. */
  preflight(exchange: Exchange): Headers | undefined;
}

const sent = 'accept, content-type, idempotency-key, last-event-id, x-api-key';
const read = 'retry-after, ratelimit, ratelimit-policy, x-search-id, x-request-id';

export function createCors(originAllowed: (origin: string, host: string | undefined) => boolean): Cors {
  function allowedOrigin({ headers }: Exchange): string | undefined {
    const origin = headers.get('origin');
    return origin !== undefined && originAllowed(origin, headers.get('host')) ? origin : undefined;
  }

  return {
    headers(exchange) {
      const origin = allowedOrigin(exchange);
      // A cache must not give one page the answer that names another.
      const vary = { vary: 'origin' };
      if (origin === undefined) return vary;
      return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': read };
    },
    preflight(exchange) {
      const asks = exchange.method === 'OPTIONS' && exchange.headers.has('access-control-request-method');
      if (!asks || allowedOrigin(exchange) === undefined) return undefined;
      return {
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': sent,
        'access-control-max-age': '600',
      };
    },
  };
}
