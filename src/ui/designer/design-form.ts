/** A design while it is edited: always whole, its inputs those that the prompt names. */
import type { Design, DesignInput, ValidationError } from '../../../protocol/index.ts';
import { inputsIn, readPromptTemplate } from '../../../protocol/prompt-template.ts';
import type { SearchInput } from '../../client/client.ts';

export const emptyDesign: Design = {
  name: '',
  api_stub: '',
  prompt: '',
  inputs: {},
  effort: 'balanced',
  examples: [],
};

/** The design with this prompt: inputs that it names and that were not there are text, those it no longer names are gone. */
export function withPrompt(design: Design, prompt: string, dropped: Design['inputs'] = {}): Design {
  const template = readPromptTemplate(prompt);
  // While braces are open nobody can tell what is meant.
  if (template.faults.length > 0) return { ...design, prompt };
  const inputs: Record<string, DesignInput> = {};
  for (const name of inputsIn(template)) inputs[name] = design.inputs[name] ?? dropped[name] ?? { type: 'string' };
  return { ...design, prompt, inputs };
}

/** A stub from a name, as long as nobody chose one. */
export function stubFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
}

/** A field that is empty is not there. */
export function without<Key extends keyof Design>(design: Design, ...keys: readonly Key[]): Design {
  const rest = { ...design };
  for (const key of keys) delete rest[key];
  return rest;
}

/** What a change of the design sends: every field, and null for those that were taken away. */
export function changeOf(design: Design): Record<string, unknown> {
  const optional = ['description', 'output_format', 'source_whitelist', 'source_blacklist', 'max'] as const;
  const gone = Object.fromEntries(optional.filter((key) => design[key] === undefined).map((key) => [key, null]));
  return { ...gone, ...design };
}

/** Only what a design is made of, of a record of one. */
export function designOf(record: Design): Design {
  const { name, api_stub, description, prompt, inputs, output_format } = record;
  const { source_whitelist, source_blacklist, effort, max, examples } = record;
  const optional = { description, output_format, source_whitelist, source_blacklist, max };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { name, api_stub, prompt, inputs, effort, examples, ...given };
}

/** What a design that is not kept yet asks with these inputs: the search that a run of it will be. */
export function requestOf(design: Design, values: Readonly<Record<string, unknown>>): SearchInput {
  const {
    prompt,
    name: _,
    api_stub: _stub,
    description: _about,
    inputs: _inputs,
    examples: _examples,
    ...rest
  } = design;
  const text = readPromptTemplate(prompt)
    .pieces.map((piece) => ('text' in piece ? piece.text : String(values[piece.input] ?? '')))
    .join('');
  return { ...rest, prompt: text };
}

/** What the server said of one field, or of anything in it. */
export function issueOf(
  issues: readonly ValidationError[],
  ...place: readonly (string | number)[]
): string | undefined {
  const found = issues.find(({ loc }) => place.every((key, at) => loc[at + 1] === key));
  if (found === undefined) return undefined;
  const inside = found.loc.slice(place.length + 1);
  const message = found.msg.charAt(0).toUpperCase() + found.msg.slice(1);
  return inside.length === 0 ? `${message}.` : `${inside.join(' › ')}: ${found.msg}.`;
}
