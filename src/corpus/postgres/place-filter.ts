/** Source rules, and whose pages a search may find, as conditions of Postgres: the twin of ../index/source-filter.ts. */

import type { SourceRules } from '../../../protocol/source-rules.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import type { PagesReach } from '../../engine/ports/corpus.ts';
import { toJson } from '../index/source-filter.ts';

export interface PlaceCondition {
  /** A condition on a row of `corpus_pages as g`, or a query. */
  readonly sql: string;
  /** The parameters that it names. */
  readonly values: readonly (string | readonly string[])[];
}

const ranges = 'as r(site text, site_from text, site_to text, path text, path_from text, path_to text)';

const ownSite = 'g.site = r.site';
const siteBelow = 'g.site >= r.site_from and g.site < r.site_to';
const underPath = `(r.path = '' or g.path = r.path or (g.path >= r.path_from and g.path < r.path_to))`;

function rulesOf(parameter: number): string {
  return `jsonb_to_recordset($${parameter}::jsonb) ${ranges}`;
}

function isCovered(parameter: number): string {
  return `exists (select 1 from ${rulesOf(parameter)} where (${ownSite} or (${siteBelow})) and ${underPath})`;
}

/** A query, by the index of sites, for the `n` of every page that a whitelist covers; its parameter is `first`. */
function listPages(only: SourceRules['only'], first: number): PlaceCondition {
  // `offset 0`: the planner takes such rules for a hundred rows, and would rather read all pages.
  const list = (site: string) => `select p.n from ${rulesOf(first)} cross join lateral
    (select g.n from corpus_pages as g where ${site} and ${underPath} offset 0) as p`;
  return { sql: `${list(ownSite)} union all ${list(siteBelow)}`, values: [toJson(only)] };
}

/** Whether the rules allow the page; parameters are numbered from `first` on. */
function checkPlaces({ only, never }: SourceRules, first: number): PlaceCondition {
  const values: string[] = [];
  const parts = ['true'];
  const add = (rules: SourceRules['only'], not: string) => {
    if (rules.length === 0) return;
    parts.push(`${not} ${isCovered(first + values.length)}`);
    values.push(toJson(rules));
  };
  add(only, '');
  add(never, 'not');
  return { sql: parts.join(' and '), values };
}

/** Whether the page is within reach, as `checkReach` there; parameters are numbered from `first` on. */
export function checkReach({ owner = everybody, sources }: PagesReach, first: number): PlaceCondition {
  const visible = isVisible(first);
  if (sources === undefined) return { sql: visible, values: [owner] };
  const ofSources = `exists (select 1 from corpus_entries as e where e.page = g.n and e.source = any($${first + 1}::text[]))`;
  return { sql: `${visible} and ${ofSources}`, values: [owner, sources] };
}

/** A query for the `n` of every page within reach, as `listReach` there; parameters are numbered from `first` on. */
export function listReach({ owner = everybody, sources }: PagesReach, first: number): PlaceCondition {
  if (sources === undefined) {
    const isOfOwners = `g.owner in ('', '${documentation}', $${first})`;
    return { sql: `select g.n from corpus_pages as g where ${isOfOwners} and ${isVisible(first)}`, values: [owner] };
  }
  const ofSources = `select distinct e.page from corpus_entries as e
    where md5(e.source) = any(array(select md5(of) from unnest($${first + 1}::text[]) as of)) and e.source = any($${first + 1})`;
  const sql = `select g.n from (${ofSources}) as e join corpus_pages as g on g.n = e.page where ${isVisible(first)}`;
  return { sql, values: [owner, sources] };
}

function isVisible(owner: number): string {
  return `(g.owner = '' or g.owner = $${owner} or (g.owner = '${documentation}'
    and not exists (select 1 from corpus_pages where owner = $${owner} and owner <> '')))`;
}

/** A query for the `n` of the pages that a search may find, some of them twice, from the shorter of the lists of them. */
export function listWanted(query: PagesReach & { readonly rules: SourceRules }, first: number): PlaceCondition {
  const { only } = query.rules;
  const isBySource = query.sources !== undefined || only.length === 0;
  const list = isBySource ? listReach(query, first) : listPages(only, first);
  const check = checkQuery({ ...query, rules: { only, never: [] } }, first + list.values.length);
  return {
    sql: `select g.n from (${list.sql}) as l join corpus_pages as g on g.n = l.n where ${check.sql}`,
    values: [...list.values, ...check.values],
  };
}

/** The rules and the reach of a search together. */
export function checkQuery(query: PagesReach & { readonly rules: SourceRules }, first: number): PlaceCondition {
  const places = checkPlaces(query.rules, first);
  const reach = checkReach(query, first + places.values.length);
  return { sql: `${places.sql} and ${reach.sql}`, values: [...places.values, ...reach.values] };
}
