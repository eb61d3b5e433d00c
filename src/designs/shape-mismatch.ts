/** Compares an answer with the shape of its template; examples must match before their design is published. */
import { pointer, type TemplateNode } from '../../protocol/index.ts';
import { isObject } from '../base/values/is-object.ts';

/** The JSON Pointer of the first place with another shape; undefined if the value matches. `keys` is the path so far. */
export function shapeMismatch(
  node: TemplateNode,
  value: unknown,
  keys: readonly (string | number)[] = [],
): string | undefined {
  if (typeof node === 'string') return value === null || typeof value === node ? undefined : pointer(keys);
  if (Array.isArray(node)) {
    if (!Array.isArray(value)) return pointer(keys);
    return firstOf(value.entries(), ([row, each]) => shapeMismatch(node[0], each, [...keys, row]));
  }
  if (!isObject(value)) return pointer(keys);
  const extra = Object.keys(value).find((key) => !Object.hasOwn(node, key));
  if (extra !== undefined) return pointer([...keys, extra]);
  return firstOf(Object.entries(node), ([key, child]) =>
    Object.hasOwn(value, key) ? shapeMismatch(child, value[key], [...keys, key]) : pointer([...keys, key]),
  );
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
