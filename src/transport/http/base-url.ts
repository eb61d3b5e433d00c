/** The base URL of this server for the addresses in answers: the operator's setting, else what the request says. */
import type { RequestHead } from '../exchange.ts';

/** `http(s)://host[:port]` */
export type BaseUrl = (request: RequestHead) => string;

/** `publicUrl` is the operator's setting. */
export function createBaseUrl(publicUrl: string | undefined): BaseUrl {
  return ({ headers }) => {
    if (publicUrl !== undefined) return publicUrl;
    const secure = headers.get('x-forwarded-proto') === 'https';
    return `${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`;
  };
}
