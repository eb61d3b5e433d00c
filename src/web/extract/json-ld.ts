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

/** The things of a document, `@graph` and the main entity unfolded. */
function flatten(value: unknown, depth: number): JsonObject[] {
  if (depth > 4 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((item) => flatten(item, depth + 1));
  const thing = value as JsonObject;
  return [
    thing,
    ...flatten(thing['@graph'], depth + 1),
    ...flatten(thing.mainEntity, depth + 1),
    ...flatten(thing.mainEntityOfPage, depth + 1),
  ];
}

export function typesOf(thing: JsonObject): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type])
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.toLowerCase());
}

export function toldBy(things: readonly JsonObject[]): string {
  const told = things.flatMap((thing) =>
    ['articleBody', 'description', 'text', 'reviewBody'].map((name) => thing[name]),
  );
  const strings = told.filter((value): value is string => typeof value === 'string');
  return strings
    .join(' ')
    .slice(0, 300_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
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
