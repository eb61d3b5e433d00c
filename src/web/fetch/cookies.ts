/**
 * The cookies of one fetch. Some sites set one and redirect to the same page until it comes back; nothing is kept afterwards, and each
 * host gets only its own.
 */

export interface Cookies {
  /** The header for a request. */
  headers(url: URL): Record<string, string>;
  /** Keeps what the answer of a URL sets. */
  take(url: URL, header: string | readonly string[] | undefined): void;
}

/** Cookies of a host, and characters of one; set by hand. */
const maxCookies = 20;
const maxCookieChars = 2_000;

/** A jar for one fetch, empty at first. */
export function createCookies(): Cookies {
  const hosts = new Map<string, Map<string, string>>();
  return {
    headers({ host }) {
      const held = hosts.get(host);
      if (held === undefined || held.size === 0) return {};
      return { cookie: [...held].map(([name, value]) => `${name}=${value}`).join('; ') };
    },
    take({ host }, header = []) {
      const held = hosts.get(host) ?? new Map<string, string>();
      hosts.set(host, held);
      for (const line of typeof header === 'string' ? [header] : header) {
        // Visible ASCII, so that it can be a part of a header (RFC 6265, 4.1.1).
        const [, name = '', value = '', rest = ''] = /^\s*([!-:<>-~]{1,100})=([ -:<-~]*)(;.*)?$/.exec(line) ?? [];
        if (name === '' || name.length + value.length > maxCookieChars) continue;
        if (/;\s*max-age\s*=\s*["']?(?:0|-)/i.test(rest)) held.delete(name);
        else if (held.has(name) || held.size < maxCookies) held.set(name, value.trim());
      }
    },
  };
}
