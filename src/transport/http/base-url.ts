/** Where clients find this server, for addresses that an answer gives: what the operator says, else what the client says. */
import type { Exchange } from '../exchange.ts';

/** `http(s)://host[:port]` */
export type BaseUrl = (exchange: Exchange) => string;

export function createBaseUrl(publicUrl: string | undefined): BaseUrl {
  return ({ headers }) => {
    if (publicUrl !== undefined) return publicUrl;
    const secure = headers.get('x-forwarded-proto') === 'https';
    return `${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`;
  };
}
