/**
 * `postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write`, as libpq reads it: several hosts, one of
 * which is the primary. Connections go to the host that accepts writes, whether or not the parameter says so, because every user
 * of the database writes.
 */

export interface PostgresHosts {
  /** A URL for each host. */
  readonly urls: readonly string[];
  /** Whether to look for the host that accepts writes. */
  readonly mustWrite: boolean;
}

const parameter = 'target_session_attrs';
/** What libpq calls a server that accepts writes. */
const writing = ['read-write', 'primary'];

/** Undefined if the URL is not one of Postgres, or wants sessions on several hosts that need not accept writes. */
export function parsePostgresUrl(url: string): PostgresHosts | undefined {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]+)([^?#]*)(?:\?([^#]*))?$/.exec(url);
  if (parts === null) return undefined;
  const [, before, hosts, path, query = ''] = parts;
  const kept = query.split('&').filter((each) => each !== '' && !each.startsWith(`${parameter}=`));
  const urls = hosts!
    .split(',')
    .map((host) => `${before}${host}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`);
  if (!urls.every((each) => URL.canParse(each) && new URL(each).hostname !== '')) return undefined;
  const wanted = new URLSearchParams(query).get(parameter) ?? (urls.length > 1 ? 'read-write' : 'any');
  const mustWrite = writing.includes(wanted);
  return mustWrite || (wanted === 'any' && urls.length === 1) ? { urls, mustWrite } : undefined;
}
