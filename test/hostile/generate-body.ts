/**
 * Bodies for a call, from the schema that the OpenAPI document has for it: valid ones, ones with a few values replaced by what
 * no schema expects, and bytes that are not JSON. The same numbers make the same bodies.
 */

/** A whole number from 0 to below `n`. */
export type Below = (n: number) => number;

export type JsonSchema = Record<string, unknown>;

export interface GeneratedBody {
  /** How it was made, for the counts. */
  readonly kind: 'valid' | 'mutated' | 'not JSON' | 'mistyped';
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** JSON as it is written, where no value has that form. */
class Written {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

const words = ['Heron Point', 'lighthouse', 'Solvay', 'kettle', 'é', '漢字', '{{topic}}', 'name', 'constructor', '0'];
const json = { 'content-type': 'application/json' };

/** `schemas` are the components that references name. */
export function createBodyGenerator(schemas: Record<string, JsonSchema>, below: Below) {
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const text = () => Array.from({ length: 1 + below(5) }, () => pick(words)).join(' ');

  /** A value that the schema accepts, as far as it says all that is expected. */
  function valid(schema: JsonSchema, depth = 0): unknown {
    if (typeof schema.$ref === 'string') return valid(schemas[schema.$ref.split('/').at(-1)!]!, depth + 1);
    const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    // Deep down only the simplest branch, so that a recursive schema ends.
    if (branches !== undefined) return valid(depth > 8 ? branches[0]! : pick(branches), depth + 1);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return pick(schema.enum);
    switch (schema.type) {
      case 'string':
        return validString(schema);
      case 'integer':
      case 'number':
        return validNumber(schema);
      case 'boolean':
        return below(2) === 0;
      case 'array': {
        const length = Math.min(Number(schema.maxItems ?? 3), Math.max(Number(schema.minItems ?? 0), below(4)));
        return Array.from({ length }, () => valid(schema.items as JsonSchema, depth + 1));
      }
      case 'object':
        return validObject(schema, depth);
      case 'null':
        return null;
      default:
        return pick([text(), below(1000), true, null]);
    }
  }

  function validObject(schema: JsonSchema, depth: number): Record<string, unknown> {
    const required = (schema.required ?? []) as string[];
    const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    const chosen = fields.filter(([name]) => required.includes(name) || below(4) === 0);
    const more = schema.additionalProperties as JsonSchema | boolean | undefined;
    const extra =
      typeof more === 'object' ? Array.from({ length: 1 + below(3) }, (_, n) => [`f${n}`, more] as const) : [];
    return Object.fromEntries([...chosen, ...extra].map(([name, field]) => [name, valid(field, depth + 1)]));
  }

  function validString({ format, pattern, maxLength, minLength }: JsonSchema): string {
    if (format === 'date') return `20${10 + below(30)}-0${1 + below(9)}-1${below(9)}`;
    if (format === 'date-time') return `2026-01-31T00:00:00.00${below(9)}Z`;
    // Only addresses that no server may connect to.
    if (format === 'uri') return pick(['http://127.0.0.1/', 'http://[::1]/', 'https://10.0.0.1/a', 'http://0.0.0.0/']);
    if (pattern !== undefined) return pick(['en', 'pt-BR', 'heron', 'kettle-2', 'api_0123456789abcdefghijkl']);
    const longest = Number(maxLength ?? 100);
    const made = below(20) === 0 ? 'x'.repeat(longest) : text().slice(0, longest);
    return made.padEnd(Number(minLength ?? 0), '.');
  }

  function validNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): number {
    const from = Number(minimum ?? exclusiveMinimum ?? -5);
    const to = Number(maximum ?? 1_000_000);
    return (
      pick([from, from + 1, to, to - 1, from + below(Math.max(1, Math.min(100, to - from)))]) +
      (type === 'number' ? 0.5 : 0)
    );
  }

