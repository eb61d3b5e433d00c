/** The base URL of this server for the addresses in answers: the operator's setting, else what the request says. */
import type { RequestHead } from '../exchange.ts';

/** `http(s)://host[:port]` */
export type BaseUrl = (request: RequestHead) => string;

/** `publicUrl` is the operator's setting; `isSecure` says whether the server itself speaks TLS. */
export function createBaseUrl(publicUrl: string | undefined, isSecure: boolean): BaseUrl {
  return ({ headers }) => {
    if (publicUrl !== undefined) return publicUrl;
    const secure = isSecure || headers.get('x-forwarded-proto') === 'https';
    return `${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`;
  };
}
