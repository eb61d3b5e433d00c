/**
 * Source rules as ranges over the `site` and `path` columns, so that the index itself leaves out what a rule forbids: a
 * whitelist of one small site finds that site's pages however many others match better. The meaning is that of
 * `allows` in the protocol, which is asked again about every result.
 */
import { parseSourceRule, type SourceRule, type SourceRules } from '../../protocol/source-rules.ts';

/** Where a page stands. The site is its host with the labels reversed, so that a host and its subdomains are one range. */
export interface Place {
  readonly site: string;
  readonly path: string;
}

/** Undefined for a URL that is neither http(s) nor file, or carries a user name. */
export function placeOf(url: string): Place | undefined {
  if (!/^(?:https?|file):\/\//i.test(url)) return undefined;
  const source = parseSourceRule(url);
  return source === undefined ? undefined : { site: reverseLabels(source.host), path: source.path };
}

/** SQL for "this page is covered by a rule of the JSON array that is bound next", over a table `pages`. */
const covered = `
  SELECT g.n FROM json_each(?) AS r JOIN pages AS g
  ON (g.site = r.value ->> 'site' OR (g.site >= r.value ->> 'site_from' AND g.site < r.value ->> 'site_to'))
  AND (r.value ->> 'path' = '' OR g.path = r.value ->> 'path'
    OR (g.path >= r.value ->> 'path_from' AND g.path < r.value ->> 'path_to'))`;

/** A condition on a column that holds a page's `n`, and the values to bind to it; empty when every source is allowed. */
export function filterBySource(rules: SourceRules, column: string): { sql: string; values: string[] } {
  const parts: string[] = [];
  const values: string[] = [];
  if (rules.only.length > 0) {
    parts.push(`AND ${column} IN (${covered})`);
    values.push(JSON.stringify(rules.only.map(toRanges)));
  }
  if (rules.never.length > 0) {
    parts.push(`AND ${column} NOT IN (${covered})`);
    values.push(JSON.stringify(rules.never.map(toRanges)));
  }
  return { sql: parts.join(' '), values };
}

/** "." and "/" are neighbours, as are "/" and "0": the ranges hold exactly what begins with the prefix and its separator. */
function toRanges({ host, path }: SourceRule) {
  const site = reverseLabels(host);
  const subdomains = host === '' ? {} : { site_from: `${site}.`, site_to: `${site}/` };
  return { site, ...subdomains, path, path_from: `${path}/`, path_to: `${path}0` };
}

function reverseLabels(host: string): string {
  return host.split('.').reverse().join('.');
}
