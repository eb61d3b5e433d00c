/**
 * How `result.patch` changes a structured answer, on the server and in clients. The answer starts as {}; the parent of
 * a path always exists before the path is set; `append` appends text to a string. And where the whole answer is in a result.
 */
import type { PatchOperation, SearchResult } from './events.ts';
import { pointerKeys, type StructuredObject, type StructuredValue } from './output-format.ts';

/** Applies one operation to `root`, in place. Does nothing if the parent of the path does not exist. */
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

/**
 * Returns the value at these keys, or undefined. Only own properties count, since a field may be called "constructor".
 */
export function valueAt(root: StructuredObject, keys: readonly string[]): StructuredValue | undefined {
  let value: StructuredValue | undefined = root;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, StructuredValue>)[key];
  }
  return value;
}

/**
 * The structured answer in the result of a search. `include: ["evidence"]` wraps it, and the wrapper names the search; fields of
 * a template may have the same names.
 */
export function structuredOutput(result: SearchResult, search_id: string): StructuredObject {
  const { search_id: named, output, evidence } = result as Record<string, unknown>;
  const isWrapped = named === search_id && Array.isArray(evidence) && typeof output === 'object';
  return (isWrapped ? output : result) as StructuredObject;
}
