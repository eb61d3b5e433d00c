/**
 * Side prompts whose reply must be JSON: LibreChat asks for the title and the language of a conversation in this way. The model is
 * asked for it in words, so what it says need not be JSON, but the client's parser must get some.
 */
import type { ChatCompletionRequest } from '../../../protocol/index.ts';
import { isObject } from '../../base/values/is-object.ts';
import { type ForcedFunction, shapeOfFunction } from './forced-function.ts';

/** Characters of a schema that the model is shown; set by hand. */
const maxSchema = 4_000;

/** The JSON that a reply must be. */
export interface SideFormat {
  readonly schema: unknown;
  /** Undefined for a schema that names none at its top. */
  readonly fields: readonly string[] | undefined;
}

/**
 * The format that a request asks for, by its own name or as the arguments of a function; undefined for words. Throws a 400 for a
 * function whose parameters no template can express.
 */
export function sideFormat(
  { response_format }: ChatCompletionRequest,
  forced: ForcedFunction | undefined,
): SideFormat | undefined {
  if (forced !== undefined) return { schema: forced.parameters, fields: Object.keys(shapeOfFunction(forced).template) };
  const schema = response_format?.json_schema?.schema;
  if (schema == null) return undefined;
  return { schema, fields: isObject(schema.properties) ? Object.keys(schema.properties) : undefined };
}

/** The prompt, with the format of its reply. */
export function withFormat(prompt: string, format: SideFormat | undefined): string {
  if (format === undefined) return prompt;
  const shown = JSON.stringify(format.schema).slice(0, maxSchema);
  return `${prompt}\n\nAnswer with nothing but a JSON object that fits this JSON Schema:\n${shown}`;
}

/** The reply in its format: JSON with the fields of the schema, null where the reply does not say. */
export function inFormat(text: string, format: SideFormat | undefined): string {
  const names = format?.fields;
  if (names === undefined) return text;
  // Words alone are the title, which is what such a prompt is about.
  const said = objectIn(text) ?? { [names.includes('title') ? 'title' : (names[0] ?? '')]: text };
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, said[name] ?? null])));
}

/** The object in a text, which may be inside a code block. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
