/**
 * How `result.patch` changes a structured answer, for the server and its clients alike. The answer begins as {}; the
 * parent of every path exists by the time the path is set; `append` adds text to a string.
 */
import type { PatchOperation } from './events.ts';
import { pointerKeys, type StructuredObject, type StructuredValue } from './output-format.ts';

/** Changes `root` in place. A path whose parent is not there changes nothing. */
export function applyPatch(root: StructuredObject, operation: PatchOperation): void {
  const keys = pointerKeys(operation.path);
  const last = keys.pop();
  const parent = valueAt(root, keys);
  if (last === undefined || typeof parent !== 'object' || parent === null) return;
  const holder = parent as Record<string, StructuredValue>;
  const before = Object.hasOwn(holder, last) ? holder[last] : undefined;
  const value = structuredClone(operation.value) as StructuredValue;
  holder[last] = operation.op === 'append' && typeof before === 'string' ? before + String(value) : value;
}

/** What stands at these keys; undefined when nothing does. Only own fields count: a field may be called "constructor". */
export function valueAt(root: StructuredObject, keys: readonly string[]): StructuredValue | undefined {
  let value: StructuredValue | undefined = root;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, StructuredValue>)[key];
  }
  return value;
}
