/** JSON-LD as pages have it: read with patience, flattened, and never more than a hint. What does not parse is as if it were not there. */
import { cleanLine } from './clean-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseJsonLd(source: string): JsonObject[] {
  try {
    return flatten(JSON.parse(source.replace(/^\s*<!--|-->\s*$|^\s*\/\/.*$/gm, '')), 0);
  } catch {
    return [];
  }
}

/** The things of a document, `@graph`, the main entity, answers and comments unfolded. */
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

export function typesOf(thing: JsonObject): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type])
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.toLowerCase());
}

/** Bodies and descriptions in the order they stand, each once; they may hold HTML. */
export function bodiesIn(things: readonly JsonObject[]): string[] {
  const bodies = things.flatMap((thing) =>
    ['articleBody', 'text', 'reviewBody', 'description'].map((name) => thing[name]),
  );
  return [...new Set(bodies.filter((body): body is string => typeof body === 'string' && body.trim() !== ''))];
}

export function textIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = cleanLine(value);
  return line === '' ? undefined : line;
}

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
