/**
 * A template as the JSON Schema that a model is held to: the template's own shape, each leaf an object of the value, the
 * number of the evidence and the words that say it. Every field required and nothing else allowed, as strict modes ask.
 */
import type { LeafType, OutputFormat, TemplateNode } from '../../../protocol/index.ts';

type Schema = Record<string, unknown>;

export function schemaOf(template: OutputFormat): Schema {
  return objectOf(Object.fromEntries(Object.entries(template).map(([key, node]) => [key, nodeSchema(node)])));
}

/** An object with exactly these fields. */
export function objectOf(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function nodeSchema(node: TemplateNode): Schema {
  if (typeof node === 'string') return leafSchema(node);
  return Array.isArray(node) ? { type: 'array', items: schemaOf(node[0]) } : schemaOf(node);
}

export function leafSchema(type: LeafType): Schema {
  return objectOf({
    value: { type: [type, 'null'] },
    evidence: { type: ['integer', 'null'] },
    quote: { type: ['string', 'null'] },
  });
}

/**
 * The leaf type that stands at the keys of an answer, with the template's own keys (`-` for each element); undefined where
 * the template has none there.
 */
export function leafAt(
  template: OutputFormat,
  keys: readonly string[],
): { type: LeafType; inList: boolean } | undefined {
  let node: TemplateNode | undefined = template;
  let inList = false;
  for (const key of keys) {
    if (node === undefined || typeof node === 'string') return undefined;
    if (Array.isArray(node)) {
      inList = true;
      node = /^\d+$/.test(key) ? node[0] : undefined;
    } else node = Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return typeof node === 'string' ? { type: node, inList } : undefined;
}

/** A value as its type, where what came means one: "1,234" and "yes" do, "about ten" does not. `undefined` where not. */
export function coerce(value: unknown, type: LeafType): string | number | boolean | null | undefined {
  if (value === null || value === undefined) return null;
  if (
    typeof value === 'string' &&
    /^(?:null|none|n\/?a|unknown|not (?:found|given|stated|specified))?$/i.test(value.trim())
  ) {
    return null;
  }
  if (type === 'string') {
    return typeof value === 'string'
      ? value.trim().toWellFormed()
      : typeof value === 'object'
        ? undefined
        : String(value);
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string') return undefined;
    return /^\s*(?:true|yes)\s*$/i.test(value) ? true : /^\s*(?:false|no)\s*$/i.test(value) ? false : undefined;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const digits =
    /^[\s~≈$€£¥]*([-−]?\d{1,3}(?:[,\u00a0\u202f ']\d{3})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*[^\d,.]{0,20}$/i.exec(
      value,
    );
  const number = digits === null ? Number.NaN : Number(digits[1]!.replace('−', '-').replace(/[,\u00a0\u202f ']/g, ''));
  return Number.isFinite(number) ? number : undefined;
}
