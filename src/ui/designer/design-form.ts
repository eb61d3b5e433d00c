/** A design while it is being edited. Its inputs always match the placeholders in the prompt. */
import type { Design, DesignInput, ValidationError } from '../../../protocol/index.ts';
import { inputsIn, readPromptTemplate } from '../../../protocol/prompt-template.ts';
import type { SearchInput } from '../../client/client.ts';
import { fill } from '../language/message.ts';
import { describeIssue, issueSentence } from '../language/server-text.ts';
import { t } from '../language/text.ts';

export const emptyDesign: Design = {
  name: '',
  api_stub: '',
  prompt: '',
  inputs: {},
  effort: 'balanced',
  examples: [],
};

/**
 * The design with another prompt: new placeholders become text inputs, or get their settings back from `dropped`; inputs
 * without a placeholder are removed.
 */
export function withPrompt(design: Design, prompt: string, dropped: Design['inputs'] = {}): Design {
  const template = readPromptTemplate(prompt);
  // While a placeholder is incomplete, its name is not known yet.
  if (template.faults.length > 0) return { ...design, prompt };
  const inputs: Record<string, DesignInput> = {};
  for (const name of inputsIn(template)) inputs[name] = design.inputs[name] ?? dropped[name] ?? { type: 'string' };
  return { ...design, prompt, inputs };
}

/** The default path for a name. */
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

/** A copy without these fields. */
export function without<Key extends keyof Design>(design: Design, ...keys: readonly Key[]): Design {
  const rest = { ...design };
  for (const key of keys) delete rest[key];
  return rest;
}

/** The fields that differ. */
export function changedFields(before: Design, after: Design): (keyof Design)[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Design)[]);
  return [...keys].filter((key) => textOf(key, before[key]) !== textOf(key, after[key]));
}

/** A field as text, whatever the order of its keys, which the server changes; that of a template counts. */
function textOf(key: keyof Design, value: unknown): string | undefined {
  if (key === 'output_format') return JSON.stringify(value);
  const inOrder = (_: string, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  return JSON.stringify(value, inOrder);
}

/**
 * The body of a PATCH: the fields that have changed since the design was read, with null for removed ones. Others may have been
 * changed elsewhere. The prompt and its inputs go together.
 */
export function buildChange(before: Design, after: Design): Record<string, unknown> {
  const changed = new Set(changedFields(before, after));
  if (changed.has('prompt') || changed.has('inputs')) changed.add('prompt').add('inputs');
  return Object.fromEntries([...changed].map((key) => [key, after[key] ?? null]));
}

/** The design with the fields that have changed from one to the other. */
export function withChanges(design: Design, before: Design, after: Design): Design {
  const changed = changedFields(before, after);
  const gone = changed.filter((key) => after[key] === undefined);
  return without({ ...design, ...Object.fromEntries(changed.map((key) => [key, after[key]])) }, ...gone);
}

/** The design in a record, without the fields that the server adds. */
export function designOf(record: Design): Design {
  const { name, api_stub, description, prompt, inputs, output_format } = record;
  const { source_whitelist, source_blacklist, collections, model, effort, max, examples } = record;
  const optional = { description, output_format, source_whitelist, source_blacklist, collections, model, max };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { name, api_stub, prompt, inputs, effort, examples, ...given };
}

/** The search request for a run of a design that is not saved yet. */
export function buildRequest(design: Design, values: Readonly<Record<string, unknown>>): SearchInput {
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

/** The server's message about a field or anything inside it. */
export function issueOf(
  issues: readonly ValidationError[],
  ...place: readonly (string | number)[]
): string | undefined {
  const found = issues.find(({ loc }) => place.every((key, at) => loc[at + 1] === key));
  if (found === undefined) return undefined;
  const inside = found.loc.slice(place.length + 1);
  if (inside.length === 0) return issueSentence(found.msg);
  const text = fill(t.failures.detail, { title: inside.join(' › '), detail: describeIssue(found.msg) });
  return text + t.failures.fullStop;
}
