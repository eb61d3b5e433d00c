/**
 * What a browser request must prove before its cookie counts. The cookie is HttpOnly and SameSite=Strict, which keeps it
 * out of other sites' requests, but one site has many hosts and ports. So a request must also come from a page of this
 * very origin, according to `Origin` and `Sec-Fetch-Site`, whichever the browser sends. A request that changes something
 * also carries a CSRF token (sessions.ts); a WebSocket handshake, which cannot, must have an `Origin`.
 *
 * Cookies ignore ports: over plain HTTP the name includes the port, so that servers on one host do not sign each other's
 * users out. Over TLS the `__Host-` prefix keeps other hosts from setting it. If two cookies have this name, neither counts.
 */
import { AppError } from '../../base/errors.ts';

/** The parts of a request that decide, as received. */
export interface BrowserRequest {
  readonly kind: 'reads' | 'changes' | 'socket';
  readonly cookies: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` */
  readonly fetch_site: string | undefined;
  /** `X-CSRF-Token` */
  readonly csrf_token: string | undefined;
}

/**
 * `session` is the default. A sign-in is under way while the user is at the provider, which leads back here: a browser sends
 * no SameSite=Strict cookie then, so that of a sign-in is Lax.
 */
export type CookiePurpose = 'session' | 'sign_in';

export interface BrowserRules {
  /** The session's token, or the state of a sign-in under way, if the request carries exactly one. */
  tokenOf(request: BrowserRequest, purpose?: CookiePurpose): string | undefined;
  /** Throws `forbidden` unless the request comes from a page of this server or, to read, from the browser's own UI. */
  checkOwnPage(request: BrowserRequest): void;
  /** The `Set-Cookie` header that stores the token; an empty token removes the cookie. */
  setCookie(request: BrowserRequest, token: string, maxAge_s: number, purpose?: CookiePurpose): string;
}

/**
 * `publicUrl` is the URL at which browsers reach this server, if it is not its own address; `isSecure` says whether the server
 * itself speaks TLS.
 */
export function createBrowserRules(publicUrl: string | undefined, isSecure = false): BrowserRules {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const secure = known === undefined ? isSecure : known.protocol === 'https:';
  const isOwn = ({ origin, host }: BrowserRequest) =>
    origin !== undefined && (known === undefined ? isOriginOf(origin, host) : origin === known.origin);
  const nameFor = ({ host }: BrowserRequest, purpose: CookiePurpose) => {
    const name = purpose === 'session' ? 'citewire' : 'citewire_sign_in';
    return secure ? `__Host-${name}` : `${name}_${/:(\d{1,5})$/.exec(host ?? '')?.[1] ?? '80'}`;
  };

  return {
    tokenOf(request, purpose = 'session') {
      const prefix = `${nameFor(request, purpose)}=`;
      const found = (request.cookies ?? '')
        .split(';')
        .map((cookie) => cookie.trim())
        .filter((cookie) => cookie.startsWith(prefix));
      return found.length === 1 ? found[0]!.slice(prefix.length) : undefined;
    },

    checkOwnPage(request) {
      const { kind, origin, fetch_site } = request;
      const originFits = origin === undefined ? kind !== 'socket' : isOwn(request);
      const siteFits =
        fetch_site === undefined || fetch_site === 'same-origin' || (fetch_site === 'none' && kind === 'reads');
      const saysNothing = origin === undefined && fetch_site === undefined;
      if (originFits && (siteFits || kind === 'socket') && !(saysNothing && kind === 'changes')) return;
      const from = origin === undefined ? 'elsewhere' : JSON.stringify(origin.slice(0, 200));
      throw new AppError('forbidden', `Expected a request from a page of this server; got one from ${from}.`);
    },

    setCookie(request, token, maxAge_s, purpose = 'session') {
      const sameSite = purpose === 'session' ? 'SameSite=Strict' : 'SameSite=Lax';
      const parts = [`${nameFor(request, purpose)}=${token}`, 'Path=/', `Max-Age=${maxAge_s}`, 'HttpOnly', sameSite];
      return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
    },
  };
}

/** Whether `origin` is an http(s) origin whose host and port equal `host`, the value of the `Host` header. */
export function isOriginOf(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  return new URL(origin).host === host.toLowerCase();
}
