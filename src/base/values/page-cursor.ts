/** The cursor of a list that is read page by page: the keys of a page's last row, which callers pass back as they got them. */
import { preview } from '../../../protocol/preview.ts';
import { invalid } from '../errors.ts';

/** The type of each key. */
export type KeyKinds = readonly ('string' | 'number')[];
export type PageKey = string | number;

/** The cursor after a row with these keys. */
export function writeCursor(keys: readonly PageKey[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** Throws a `validation_error` unless it has keys of these types: a database would fail on others instead of finding nothing. */
export function readCursor(cursor: string, kinds: KeyKinds): PageKey[] {
  const keys = parse(cursor);
  if (Array.isArray(keys) && keys.length === kinds.length && keys.every((key, at) => isKey(key, kinds[at]!)))
    return keys;
  const msg = `expected the cursor that came with the previous page of this list; got ${preview(cursor)}`;
  throw invalid(['query', 'cursor'], msg, 'value_error');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isKey(value: unknown, kind: KeyKinds[number]): value is PageKey {
  if (kind === 'number') return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  return typeof value === 'string' && !value.includes('\0');
}
