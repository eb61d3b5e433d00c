/** The shape of a template and of its output: what is missing, what creates it, and the order of the fields. */
import {
  type LeafType,
  type OutputFormat,
  type PatchOperation,
  pointer,
  type StructuredObject,
  type StructuredValue,
  type TemplateNode,
  valueAt,
} from '../../../protocol/index.ts';
import type { LeafValue } from '../ports/model.ts';

/** Whether a leaf of this type takes the value; no leaf takes an empty text. */
export function fits(value: LeafValue['value'], type: LeafType): boolean {
  return typeof value === type && value !== '' && (type !== 'number' || Number.isFinite(value));
}

/** The operation that sets a value at these keys. */
export function set(keys: readonly string[], value: StructuredValue): PatchOperation {
  return { op: 'set', path: pointer(keys), value };
}

/** The template's path for a value's path: indices become "-". */
export function templateKeys(template: OutputFormat, keys: readonly string[]): string[] {
  let node: TemplateNode | undefined = template;
  return keys.map((key) => {
    const inArray = Array.isArray(node);
    node = childNode(node, key);
    return inArray ? '-' : key;
  });
}

/** The node of the template at a key, or at any index of a list. */
export function childNode(node: TemplateNode | undefined, key: string): TemplateNode | undefined {
  if (Array.isArray(node)) return node[0];
  return typeof node === 'object' && Object.hasOwn(node, key) ? node[key] : undefined;
}

/**
 * Operations that create the missing containers above a leaf, outermost first. Rows before its own are created, too: a model may have
 * nothing for them yet, or only empty lists.
 */
export function missingParents(
  output: StructuredObject,
  template: OutputFormat,
  keys: readonly string[],
): PatchOperation[] {
  const ops: PatchOperation[] = [];
  let node: TemplateNode | undefined = template;
  for (let depth = 1; depth < keys.length; depth += 1) {
    const parent = keys.slice(0, depth);
    if (Array.isArray(node)) {
      const list = parent.slice(0, -1);
      const rows = valueAt(output, list);
      const first = Array.isArray(rows) ? rows.length : 0;
      for (let row = first; row < Number(parent.at(-1)); row += 1) ops.push(set([...list, `${row}`], {}));
    }
    node = childNode(node, parent.at(-1)!);
    if (valueAt(output, parent) === undefined) ops.push(set(parent, Array.isArray(node) ? [] : {}));
  }
  return ops;
}

/**
 * What the template has and the output lacks, in the template's order. Lazy: it sees what the caller fills in the meantime.
 */
export function* gaps(
  node: TemplateNode,
  value: StructuredValue | undefined,
  keys: readonly string[],
): Generator<{ keys: readonly string[]; blank: StructuredValue }> {
  if (typeof node === 'string') {
    if (value === undefined) yield { keys, blank: null };
  } else if (Array.isArray(node)) {
    if (value === undefined) yield { keys, blank: [] };
    else if (Array.isArray(value))
      for (const [row, each] of value.entries()) yield* gaps(node[0], each, [...keys, `${row}`]);
  } else {
    if (value === undefined) yield { keys, blank: {} };
    for (const [key, child] of Object.entries(node)) {
      const held = value as StructuredObject | undefined;
      yield* gaps(child, held && Object.hasOwn(held, key) ? held[key] : undefined, [...keys, key]);
    }
  }
}

/** The same values, with fields in the template's order. */
export function ordered(node: TemplateNode, value: StructuredValue): StructuredValue {
  if (typeof node === 'string' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(node)) return (value as StructuredObject[]).map((row) => ordered(node[0], row) as StructuredObject);
  const held = value as StructuredObject;
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, ordered(child, held[key] ?? null)]));
}
