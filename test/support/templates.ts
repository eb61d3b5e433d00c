/** Arbitrary output templates, and a check that a value has the shape of one. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { OutputFormat, type StructuredObject, type StructuredValue, type TemplateNode } from '../../protocol/index.ts';

export const fieldNames = fc.oneof(
  fc.constantFrom('a', 'b', 'a/b', '~', '', '0', '-', 'constructor', 'toString', 'length', 'value', 'evidence'),
  fc.string({ maxLength: 5 }),
);

export const templates: fc.Arbitrary<OutputFormat> = fc
  .letrec<{ node: TemplateNode; object: OutputFormat }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<TemplateNode>('string', 'number', 'boolean', ['string'], ['number']),
      tie('object'),
      tie('object').map((object): TemplateNode => [object]),
    ),
    object: fc.dictionary(fieldNames, tie('node'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  }))
  .object.filter((candidate) => OutputFormat.safeParse(candidate).success);

/** Fails unless the value has the template's shape. */
export function expectShape(node: TemplateNode, value: StructuredValue | undefined): void {
  if (typeof node === 'string') {
    if (value !== null) expect(typeof value).toBe(node);
  } else if (Array.isArray(node)) {
    expect(Array.isArray(value)).toBe(true);
    for (const row of value as StructuredObject[]) expectShape(node[0], row);
  } else {
    expect(Object.keys(value as object)).toEqual(Object.keys(node));
    for (const [key, child] of Object.entries(node)) expectShape(child, (value as StructuredObject)[key]);
  }
}
