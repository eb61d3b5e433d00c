import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BrowserRequest, createBrowserRules } from '../../src/access/browser/request.ts';

const token = 'T'.repeat(43);
const request = (more: Partial<BrowserRequest> = {}): BrowserRequest => ({
  kind: 'changes',
  cookies: `citewire_8080=${token}`,
  host: 'search.example:8080',
  origin: 'http://search.example:8080',
  fetch_site: 'same-origin',
  csrf_token: undefined,
  ...more,
});
const plain = createBrowserRules(undefined);
const behindTls = createBrowserRules('https://search.example');

describe('the session of a request', () => {
  it('finds the session cookie among others, whatever they contain', () => {
    const value = fc.string({ maxLength: 200 }).map((text) => text.replaceAll(';', ''));
    const name = fc.stringMatching(/^[a-z_]{1,30}$/);
    const others = fc.array(fc.tuple(name, value), { maxLength: 50 });
    fc.assert(
      fc.property(others, others, (before, after) => {
        const cookies = [...before, ['citewire_8080', token], ...after].map((pair) => pair.join('=')).join('; ');
        expect(plain.tokenOf(request({ cookies }))).toBe(token);
      }),
    );
  });

  it('reads only the session cookie of its own port', () => {
    for (const cookies of [`citewire_80=${token}`, `citewire_80801=${token}`, `xcitewire_8080=${token}`, token]) {
      expect(plain.tokenOf(request({ cookies }))).toBeUndefined();
    }
    expect(plain.tokenOf(request({ host: 'search.example', cookies: `citewire_80=${token}` }))).toBe(token);
  });

  it('ignores the session if two cookies have its name', () => {
    const cookies = `citewire_8080=${'E'.repeat(43)}; citewire_8080=${token}`;
    expect(plain.tokenOf(request({ cookies }))).toBeUndefined();
  });

  it('accepts over TLS only a cookie that no other host could set', () => {
    expect(behindTls.tokenOf(request())).toBeUndefined();
    expect(behindTls.tokenOf(request({ cookies: `__Host-citewire=${token}` }))).toBe(token);
  });
});

describe('the cookie', () => {
  it('sets a cookie that scripts, other sites and, with TLS, plain HTTP cannot reach', () => {
    expect(plain.setCookie(request(), token, 60)).toBe(
      `citewire_8080=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict`,
    );
    expect(behindTls.setCookie(request(), token, 60)).toBe(
      `__Host-citewire=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
    );
  });
});

describe('a page of this server', () => {
  const passes = (rules: typeof plain, more: Partial<BrowserRequest>) => {
    try {
      rules.checkOwnPage(request(more));
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'forbidden' });
      return false;
    }
  };

  it.each<[string, boolean, Partial<BrowserRequest>]>([
    ['accepts a change with its own Origin and Sec-Fetch-Site', true, {}],
    ['accepts a change by its Origin alone, from an old browser', true, { fetch_site: undefined }],
    ['accepts a read by its Sec-Fetch-Site alone', true, { kind: 'reads', origin: undefined }],
    [
      'accepts a read of an address that a person opens',
      true,
      { kind: 'reads', origin: undefined, fetch_site: 'none' },
    ],
    ['refuses a change from another site', false, { origin: 'https://evil.example', fetch_site: 'cross-site' }],
    ['refuses a change from another port', false, { origin: 'http://search.example:9090', fetch_site: 'same-site' }],
    [
      'refuses a change from another host of the site',
      false,
      { origin: 'http://a.search.example', fetch_site: 'same-site' },
    ],
    ['refuses a change that hides its origin', false, { origin: 'null' }],
    ['refuses a change whose Origin and Sec-Fetch-Site contradict each other', false, { fetch_site: 'cross-site' }],
    ['refuses a change without Origin and Sec-Fetch-Site', false, { origin: undefined, fetch_site: undefined }],
    ['refuses a change from an address that a person opens', false, { origin: undefined, fetch_site: 'none' }],
    ['refuses a read from another site', false, { kind: 'reads', origin: undefined, fetch_site: 'cross-site' }],
    ['accepts a WebSocket of its own page', true, { kind: 'socket' }],
    ['refuses a WebSocket from another site', false, { kind: 'socket', origin: 'https://evil.example' }],
    ['refuses a WebSocket without an Origin', false, { kind: 'socket', origin: undefined }],
  ])('%s', (_, expected, more) => {
    expect(passes(plain, more)).toBe(expected);
  });

  it('accepts behind a proxy only pages of the public URL', () => {
    const host = '127.0.0.1:8080';
    expect(passes(behindTls, { host, origin: 'https://search.example' })).toBe(true);
    for (const origin of ['http://search.example', 'http://127.0.0.1:8080', 'https://search.example:444']) {
      expect(passes(behindTls, { host, origin })).toBe(false);
    }
  });
});
