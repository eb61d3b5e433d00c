/** JSON-LD of pages: parsed leniently, flattened, and used only as a hint. */
import { cleanLine } from '../../base/text/encoding/clean-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The objects of a JSON-LD script, including nested ones; empty for invalid JSON. */
export function parseJsonLd(source: string): JsonObject[] {
  try {
    return flatten(JSON.parse(source.replace(/^[ \t]*<!--|-->[ \t]*$|^[ \t]*\/\/.*$/gm, '')), 0);
  } catch {
    return [];
  }
}

/** An object and the objects in its `@graph`, main entity, answers and comments, four levels down. */
function flatten(value: unknown, depth: number): JsonObject[] {
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((item) => flatten(item, depth + 1));
  const thing = value as JsonObject;
  return [
    thing,
    ...['@graph', 'mainEntity', 'mainEntityOfPage', 'acceptedAnswer', 'suggestedAnswer', 'comment'].flatMap((name) =>
      flatten(thing[name], depth + 1),
    ),
  ];
}

/** The `@type`s of an object, lower case. */
export function typesOf(thing: JsonObject): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type])
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.toLowerCase());
}

/** Distinct bodies and descriptions in document order; they may contain HTML. */
export function bodiesIn(things: readonly JsonObject[]): string[] {
  const bodies = things.flatMap((thing) =>
    ['articleBody', 'text', 'reviewBody', 'description'].map((name) => thing[name]),
  );
  return [...new Set(bodies.filter((body): body is string => typeof body === 'string' && body.trim() !== ''))];
}

/** A non-blank string on one line; undefined for anything else. */
export function textIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = cleanLine(value);
  return line === '' ? undefined : line;
}

/** The name of a person or organization: a string, an object's `name`, or up to five of these joined by commas. */
export function nameIn(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const names = value
      .slice(0, 5)
      .map(nameIn)
      .filter((name) => name !== undefined);
    return names.length === 0 ? undefined : names.join(', ');
  }
  if (typeof value === 'object' && value !== null) return textIn((value as JsonObject).name);
  return textIn(value);
}
