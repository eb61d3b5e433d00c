/** A request as the service knows calls. Rate-limit headers are put into `headers` as soon as they are known. */
import type { BrowserRequest } from '../../access/browser/request.ts';
import { rateLimitHeaders } from '../../access/limiter/limiter.ts';
import type { Call } from '../../service/calls.ts';
import type { Exchange } from '../exchange.ts';

export function callOf(exchange: Exchange, headers: Record<string, string>) {
  return {
    request_id: exchange.id,
    from: {
      api_key: exchange.headers.get('x-api-key'),
      address: exchange.address,
      ...(exchange.headers.has('cookie') ? { browser: browserRequestOf(exchange) } : {}),
    },
    onCharged: (rate) => void Object.assign(headers, rateLimitHeaders(rate)),
  } satisfies Call;
}

export function browserRequestOf({ method, headers }: Exchange): BrowserRequest {
  const reads = method === 'GET' || method === 'HEAD';
  return {
    kind: headers.get('upgrade')?.toLowerCase() === 'websocket' ? 'socket' : reads ? 'reads' : 'changes',
    cookies: headers.get('cookie'),
    host: headers.get('host'),
    origin: headers.get('origin'),
    fetch_site: headers.get('sec-fetch-site'),
    csrf_token: headers.get('x-csrf-token'),
  };
}
