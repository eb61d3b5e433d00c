/**
 * Side prompts whose reply must be JSON: LibreChat asks for the title and the language of a conversation in this way. The model is
 * asked for it in words, so what it says need not be JSON, but the client's parser must get some.
 */
import type { ChatCompletionRequest } from '../../../protocol/index.ts';

/** Characters of a schema that the model is shown; set by hand. */
const maxSchema = 4_000;

/** The prompt, with the format that the request asks for. */
export function withFormat(prompt: string, { response_format }: ChatCompletionRequest): string {
  const schema = response_format?.json_schema?.schema;
  if (schema == null) return prompt;
  const shown = JSON.stringify(schema).slice(0, maxSchema);
  return `${prompt}\n\nAnswer with nothing but a JSON object that fits this JSON Schema:\n${shown}`;
}

/** The reply in the format that the request asks for: JSON with the fields of its schema, null where the reply does not say. */
export function inFormat(text: string, { response_format }: ChatCompletionRequest): string {
  const properties = response_format?.json_schema?.schema?.properties;
  if (!isObject(properties)) return text;
  const names = Object.keys(properties);
  // Words alone are the title, which is what such a prompt is about.
  const said = objectIn(text) ?? { [names.includes('title') ? 'title' : (names[0] ?? '')]: text };
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, said[name] ?? null])));
}

/** The object in a text, which may stand in a block of code. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
