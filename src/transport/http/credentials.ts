/** What a request says about who sent it. */
import type { Credentials } from '../../access/access.ts';
import type { BrowserRequest } from '../../access/browser/request.ts';
import type { RequestHead } from '../exchange.ts';

/** The key and, where the request has cookies, what a browser says. Nothing of it has been checked. */
export function credentialsOf(request: RequestHead): Credentials {
  return {
    api_key: apiKeyOf(request),
    address: request.address,
    ...(request.headers.has('cookie') ? { browser: browserRequestOf(request) } : {}),
  };
}

/** The key of `X-API-Key` or, without it, of `Authorization`: after Bearer, or a part of the user and password of Basic. */
function apiKeyOf({ headers }: RequestHead): string | undefined {
  const authorization = headers.get('authorization') ?? '';
  const [, basic] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? [];
  return (
    headers.get('x-api-key') ??
    /^Bearer +(\S.*)$/i.exec(authorization)?.[1]?.trimEnd() ??
    (basic === undefined ? undefined : keyOfBasic(basic))
  );
}

/** Undefined if neither part is a key: a proxy may ask browsers for a user and a password of its own. */
function keyOfBasic(encoded: string): string | undefined {
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [password.join(':'), user].find((part) => part.startsWith('cw_'));
}

/** The headers by which access tells a request of this server's own pages from any other. */
export function browserRequestOf({ method, headers }: RequestHead): BrowserRequest {
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
