/** What is said of a setting that does not fit: its name and what was expected, and never a secret. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { ConfigError } from '../../src/base/settings/config-error.ts';

function failureOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('expected a value that does not fit; it was taken');
}

describe('a setting that does not fit', () => {
  it('names an invalid setting, with what was expected and what was received', () => {
    expect(failureOf({ PORT: 'http' })).toBe('PORT: expected a port from 0 to 65535; 0 picks a free one; got "http".');
  });

  it.each([
    { DATABASE_URL: 'mysql://citewire:secret@db/citewire' },
    { REDIS_URL: 'http://:secret@cache' },
    { SEARCH_HTTP: '{"url": "https://x.example/?q={query}", "headers": {"authorization": "secret"}' },
    { OPENAI_BASE_URL: 'htp://me:secret@models.example/v1' },
    { SEARXNG_URL: 'me:secret@search.example' },
    { PUBLIC_URL: 'https://me:secret@search.example/path' },
  ])('does not show an invalid value that may hold a secret: %o', (env) => {
    const message = failureOf(env);
    expect(message).toContain(Object.keys(env)[0]);
    expect(message).not.toContain('secret');
  });
});

describe('what is sent in a header', () => {
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  const model = { MODEL: 'm' };

  it.each([
    { ...model, MODEL_API_KEY: 'sk-…' },
    { ...model, OPENAI_API_KEY: 'sk-a\nb' },
    { ...model, MODEL_API_KEY: 'a', FALLBACK_API_KEY: 'sk-“b”' },
    { EMBEDDINGS_API_KEY: 'a\u0000b' },
    { RERANK_API_KEY: '…' },
    { BRAVE_API_KEY: 'b…' },
    { GITHUB_SEARCH_TOKEN: 'ghp_…' },
    { ...model, MODEL_API_KEY: 'a', MODEL_HEADERS: '{"Bad Name":"x"}' },
    { ...model, MODEL_API_KEY: 'a', MODEL_HEADERS: '{"x-name":"a\\nb"}' },
    { ...traces, OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' },
    { ...traces, OTEL_EXPORTER_OTLP_HEADERS: 'a=%0A' },
  ])('is refused where no header can carry it: %o', (env) => {
    const setting = Object.keys(env).at(-1)!;
    expect(failureOf(env as Record<string, string>)).toMatch(
      new RegExp(`^${setting}: expected .*; got another value, not shown here\\.$`),
    );
  });

  it('may have what headers can', () => {
    const headers = { 'x-name': 'Ünïcode of Latin 1', "a!#$%&'*+.^_`|~-9": 'x\ty' };
    const config = readConfig({ ...model, MODEL_API_KEY: 'sk-a b/+=', MODEL_HEADERS: JSON.stringify(headers) });
    expect(config.model).toMatchObject({ apiKey: 'sk-a b/+=', headers });
    const telemetry = readConfig({ ...traces, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b' }).telemetry;
    expect(telemetry?.headers).toEqual({ 'api-key': 'a b' });
  });
});

describe('a setting that would have no effect', () => {
  it.each(['FALLBACK_MODEL', 'PLANNING_MODEL'])('is refused: %s without MODEL', (name) => {
    expect(failureOf({ [name]: 'm' })).toBe(`${name}: expected MODEL to be set as well; got nothing.`);
    expect(
      readConfig({ [name]: 'm', MODELS: 'a', MODEL_PROVIDER: 'ollama', FALLBACK_BASE_URL: 'http://a' }).model,
    ).toBeDefined();
  });

  it('is refused: a model that can be reached nowhere, with what would do', () => {
    expect(failureOf({ MODEL: 'qwen3' })).toBe(
      'MODEL: expected OPENAI_API_KEY, OPENAI_BASE_URL or, for a model on this machine, MODEL_PROVIDER=ollama to be set as well; got none of them.',
    );
  });

  it.each(['*', '*.example', '127.0.0.1:99999', '[::1]:65536'])('is refused: the host %s', (host) => {
    expect(failureOf({ FETCH_ALLOW_HOSTS: `a.example, ${host}` })).toContain('without wildcards');
  });

  it('is not a host with a port, or without', () => {
    const hosts = ['a.example', '127.0.0.1:65535', '[::1]', '[::1]:1'];
    expect(readConfig({ FETCH_ALLOW_HOSTS: hosts.join(',') }).fetchAllowHosts).toEqual(hosts);
  });
});

describe('the place of the corpus', () => {
  const DATABASE_URL = 'postgres://citewire:password@127.0.0.1/citewire';

  it.each([
    [{}, 'sqlite'],
    [{ DATABASE_URL }, 'postgres'],
    [{ DATABASE_URL, CORPUS: 'sqlite' }, 'sqlite'],
    [{ DATABASE_URL, CORPUS: 'postgres' }, 'postgres'],
  ])('with %o is %s', (env, place) => {
    expect(readConfig(env).corpus).toBe(place);
  });

  it('refuses a Postgres that is not named', () => {
    expect(() => readConfig({ CORPUS: 'postgres' })).toThrow(
      'DATABASE_URL: expected a URL, because CORPUS is postgres',
    );
  });
});

describe('the provider to sign in with', () => {
  const all = { OIDC_ISSUER: 'https://id.example/realm', OIDC_CLIENT_ID: 'citewire', OIDC_CLIENT_SECRET: 'secret' };

  it('is read with what it may leave out', () => {
    expect(readConfig({}).oidc).toBeUndefined();
    expect(readConfig({ ...all, OIDC_ALLOWED_DOMAINS: 'Example.org, b.example' }).oidc).toEqual({
      issuer: all.OIDC_ISSUER,
      clientId: 'citewire',
      clientSecret: 'secret',
      scopes: 'openid email profile',
      allowedDomains: ['example.org', 'b.example'],
      plan: 'starter',
      name: 'id.example',
    });
  });

  it.each(['http://127.0.0.1:8081', 'http://localhost:8081/realm', 'http://[::1]:8081'])(
    'may speak plain HTTP on this machine: %s',
    (OIDC_ISSUER) => {
      expect(readConfig({ ...all, OIDC_ISSUER }).oidc?.issuer).toBe(OIDC_ISSUER);
    },
  );

  it.each([
    'http://id.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    'https://me:word@id.example',
    'https://id.example/?x=1',
    'id.example',
  ])('is refused elsewhere, and where it is no address of a provider: %s', (OIDC_ISSUER) => {
    expect(failureOf({ ...all, OIDC_ISSUER })).toContain('OIDC_ISSUER: expected an https URL');
  });

  it.each(Object.keys(all))('is refused without %s', (missing) => {
    const { [missing as keyof typeof all]: _, ...rest } = all;
    expect(failureOf(rest)).toMatch(`${missing}: expected a value, because OIDC_`);
  });

  it('is refused with scopes that ask for no identity, and with domains that are none', () => {
    expect(failureOf({ ...all, OIDC_SCOPES: 'email' })).toContain('OIDC_SCOPES');
    expect(failureOf({ ...all, OIDC_ALLOWED_DOMAINS: '@example.org' })).toContain('OIDC_ALLOWED_DOMAINS');
  });
});

describe('a protocol of traces that is meant for other programs', () => {
  const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  it('is refused only where traces are exported', () => {
    expect(readConfig(grpc).telemetry).toBeUndefined();
    expect(readConfig({ ...grpc, ...endpoint, OTEL_SDK_DISABLED: 'true' }).telemetry).toBeUndefined();
    expect(failureOf({ ...grpc, ...endpoint })).toBe('OTEL_EXPORTER_OTLP_PROTOCOL: expected http/json; got "grpc".');
  });
});
