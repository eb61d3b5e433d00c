/** Source rules as conditions of Postgres: the twin of ../index/source-filter.ts. */
import type { SourceRules } from '../../../protocol/source-rules.ts';
import { toJson } from '../index/source-filter.ts';

export interface PlaceCondition {
  /** On a row of `corpus_pages as g`. */
  readonly sql: string;
  /** The parameters that it names. */
  readonly values: readonly string[];
}

const ranges = 'as r(site text, site_from text, site_to text, path text, path_from text, path_to text)';

function isCovered(parameter: number): string {
  return `exists (select 1 from jsonb_to_recordset($${parameter}::jsonb) ${ranges}
    where (g.site = r.site or (g.site >= r.site_from and g.site < r.site_to))
      and (r.path = '' or g.path = r.path or (g.path >= r.path_from and g.path < r.path_to)))`;
}

/** Whether the rules allow the page; parameters are numbered from `first` on. */
export function checkPlaces({ only, never }: SourceRules, first: number): PlaceCondition {
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
