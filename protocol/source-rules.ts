/**
 * White- and blacklists of sources. An entry is a URL, a host or host/path: a host covers its subdomains, a path covers
 * what lies below it. One function decides, and every place that could let a page through asks it: no schemas here, for
 * they are half of what a thread of the index would load.
 */
export interface SourceRules {
  /** Only these; empty means every source. */
  readonly only: readonly SourceRule[];
  readonly never: readonly SourceRule[];
}

export interface SourceRule {
  /** Lower case, no port, no "www."; empty for a `file:` URL. */
  readonly host: string;
  /** Begins with "/", no "/" at the end; empty covers the whole host. */
  readonly path: string;
}

export const everySource: SourceRules = { only: [], never: [] };

/** The rules of a request's two lists. An entry that is no rule is left out: the schema has refused it before. */
export function sourceRules(lists: {
  source_whitelist?: readonly string[] | undefined;
  source_blacklist?: readonly string[] | undefined;
}): SourceRules {
  const rules = (entries: readonly string[] = []) => entries.flatMap((entry) => parseSourceRule(entry) ?? []);
  return { only: rules(lists.source_whitelist), never: rules(lists.source_blacklist) };
}

/** The rule an entry stands for, or undefined when it names no host: `https://a.org/docs/`, `a.org`, `a.org/docs`. */
export function parseSourceRule(entry: string): SourceRule | undefined {
  const text = entry.trim();
  if (/\s/.test(text)) return undefined;
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol !== 'file:' && !namesHost(url.hostname)) return undefined;
  return { host: bareHost(url.hostname), path: barePath(url.pathname) };
}

/** Whether a page may be used. A URL that cannot be parsed may not. */
export function allows(rules: SourceRules, pageUrl: string): boolean {
  if (rules.only.length === 0 && rules.never.length === 0) return true;
  const url = parseUrl(pageUrl);
  if (url === undefined) return false;
  const host = bareHost(url.hostname);
  const path = barePath(url.pathname);
  const covered = (rule: SourceRule) => covers(rule, host, path);
  return !rules.never.some(covered) && (rules.only.length === 0 || rules.only.some(covered));
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

/** A dotted name, an address, or localhost: "docs" alone is a typing slip, and would match nothing. */
function namesHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname);
}

/** "WWW.Example.ORG." and "example.org" are one site to everyone who writes such a list. */
function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

/** Decoded, so that "/a%2Fb" cannot slip past a rule for "/a/b". */
function barePath(pathname: string): string {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // A stray "%" stays as it was written.
  }
  return path.replace(/\/+/g, '/').replace(/\/$/, '');
}
