/**
 * White- and blacklists of sources. An entry is a URL, a host or host/path: a host includes its subdomains, a path
 * everything below it. One function decides, and every place that could let a page through calls it. There are no
 * schemas here, because loading zod would double what a worker thread of the index loads.
 */
export interface SourceRules {
  /** Only these sources; empty allows every source. */
  readonly only: readonly SourceRule[];
  /** Never these sources. */
  readonly never: readonly SourceRule[];
}

export interface SourceRule {
  /** Lower case, without port and "www."; empty for a `file:` URL. */
  readonly host: string;
  /** Starts with "/", without "/" at the end; empty for the whole host. */
  readonly path: string;
}

export const everySource: SourceRules = { only: [], never: [] };

/** Returns the rules of a request's two lists. Skips invalid entries, which the schema has already rejected. */
export function sourceRules(lists: {
  source_whitelist?: readonly string[] | undefined;
  source_blacklist?: readonly string[] | undefined;
}): SourceRules {
  const rules = (entries: readonly string[] = []) => entries.flatMap((entry) => parseSourceRule(entry) ?? []);
  return { only: rules(lists.source_whitelist), never: rules(lists.source_blacklist) };
}

/**
 * Parses an entry such as `https://a.org/docs/`, `a.org`, `*.a.org`, `a.org/docs` or `.gov`. Returns undefined if it has no valid host.
 */
export function parseSourceRule(entry: string): SourceRule | undefined {
  const trimmed = entry.trim();
  if (/\s/.test(trimmed)) return undefined;
  const text = trimmed.replace(/^(https?:\/\/)?\*?\./i, '$1');
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol !== 'file:' && !namesHost(url.hostname, text !== trimmed)) return undefined;
  return { host: bareHost(url.hostname), path: readingsOf(url.pathname).resolved };
}

/**
 * Whether a page may be used. If there are any rules, an invalid URL may not. Where servers read a path in two ways, neither may be
 * excluded, and both must be included.
 */
export function allows(rules: SourceRules, pageUrl: string): boolean {
  if (rules.only.length === 0 && rules.never.length === 0) return true;
  const url = parseUrl(pageUrl);
  if (url === undefined) return false;
  const host = bareHost(url.hostname);
  const { resolved, unresolved } = readingsOf(url.pathname);
  const isAllowed = (path: string) => {
    const covered = (rule: SourceRule) => covers(rule, host, path);
    return !rules.never.some(covered) && (rules.only.length === 0 || rules.only.some(covered));
  };
  return isAllowed(resolved) && (unresolved === resolved || isAllowed(unresolved));
}

function covers(rule: SourceRule, host: string, path: string): boolean {
  const hostFits = host === rule.host || (rule.host !== '' && host.endsWith(`.${rule.host}`));
  return hostFits && (rule.path === '' || path === rule.path || path.startsWith(`${rule.path}/`));
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * A dotted name, an IP address, or localhost; "docs" alone is a typo and would match nothing, unless it is the end of hosts, as ".gov" is.
 * URLs allow characters in a host that no page's has: "a.org," would exclude nothing.
 */
function namesHost(hostname: string, isEnd: boolean): boolean {
  if (hostname === 'localhost' || hostname.startsWith('[')) return true;
  return isEnd ? /^[\w-]+(?:\.[\w-]+)*\.?$/.test(hostname) : /^[\w-]+(?:\.[\w-]+)+\.?$/.test(hostname);
}

/** "WWW.Example.ORG." and "example.org" mean the same site to the author of such a list. */
function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

/**
 * The two ways in which servers read a path. In both it is decoded, so that "/a%2Fb" cannot slip past a rule for "/a/b". A
 * server that treats an encoded slash as a slash also resolves the ".." beside it: for it, "/c%2F..%2Fa/b" is "/a/b". For
 * another, "/a/..%2Fb" is still below "/a". Any ".." between plain slashes was resolved when the URL was parsed. A stray "%"
 * is kept, and does not prevent the rest from being decoded.
 */
function readingsOf(pathname: string): { readonly resolved: string; readonly unresolved: string } {
  const decoded = pathname.replace(encodedCharacter, decode).split('/');
  const segments = decoded.filter((segment) => segment !== '' && segment !== '.');
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else resolved.push(segment);
  }
  return { resolved: joinPath(resolved), unresolved: joinPath(segments) };
}

function joinPath(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment}`).join('');
}

/** The bytes of one character in UTF-8, or of what looks like one; without NUL, which not every store takes. */
const encodedCharacter =
  /%(?:(?!00)[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3})/gi;

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
