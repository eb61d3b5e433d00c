/**
 * A provider of OpenID Connect on loopback that speaks the protocol: discovery, keys, authorization code with PKCE, client
 * authentication, codes that work once. `tamper` makes it a hostile or broken one. It signs with `node:crypto`, so nothing of
 * the library under test judges itself. Whoever opens its page is signed in as `user` without being asked.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface OidcProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** The settings of a server that uses it. */
  readonly env: Record<string, string>;
  /** Claims of the person who signs in. */
  user: Json;
  /** Changes what is sent. */
  tamper: {
    metadata?: (metadata: Json) => Json;
    header?: (header: Json) => Json;
    claims?: (claims: Json) => Json;
    /** The whole token as it is sent. */
    token?: (token: string) => string;
    /** The query that leads back to the client. */
    redirect?: (query: URLSearchParams) => void;
  };
  /** Answers everything with 503 meanwhile. */
  isDown: boolean;
  /** How many tokens it issued. */
  issued(): number;
  /** Lines of requests: `GET /path`, `POST /token by client_secret_basic`. */
  readonly requests: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Grant {
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly nonce: string | null;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const requests: string[] = [];
  let issued = 0;
  const [client_id, client_secret] = ['citewire-test', 'a secret/with+odd=characters'];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', provider.issuer);
    requests.push(`${request.method} ${url.pathname}`);
    const json = (status: number, body: Json) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (provider.isDown) return json(503, {});
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(200, metadata());
      case '/keys':
        return json(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] });
      case '/authorize':
        return authorize(url.searchParams, response);
      case '/token':
        return exchange(request, json);
      default:
        return json(404, {});
    }
  }

  function metadata(): Json {
    const at = (path: string) => provider.issuer + path;
    const plain = {
      issuer: provider.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/keys'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    return provider.tamper.metadata?.(plain) ?? plain;
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const [redirect_uri, code_challenge] = [query.get('redirect_uri')!, query.get('code_challenge')!];
    const fits =
      query.get('client_id') === client_id &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      query.get('scope')?.split(' ').includes('openid');
    if (!fits) return void response.writeHead(400).end('expected another request');
    const code = randomUUID();
    grants.set(code, { redirect_uri, code_challenge, nonce: query.get('nonce') });
    const back = new URL(redirect_uri);
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: provider.issuer }).toString();
    const changed = new URLSearchParams(back.search);
    provider.tamper.redirect?.(changed);
    back.search = changed.toString();
    response.writeHead(302, { location: back.href }).end();
  }

  async function exchange(request: IncomingMessage, json: (status: number, body: Json) => void): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const { authorization } = request.headers;
    requests[requests.length - 1] += ` by client_secret_${authorization === undefined ? 'post' : 'basic'}`;
    if (!knowsClient(authorization, form)) return json(401, { error: 'invalid_client' });
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = grant?.code_challenge === challenge && grant.redirect_uri === form.get('redirect_uri');
    if (!fits) return json(400, { error: 'invalid_grant' });
    issued += 1;
    json(200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken(grant) });
  }

  function knowsClient(authorization: string | undefined, form: URLSearchParams): boolean {
    if (authorization === undefined) {
      return form.get('client_id') === client_id && form.get('client_secret') === client_secret;
    }
    const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':');
    const plain = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return plain(id) === client_id && plain(secret) === client_secret;
  }

  function idToken({ nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, aud: client_id, iat: now, exp: now + 300, nonce, ...provider.user };
    const { header = same, claims: change = same, token = same } = provider.tamper;
    return token(signed(header({ alg: 'RS256', kid: 'one', typ: 'JWT' }), change(claims), privateKey));
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    issuer,
    client_id,
    client_secret,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret, OIDC_NAME: 'Heron ID' },
    user: { sub: 'user-1', email: 'ada@example.org', email_verified: true },
    tamper: {},
    isDown: false,
    issued: () => issued,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return provider;
}

/** A JWT; with `alg: none` without a signature. */
export function signed(header: Json, claims: Json, key: KeyObject): string {
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part(header)}.${part(claims)}`;
  const { alg } = header;
  return `${content}.${alg === 'none' ? '' : sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

function same<Value>(value: Value): Value {
  return value;
}
