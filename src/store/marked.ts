/** What a key that is restricted to collections may see of the rows of its account: see access/restriction.ts. */
import { type RawBuilder, sql } from 'kysely';
import { unmarkedLength } from '../base/search-mark.ts';

/** Whether the id in a column ends with the mark. */
export function marked(column: string, mark: string): RawBuilder<boolean> {
  return sql<boolean>`substr(${sql.ref(column)}, ${sql.lit(unmarkedLength + 1)}) = ${mark}`;
}
