import { describe, expect, it } from 'vitest';
import { parsePostgresUrl } from '../../../src/base/postgres/hosts.ts';

describe('a URL of Postgres', () => {
  it('with one host is used as it is', () => {
    const url = 'postgres://citewire:p%40ss@db:5432/citewire?sslmode=require';
    expect(parsePostgresUrl(url)).toEqual({ urls: [url], mustWrite: false });
    expect(parsePostgresUrl('postgresql://127.0.0.1')).toEqual({ urls: ['postgresql://127.0.0.1'], mustWrite: false });
  });

  it('with several hosts is one for each, of which the one that accepts writes is looked for', () => {
    const expected = {
      urls: ['postgres://u:p@a:5432/db?sslmode=require', 'postgres://u:p@[::1]:5433/db?sslmode=require'],
      mustWrite: true,
    };
    const url = 'postgres://u:p@a:5432,[::1]:5433/db?sslmode=require';
    expect(parsePostgresUrl(url)).toEqual(expected);
    expect(parsePostgresUrl(`${url}&target_session_attrs=read-write`)).toEqual(expected);
    expect(parsePostgresUrl(`${url}&target_session_attrs=primary`)).toEqual(expected);
  });

  it('with one host may want it to accept writes', () => {
    const url = 'postgres://a/db?target_session_attrs=read-write';
    expect(parsePostgresUrl(url)).toEqual({ urls: ['postgres://a/db'], mustWrite: true });
  });

  it.each([
    ['of another protocol', 'mysql://a/db'],
    ['without a host', 'postgres:///db'],
    ['with an empty host', 'postgres://a,/db'],
    ['with a wrong port', 'postgres://a:port,b/db'],
    ['that wants any of several hosts', 'postgres://a,b/db?target_session_attrs=any'],
    ['that wants a standby', 'postgres://a,b/db?target_session_attrs=standby'],
  ])('is refused %s', (_, url) => {
    expect(parsePostgresUrl(url)).toBeUndefined();
  });
});
