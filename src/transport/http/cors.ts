/**
 * CORS: what a page of an allowed origin may send and read. Other origins get no such headers, and their browsers refuse
 * the call; calls from outside a browser are unaffected. Cookies are only for this server's own pages, so
 * `Access-Control-Allow-Credentials` is never sent.
 */
import type { Headers, RequestHead } from '../exchange.ts';

export interface Cors {
  /** The headers of every answer to this request. */
  headers(request: RequestHead): Headers;
  /** The headers of the 204 that answers a preflight; undefined for any other request. */
  preflight(request: RequestHead): Headers | undefined;
}

const sent = [
  'accept',
  'authorization',
  'cache-control',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
  // Tavily's client names itself so.
  'x-client-source',
];
/** Families of headers, those of OpenAI's client and of MCP; a preflight names the ones it means. */
const families = /^(?:x-stainless|mcp)-[a-z0-9-]{1,60}$/;
const read =
  'retry-after, ratelimit, ratelimit-policy, x-search-id, x-search-stored, x-request-id, x-should-retry, www-authenticate, mcp-session-id';

/** `originAllowed`: whether a page of this origin may call the host. */
export function createCors(originAllowed: (origin: string, host: string | undefined) => boolean): Cors {
  function allowedOrigin({ headers }: RequestHead): string | undefined {
    const origin = headers.get('origin');
    return origin !== undefined && originAllowed(origin, headers.get('host')) ? origin : undefined;
  }

  return {
    headers(request) {
      const origin = allowedOrigin(request);
      // A cache must not reuse an answer that names another page's origin.
      const vary = { vary: 'origin' };
      if (origin === undefined) return vary;
      return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': read };
    },
    preflight(request) {
      const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
      if (!isPreflight || allowedOrigin(request) === undefined) return undefined;
      return {
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': [...sent, ...familiesIn(request)].join(', '),
        'access-control-max-age': '600',
      };
    },
  };
}

/** The headers that the preflight asks for and a family has, at most 30. */
function familiesIn({ headers }: RequestHead): string[] {
  const asked = (headers.get('access-control-request-headers') ?? '').toLowerCase().split(',', 100);
  return asked
    .map((name) => name.trim())
    .filter((name) => families.test(name))
    .slice(0, 30);
}
