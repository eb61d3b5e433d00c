/** How a good model fills in a form about the bridge: from facts that the evidence states, and otherwise with null. */
import { evidenceIn, type ModelCall } from '../servers/model-server.ts';

interface Schema {
  readonly type?: unknown;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
}

export interface FilledLeaf {
  readonly value: unknown;
  readonly evidence: number | null;
  readonly quote: string | null;
}

type Fact = readonly [value: unknown, evidence: RegExp, quote: string];

const opened = ['opened on 14 May 1931', /opened on 14 May 1931/] as const;
const facts: Record<string, Fact> = {
  name: ['Marlow Strait Bridge', /Marlow Strait Bridge/, 'Marlow Strait Bridge'],
  engineer: ['Ada Lindqvist', /engineer Ada Lindqvist/, 'designed by the engineer Ada Lindqvist'],
  opened: ['14 May 1931', opened[1], opened[0]],
  year: [1931, opened[1], opened[0]],
  length_m: [1940, /1,940 metres/, 'the whole structure measures 1,940 metres'],
  span_m: [482, /482 metres/, 'Its main span is 482 metres long'],
  cost: [12_000_000, /12 million crowns/, 'Construction cost 12 million crowns'],
  toll: [false, /toll was charged until 1968/, 'A toll was charged until 1968 and was not reintroduced afterwards'],
  vehicles: [41_000, /41,000 vehicles/, 'Around 41,000 vehicles cross the bridge every day'],
  dogs_allowed: [false, /Dogs are not allowed/, 'Dogs are not allowed in the museum'],
};
const events: readonly Fact[] = [
  ['14 May 1931', opened[1], opened[0]],
  ['10 March 2025', /10 March 2025/, 'Lorries may use the bridge again since 10 March 2025'],
];

/** The filled form as JSON. `change` may replace a leaf. */
export function fillForm(call: ModelCall, change?: (key: string, leaf: FilledLeaf) => FilledLeaf): string {
  return JSON.stringify(fillNode(schemaIn(call), call, '', change));
}

/** The number of the first piece of evidence with this in it. */
function pieceWith(call: ModelCall, about: RegExp): number | null {
  return evidenceIn(call).find(({ text }) => about.test(text))?.n ?? null;
}

function leafOf(call: ModelCall, fact: Fact | undefined): FilledLeaf {
  const evidence = fact === undefined ? null : pieceWith(call, fact[1]);
  return evidence === null
    ? { value: null, evidence: null, quote: null }
    : { value: fact![0], evidence, quote: fact![2] };
}

function fillNode(schema: Schema, call: ModelCall, key: string, change?: Parameters<typeof fillForm>[1]): unknown {
  const { properties, items } = schema;
  if (properties?.value !== undefined && properties.quote !== undefined) {
    const leaf = leafOf(call, facts[key]);
    return change === undefined ? leaf : change(key, leaf);
  }
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([k, s]) => [k, fillNode(s, call, k, change)]));
  }
  if (items === undefined || key !== 'events') return [];
  return events.flatMap((fact) => {
    const leaf = leafOf(call, fact);
    if (leaf.value === null) return [];
    const keys = Object.keys(items.properties ?? {});
    return [Object.fromEntries(keys.map((k) => [k, k === 'what' ? { ...leaf, value: leaf.quote } : leaf]))];
  });
}

/** The schema that the call asks for, by its parameter or in words. */
function schemaIn({ body, prompt }: ModelCall): Schema {
  const strict = body.response_format?.json_schema?.schema;
  if (strict !== undefined) return strict as Schema;
  for (const line of prompt.split('\n').filter((each) => each.startsWith('{'))) {
    try {
      return JSON.parse(line) as Schema;
    } catch {
      // Some other line that begins with a brace.
    }
  }
  return {};
}
