/**
 * What differs between two designs, by part and as text: each input, field of the answer, source, collection, limit and example
 * separately. Two designs that differ at all have at least one change.
 */

import type { Design, DesignInput } from '../../../../protocol/index.ts';
import { isRequired } from '../../../../protocol/is-required.ts';
import { t } from '../../language/designer/text.ts';
import { fill } from '../../language/message.ts';
import { type Row, rowKinds, rowsOf } from '../../template/template-rows.ts';

/** Added without `before`, removed without `after`. */
export interface Change {
  /** Which input or field; empty where the part is one value. */
  readonly label: string;
  readonly before?: string;
  readonly after?: string;
}

export interface ChangedPart {
  readonly title: string;
  readonly changes: readonly Change[];
}

interface Entry {
  readonly label: string;
  readonly text: string;
  /** Entries with the same key are one entry that may have changed. */
  readonly key: string;
}

/** The name of a collection by its id. */
type NameOf = (collection_id: string) => string;

/** In the order of the form. */
export function changedParts(before: Design, after: Design, nameOf: NameOf = String): ChangedPart[] {
  return parts
    .map(([title, read]) => ({ title, changes: changesOf(read(before, nameOf), read(after, nameOf)) }))
    .filter(({ changes }) => changes.length > 0);
}

function changesOf(before: readonly Entry[], after: readonly Entry[]): Change[] {
  const [old, now] = [byKey(before), byKey(after)];
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Change[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was?.text === is?.text) return [];
    const { label } = (is ?? was)!;
    return [
      {
        label,
        ...(was === undefined ? {} : { before: was.text }),
        ...(is === undefined ? {} : { after: is.text }),
      },
    ];
  });
  if (changes.length > 0) return changes;
  const [wasOrder, isOrder] = [orderOf(before), orderOf(after)];
  return wasOrder === isOrder ? [] : [{ label: t.difference.order, before: wasOrder, after: isOrder }];
}

function byKey(entries: readonly Entry[]): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function orderOf(entries: readonly Entry[]): string {
  return entries.map(({ label, text }) => label || text).join(', ');
}

function one(text: string | undefined): Entry[] {
  return text === undefined || text === '' ? [] : [{ key: '', label: '', text }];
}

/** Entries that are present or not, never changed. */
function listed(texts: readonly string[] | undefined, label = ''): Entry[] {
  return (texts ?? []).map((text) => ({ key: `${label} ${text}`, label, text }));
}

const parts: readonly (readonly [title: string, read: (design: Design, nameOf: NameOf) => Entry[]])[] = [
  [t.form.name, ({ name }) => one(name)],
  [t.form.path, ({ api_stub }) => one(api_stub)],
  [t.form.description, ({ description }) => one(description)],
  [t.form.prompt, ({ prompt }) => one(prompt)],
  [
    t.form.inputs,
    ({ inputs }) => Object.entries(inputs).map(([name, input]) => ({ key: name, label: name, text: inputText(input) })),
  ],
  [
    t.form.output,
    ({ output_format }) => (output_format === undefined ? one(t.form.text) : leavesOf(rowsOf(output_format))),
  ],
  [t.research.effort, ({ effort }) => one(t.research[effort])],
  [t.research.model, ({ model }) => one(model)],
  [
    t.research.sources,
    (design) => [
      ...listed(design.source_whitelist, t.difference.only),
      ...listed(design.source_blacklist, t.difference.never),
    ],
  ],
  [t.research.collections, ({ collections }, nameOf) => listed(collections?.map(nameOf))],
  [
    t.difference.limits,
    ({ max = {} }) => Object.entries(max).map(([name, value]) => ({ key: name, label: name, text: String(value) })),
  ],
  [t.examples.title, ({ examples }) => listed(examples.map(({ inputs }) => exampleText(inputs)))],
];

/** The inputs of an example on one line. */
function exampleText(inputs: Readonly<Record<string, unknown>>): string {
  return (
    Object.entries(inputs)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · ') || t.publish.noInputs
  );
}

function leavesOf(rows: readonly Row[], above = ''): Entry[] {
  return rows.flatMap(({ name, kind, rows: inside }) => {
    const label = above + name;
    if (kind === 'object') return leavesOf(inside, `${label} › `);
    if (kind === 'array') return leavesOf(inside, `${label}[] › `);
    return [{ key: label, label, text: rowKinds[kind] }];
  });
}

function inputText(input: DesignInput): string {
  const { type, description, default: preset } = input;
  const { min, max, enum: choices } = type === 'boolean' ? {} : input;
  const isText = type === 'string';
  const texts = [
    rowKinds[type],
    isRequired(input) ? t.difference.required : t.difference.optional,
    preset !== undefined && fill(t.difference.default, { value: String(preset) }),
    min !== undefined && fill(isText ? t.difference.atLeastLong : t.difference.atLeast, { limit: String(min) }),
    max !== undefined && fill(isText ? t.difference.atMostLong : t.difference.atMost, { limit: String(max) }),
    choices !== undefined && fill(t.difference.oneOf, { values: choices.join(', ') }),
    description,
  ];
  return texts.filter((text) => text !== undefined && text !== false).join(' · ');
}