  /** What no schema expects, or what lies at a boundary. */
  function odd(): unknown {
    return pick<() => unknown>([
      () => null,
      () => true,
      () => -1,
      () => 0.1,
      () => 2 ** 53,
      () => new Written('1e400'),
      () => new Written('-0'),
      () => new Written(`1${'0'.repeat(below(400))}`),
      () => '',
      () => ' \t\n',
      () => 'x'.repeat(pick([64, 65, 128, 2_048, 8_192, 40_000, 40_001, 200_000])),
      () => new Written('"\\ud800"'),
      () => new Written('"\\udc00\\ud800 \\u0000"'),
      () => 'a\0b',
      () => '\u202e\u2028\uffff',
      () => "'; drop table runs; --",
      () => '<script>alert(1)</script>',
      () => '{{a}}{{b}}{{',
      () => '../../etc/passwd',
      () => '%00%0d%0a',
      () => [],
      () => ({}),
      () => [[[[]]]],
      () => new Written(`${'['.repeat(pick([10, 63, 64, 65, 5_000]))}1`),
      () => new Written(`${'{"a":'.repeat(pick([10, 60]))}1${'}'.repeat(pick([10, 60]))}`),
      () => Array(pick([10, 200, 201, 5_000])).fill(pick(['a', 1, null])),
      () => Object.fromEntries(Array.from({ length: pick([30, 300, 3_000]) }, (_, n) => [`k${n}`, n])),
      () => new Written('{"__proto__":{"admin":true}}'),
      () => new Written('{"constructor":{"prototype":{"admin":true}}}'),
      () => new Written('{"a":1,"a":2,"a":3}'),
      () => new Written('NaN'),
    ])();
  }

  /** Replaces, adds or removes something at some place of the value. */
  function mutate(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && below(3) > 0) {
      const at = below(value.length);
      return value.map((each, index) => (index === at ? mutate(each) : each));
    }
    if (typeof value === 'object' && value !== null && !(value instanceof Written) && below(6) > 0) {
      const entries = Object.entries(value);
      const what = below(8);
      if (what === 0) entries.push([pick(['', 'more', 'prompt', 'k'.repeat(300), 'hasOwnProperty']), odd()]);
      else if (entries.length > 0) {
        const at = below(entries.length);
        if (what === 1) entries.splice(at, 1);
        else entries[at] = [entries[at]![0], mutate(entries[at]![1])];
      }
      return Object.fromEntries(entries);
    }
    return odd();
  }

  function notJson(written: string): Buffer {
    const bytes = Buffer.from(written);
    return pick<() => Buffer>([
      () => Buffer.alloc(0),
      () => Buffer.from(' \n'),
      () => bytes.subarray(0, below(bytes.length)),
      () => Buffer.concat([bytes, Buffer.from('}')]),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      () => Buffer.concat([bytes, Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80])]),
      () => Buffer.from(written, 'utf16le'),
      () => Buffer.from(Array.from({ length: below(500) }, () => below(256))),
      () => Buffer.from(written.replaceAll('"', "'")),
      () => Buffer.from(`[${written}]`),
      () => Buffer.from('{"a":'.repeat(pick([64, 65, 20_000]))),
      () => Buffer.from(`{${'"a":1,'.repeat(pick([2_001, 100_000]))}"b":1}`),
      () => Buffer.from('x'.repeat(1_100_000)),
    ])();
  }

  /** `dullness`: how seldom a body is valid: one of this many. */
  return function generate(schema: JsonSchema | undefined, dullness: number): GeneratedBody {
    const made = schema === undefined ? {} : valid(schema);
    const what = below(100);
    if (below(dullness) === 0) return { kind: 'valid', bytes: Buffer.from(write(made)), headers: json };
    if (what < 80) {
      let mutated = mutate(made);
      for (let times = below(3); times > 0; times -= 1) mutated = mutate(mutated);
      return { kind: 'mutated', bytes: Buffer.from(write(mutated)), headers: json };
    }
    if (what < 92) return { kind: 'not JSON', bytes: notJson(write(made)), headers: json };
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      '',
      'x'.repeat(500),
    ];
    const coding = below(3) === 0 ? { 'content-encoding': pick(['gzip', 'br', 'identity', 'deflate, gzip']) } : {};
    return { kind: 'mistyped', bytes: Buffer.from(write(made)), headers: { 'content-type': pick(types), ...coding } };
  };
}

function write(value: unknown): string {
  if (value instanceof Written) return value.json;
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}:${write(each)}`)
      .join()}}`;
  }
  return JSON.stringify(value);
}
