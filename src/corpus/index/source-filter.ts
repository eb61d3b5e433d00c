/**
 * Source rules as ranges over the `site` and `path` columns, so that the index itself excludes what a rule forbids: a
 * whitelist of one small site finds that site's pages no matter how many others match better. It means the same as `allows` in
 * the protocol, which also checks every result: of a path that servers read in two ways, which is rare, the index has one.
 */

import { parseSourceRule, type SourceRule, type SourceRules } from '../../../protocol/source-rules.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import type { PagesReach } from '../../engine/ports/corpus.ts';

/** The place of a page. The site is its host with reversed labels, so that a host and its subdomains are one range. */
export interface Place {
  readonly site: string;
  readonly path: string;
}

/** The place of a URL; undefined if it is neither http(s) nor file, or contains a user name. */
export function placeOf(url: string): Place | undefined {
  if (!/^(?:https?|file):\/\//i.test(url)) return undefined;
  const source = parseSourceRule(url);
  return source === undefined ? undefined : { site: reverseLabels(source.host), path: source.path };
}

export interface Condition {
  readonly sql: string;
  /** Parameters, in order. */
  readonly values: readonly string[];
}

const ownSite = `g.site = r.value ->> 'site'`;
const siteBelow = `g.site >= r.value ->> 'site_from' AND g.site < r.value ->> 'site_to'`;
const ownPath = `g.path = r.value ->> 'path'`;
const pathBelow = `g.path >= r.value ->> 'path_from' AND g.path < r.value ->> 'path_to'`;
const underPath = `(r.value ->> 'path' = '' OR ${ownPath} OR (${pathBelow}))`;
const isCovered = `EXISTS (SELECT 1 FROM json_each(?) AS r WHERE (${ownSite} OR (${siteBelow})) AND ${underPath})`;

/** A condition on a row of `pages AS g`: whether the rules allow it. For few candidate rows. */
export function checkPages({ only, never }: SourceRules): Condition {
  return {
    sql: `${only.length > 0 ? isCovered : 'true'} AND ${never.length > 0 ? `NOT ${isCovered}` : 'true'}`,
    values: [only, never].filter((rules) => rules.length > 0).map(toJson),
  };
}

/**
 * A condition on a row of `pages AS g`: whether it is within reach. For few candidate rows. The documentation of packages
 * is within reach only of those who have no pages of their own.
 */
export function checkReach({ owner = everybody, sources }: PagesReach): Condition {
  if (sources === undefined) return { sql: isVisible, values: [owner, owner] };
  return {
    sql: `${isVisible} AND EXISTS (SELECT 1 FROM entries AS e WHERE e.page = g.n AND ${isOfSources})`,
    values: [owner, owner, JSON.stringify(sources)],
  };
}

/** A query for the `n` of every page within reach, which reads no others than those of the sources or of the owner. */
export function listReach({ owner = everybody, sources }: PagesReach): Condition {
  if (sources === undefined) {
    const sql = `SELECT g.n FROM pages AS g WHERE g.owner IN ('', '${documentation}', ?) AND ${isVisible}`;
    return { sql, values: [owner, owner, owner] };
  }
  return {
    sql: `SELECT g.n FROM (SELECT DISTINCT e.page FROM entries AS e WHERE ${isOfSources}) AS e
      CROSS JOIN pages AS g ON g.n = e.page WHERE ${isVisible}`,
    values: [JSON.stringify(sources), owner, owner],
  };
}

const isVisible = `(g.owner = '' OR g.owner = ?
  OR (g.owner = '${documentation}' AND NOT EXISTS (SELECT 1 FROM pages WHERE owner = ? AND owner <> '')))`;
const isOfSources = 'e.source IN (SELECT value FROM json_each(?))';

/** Both conditions. */
export function both(one: Condition, other: Condition): Condition {
  return { sql: `${one.sql} AND ${other.sql}`, values: [...one.values, ...other.values] };
}

/** A query, using the index of places, for the `n` of every page that a whitelist covers. For small whitelists. */
export function listPages(only: readonly SourceRule[]): Condition {
  // One for each range of the index: with "or", all pages of a site are read, and files have one site.
  const ranges = [`${ownSite} AND ${ownPath}`, `${ownSite} AND ${pathBelow}`, `${siteBelow} AND ${underPath}`];
  const lists = ranges.map((range) => `SELECT g.n FROM json_each(?) AS r CROSS JOIN pages AS g ON ${range}`);
  return { sql: lists.join(' UNION ALL '), values: ranges.map(() => toJson(only)) };
}

/** The rules as an array of objects: `site` and `path`, each also as a range of what is below it. */
export function toJson(rules: readonly SourceRule[]): string {
  return JSON.stringify(rules.map(toRanges));
}

/** "." and "/" are neighbours, as are "/" and "0": the ranges contain exactly what begins with the prefix and its separator. */
function toRanges({ host, path }: SourceRule) {
  const site = reverseLabels(host);
  const subdomains = host === '' ? {} : { site_from: `${site}.`, site_to: `${site}/` };
  return { site, ...subdomains, path, path_from: `${path}/`, path_to: `${path}0` };
}

function reverseLabels(host: string): string {
  return host.split('.').reverse().join('.');
}
