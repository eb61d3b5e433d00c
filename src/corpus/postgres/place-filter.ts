/** Source rules, and whose pages a search may find, as conditions of Postgres: the twin of ../index/source-filter.ts. */

import type { SourceRules } from '../../../protocol/source-rules.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import { type Reach, toJson } from '../index/source-filter.ts';

export interface PlaceCondition {
  /** On a row of `corpus_pages as g`. */
  readonly sql: string;
  /** The parameters that it names. */
  readonly values: readonly (string | readonly string[])[];
}

const ranges = 'as r(site text, site_from text, site_to text, path text, path_from text, path_to text)';

function isCovered(parameter: number): string {
  return `exists (select 1 from jsonb_to_recordset($${parameter}::jsonb) ${ranges}
    where (g.site = r.site or (g.site >= r.site_from and g.site < r.site_to))
      and (r.path = '' or g.path = r.path or (g.path >= r.path_from and g.path < r.path_to)))`;
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
export function checkReach({ owner = everybody, sources }: Reach, first: number): PlaceCondition {
  const visible = `(g.owner = '' or g.owner = $${first} or (g.owner = '${documentation}'
    and not exists (select 1 from corpus_pages where owner = $${first} and owner <> '')))`;
  if (sources === undefined) return { sql: visible, values: [owner] };
  const ofSources = `exists (select 1 from corpus_entries as e where e.page = g.n and e.source = any($${first + 1}::text[]))`;
  return { sql: `${visible} and ${ofSources}`, values: [owner, sources] };
}

/** The rules and the reach of a search together. */
export function checkQuery(query: Reach & { readonly rules: SourceRules }, first: number): PlaceCondition {
  const places = checkPlaces(query.rules, first);
  const reach = checkReach(query, first + places.values.length);
  return { sql: `${places.sql} and ${reach.sql}`, values: [...places.values, ...reach.values] };
}
