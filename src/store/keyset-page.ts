/**
 * Keyset pagination in descending order of the keys, newest first. A cursor holds the keys of a page's last row; the next
 * page is what compares as less, with a row comparison that every supported database has.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

export interface PageKeys {
  /** Together they identify one row. */
  readonly [column: string]: 'string' | 'number';
}

type Key = string | number;

/** Maximum bytes of the large column in one page, which is read, parsed and sent as a whole. Set by hand. */
const maxPageBytes = 1024 * 1024;

/**
 * Up to `limit` rows after `cursor`, which comes from an earlier page; an invalid one returns the first page. `large` names
 * a column whose size may end a page early: a page has at most 1 MiB of it, unless its only row has more.
 */
export async function readPage<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  keys: PageKeys,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
  large?: string,
): Promise<{ rows: Row[]; more: { cursor?: string } }> {
  const columns = Object.keys(keys).map((column) => sql.ref(column));
  let page: SelectQueryBuilder<Tables, From, Row> = query;
  for (const column of columns) page = page.orderBy(column, 'desc');
  const last = readCursor(cursor, Object.values(keys));
  if (last !== undefined) page = page.where(sql<boolean>`(${sql.join(columns)}) < (${sql.join(last)})`);
  const fitting = large === undefined ? limit : await countFitting(page, large, limit);
  const found = await page.limit(fitting + 1).execute();
  const rows = found.slice(0, fitting);
  const end = rows.at(-1) as Record<string, Key> | undefined;
  if (found.length <= fitting || end === undefined) return { rows, more: {} };
  return { rows, more: { cursor: writeCursor(Object.keys(keys).map((column) => end[column.split('.').at(-1)!]!)) } };
}

/** How many of the first `limit` rows fit into a page; 1 at least. Reads their sizes alone. */
async function countFitting<From extends keyof Tables, Row>(
  page: SelectQueryBuilder<Tables, From, Row>,
  large: string,
  limit: number,
): Promise<number> {
  const size = sql<number>`octet_length(${sql.ref(large)})`.as('size');
  const sizes = await page.clearSelect().select(size).limit(limit).execute();
  let bytes = 0;
  const over = sizes.findIndex((row) => {
    bytes += Number((row as { size: number }).size);
    return bytes > maxPageBytes;
  });
  return over < 0 ? limit : Math.max(1, over);
}

function writeCursor(keys: readonly Key[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** Undefined unless the values have the types of these keys: a database would fail on others instead of finding nothing. */
function readCursor(cursor: string | undefined, kinds: readonly PageKeys[string][]): Key[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const fits = Array.isArray(keys) && keys.length === kinds.length && keys.every((key, at) => isKey(key, kinds[at]!));
    return fits ? keys : undefined;
  } catch {
    return undefined;
  }
}

function isKey(value: unknown, kind: PageKeys[string]): value is Key {
  if (kind === 'number') return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  return typeof value === 'string' && !value.includes('\0');
}
