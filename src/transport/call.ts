/** A request as the service knows calls. Rate-limit headers are put into `headers` as soon as they are known. */
import { rateLimitHeaders } from '../access/limiter.ts';
import type { Call } from '../service/calls.ts';
import type { Exchange } from './port.ts';

export function callOf(exchange: Exchange, headers: Record<string, string>) {
  return {
    request_id: exchange.id,
    from: { api_key: exchange.headers.get('x-api-key'), address: exchange.address },
    onCounted: (rate) => void Object.assign(headers, rateLimitHeaders(rate)),
  } satisfies Call;
}
