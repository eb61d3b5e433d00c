/**
 * What a browser's request has to say before its cookie counts. The cookie is HttpOnly and SameSite=Strict, which keeps
 * it out of other sites' requests; that is not relied on alone, since one site has many hosts and ports. So a request must
 * also come from a page of this very origin, by `Origin` and `Sec-Fetch-Site`, whichever the browser sends; one that
 * changes something carries a token besides (browser/sessions.ts), and a socket, which cannot, needs its `Origin`.
 *
 * Cookies know no ports: over plain HTTP the name carries the port, so that servers side by side do not sign each other
 * out. Over TLS the `__Host-` prefix keeps every other host from setting it. Of two cookies of this name neither counts.
 */
import { AppError } from '../../base/errors.ts';

/** A request as it came; headers by their meaning. */
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

export interface BrowserRules {
  /** The session's token, if the request carries one. */
  tokenOf(request: BrowserRequest): string | undefined;
  /** Throws `forbidden` unless a page of this server, or the person at the browser, makes this request. */
  checkOwnPage(request: BrowserRequest): void;
  /** The `Set-Cookie` that gives the token to the browser; an empty one takes it away. */
  setCookie(request: BrowserRequest, token: string, maxAge_s: number): string;
}

/** `publicUrl` is where browsers find this server, where that is not simply its own address. */
export function createBrowserRules(publicUrl: string | undefined): BrowserRules {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const secure = known?.protocol === 'https:';
  const isOwn = ({ origin, host }: BrowserRequest) =>
    origin !== undefined && (known === undefined ? isOriginOf(origin, host) : origin === known.origin);
  const nameFor = ({ host }: BrowserRequest) =>
    secure ? '__Host-citewire' : `citewire_${/:(\d{1,5})$/.exec(host ?? '')?.[1] ?? '80'}`;

  return {
    tokenOf(request) {
      const prefix = `${nameFor(request)}=`;
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
      throw new AppError('forbidden', `Expected a call from a page of this server; got one from ${from}.`);
    },

    setCookie(request, token, maxAge_s) {
      const parts = [`${nameFor(request)}=${token}`, 'Path=/', `Max-Age=${maxAge_s}`, 'HttpOnly', 'SameSite=Strict'];
      return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
    },
  };
}

/** Whether pages of this origin come from whoever was asked for as `host`. */
export function isOriginOf(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  return new URL(origin).host === host.toLowerCase();
}
