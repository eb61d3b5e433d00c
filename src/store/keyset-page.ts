/**
 * Pages of rows in the order of keys that fall, newest first. A cursor holds the keys of a page's last row; the next page
 * is what compares as less, in one row comparison that every database here knows.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

export interface PageKeys {
  /** Together they name one row. */
  readonly [column: string]: 'string' | 'number';
}

type Key = string | number;

/** `cursor` is one that a page gave; any other gives the first page. */
export async function readPage<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  keys: PageKeys,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): Promise<{ rows: Row[]; more: { cursor?: string } }> {
  const columns = Object.keys(keys).map((column) => sql.ref(column));
  let page = query.limit(limit + 1);
  for (const column of columns) page = page.orderBy(column, 'desc');
  const last = readCursor(cursor, Object.values(keys));
  if (last !== undefined) page = page.where(sql<boolean>`(${sql.join(columns)}) < (${sql.join(last)})`);
  const found = await page.execute();
  const rows = found.slice(0, limit);
  const end = rows.at(-1) as Record<string, Key> | undefined;
  if (found.length <= limit || end === undefined) return { rows, more: {} };
  return { rows, more: { cursor: writeCursor(Object.keys(keys).map((column) => end[column.split('.').at(-1)!]!)) } };
}

function writeCursor(keys: readonly Key[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** Only what a database would take as these keys: it would fail, not find nothing, on anything else. */
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
