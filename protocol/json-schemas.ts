/**
 * The zod schemas as JSON Schema, for both generated documents. All of them describe what is *accepted* (`io:
 * "input"`), even the server's own messages: a client generated from them must not break on a new field.
 */
import * as z from 'zod';
import { LogPosition, searchEvents } from './events.ts';
import * as contract from './index.ts';
import { OutputFormat, outputFormatSchema } from './output-format.ts';

export type JsonSchema = Record<string, unknown>;

/**
 * Returns, by id, every exported schema that has an id, every event as it is sent (with its position in the log), and
 * `more`. A schema that contains another refers to it as `#/components/schemas/<id>`. Throws if a referenced schema is
 * not exported.
 */
export function componentSchemas(
  target: 'draft-2020-12' | 'draft-7',
  more: Readonly<Record<string, z.ZodType>> = {},
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of [...namedSchemas(), ...Object.entries(more)]) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target,
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (OutputFormat as z.core.$ZodType)) Object.assign(jsonSchema, outputFormatSchema);
      dropNoise(jsonSchema);
    },
  });
  if ('__shared' in schemas) throw new Error('expected every schema with an id to be exported from protocol/index.ts');
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutHeader(schema)]));
}

function* namedSchemas(): Generator<[string, z.ZodType]> {
  for (const value of Object.values(contract)) {
    const id = value instanceof z.ZodType ? value.meta()?.id : undefined;
    if (id !== undefined) yield [id, value as z.ZodType];
  }
  for (const [type, event] of Object.entries(searchEvents)) {
    yield [type, event.extend(LogPosition.shape).describe(event.description ?? '')];
  }
}

/** A reference to one of the `componentSchemas`. */
export function reference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Removes the bounds of JavaScript's integers and the patterns of named formats, which do not help a reader. */
function dropNoise(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
}

function withoutHeader({ $schema, $id, id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
