/**
 * Keyset pagination in descending order of the keys, newest first: the next page is what compares as less than the cursor, with a
 * row comparison that every supported database has.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import { type PageKey, readCursor, writeCursor } from '../base/values/page-cursor.ts';
import type { Tables } from './tables/tables.ts';

export interface PageKeys {
  /** Together they identify one row. */
  readonly [column: string]: 'string' | 'number';
}

/** A column that may be large, and how many bytes of it a page has at most: a page is read, parsed and sent as a whole. */
export interface LargeColumn {
  readonly name: string;
  readonly maxBytes: number;
}

/**
 * Up to `limit` rows after `cursor`, which comes from an earlier page; rejects with a `validation_error` for an invalid one. `large`
 * names a column whose size may end a page early: only a page of one row has more of it.
 */
export async function readPage<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  keys: PageKeys,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
  large?: LargeColumn,
): Promise<{ rows: Row[]; more: { cursor?: string } }> {
  const columns = Object.keys(keys).map((column) => sql.ref(column));
  let page: SelectQueryBuilder<Tables, From, Row> = query;
  for (const column of columns) page = page.orderBy(column, 'desc');
  if (cursor !== undefined) {
    const last = readCursor(cursor, Object.values(keys));
    page = page.where(sql<boolean>`(${sql.join(columns)}) < (${sql.join(last)})`);
  }
  const { rows, isLast } = large === undefined ? await readRows(page, limit) : await readLargeRows(page, large, limit);
  const end = rows.at(-1) as Record<string, PageKey> | undefined;
  if (isLast || end === undefined) return { rows, more: {} };
  return { rows, more: { cursor: writeCursor(Object.keys(keys).map((column) => end[column.split('.').at(-1)!]!)) } };
}

/** Whether it is the last page is known from one row more. */
async function readRows<From extends keyof Tables, Row>(
  page: SelectQueryBuilder<Tables, From, Row>,
  limit: number,
): Promise<{ rows: Row[]; isLast: boolean }> {
  const found = await page.limit(limit + 1).execute();
  return { rows: found.slice(0, limit), isLast: found.length <= limit };
}

/** The first rows that fit into a page, at least one. Reads the sizes of all first, and no row that is not returned. */
async function readLargeRows<From extends keyof Tables, Row>(
  page: SelectQueryBuilder<Tables, From, Row>,
  large: LargeColumn,
  limit: number,
): Promise<{ rows: Row[]; isLast: boolean }> {
  const size = sql<number>`octet_length(${sql.ref(large.name)})`.as('size');
  const sizes = await page
    .clearSelect()
    .select(size)
    .limit(limit + 1)
    .execute();
  let bytes = 0;
  const over = sizes.findIndex((row, at) => {
    bytes += Number((row as { size: number }).size);
    return at === limit || (at > 0 && bytes > large.maxBytes);
  });
  const fitting = over < 0 ? sizes.length : over;
  return { rows: fitting === 0 ? [] : await page.limit(fitting).execute(), isLast: over < 0 };
}
