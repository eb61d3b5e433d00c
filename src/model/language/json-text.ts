/**
 * JSON as models write it. `parseLoosely` finds the object in a text with more around it; `createJsonReader` reads a stream
 * and reports each value as soon as it is complete.
 */

/** The object in a text, or undefined. Tolerates fences, prose around the object and trailing commas, nothing else. */
export function parseLoosely(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return undefined;
  const object = text.slice(start, end + 1);
  for (const candidate of [object, object.replace(/,(\s*[}\]])/g, '$1')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate, or none.
    }
  }
  return undefined;
}

export interface JsonReader {
  /** Takes the next piece, of any size. */
  push(text: string): void;
  /** Whether a whole object was read. */
  isComplete(): boolean;
  /** Whether the text is invalid JSON; no values are reported from there on. */
  isBroken(): boolean;
}

interface Level {
  readonly value: Record<string, unknown> | unknown[];
  key: string;
}

/** Levels of nesting; set by hand, deeper than any template. */
const maxDepth = 64;

/** `onValue` is called with every value once it is complete, inner values first, and with its path of keys. */
export function createJsonReader(onValue: (keys: readonly string[], value: unknown) => void): JsonReader {
  const levels: Level[] = [];
  let token = '';
  let inString = false;
  let escaped = false;
  let complete = false;
  let broken = false;

  const keys = () => levels.map(({ value, key }) => (Array.isArray(value) ? String(value.length) : key));

  function emit(value: unknown): void {
    const level = levels.at(-1);
    if (level === undefined) return;
    const path = keys();
    if (Array.isArray(level.value)) level.value.push(value);
    else Object.defineProperty(level.value, level.key, { value, enumerable: true, configurable: true, writable: true });
    onValue(path, value);
  }

  /** A string or literal ended before `next`. */
  function end(next: string): void {
    if (token === '') return;
    let value: unknown;
    try {
      value = JSON.parse(token);
    } catch {
      broken = true;
      return;
    }
    token = '';
    const level = levels.at(-1);
    if (next === ':' && level !== undefined && !Array.isArray(level.value) && typeof value === 'string')
      level.key = value;
    else emit(value);
  }

  function read(character: string): void {
    if (inString) {
      token += character;
      if (escaped) escaped = false;
      else if (character === '\\') escaped = true;
      else if (character === '"') inString = false;
      return;
    }
    if (levels.length === 0) {
      if (character === '{') levels.push({ value: {}, key: '' });
      return;
    }
    if (character === '"') {
      broken ||= token !== '';
      token = '"';
      inString = true;
    } else if (character === '{' || character === '[') {
      broken ||= token !== '' || levels.length >= maxDepth;
      levels.push({ value: character === '{' ? {} : [], key: '' });
    } else if (character === ':' || character === ',') end(character);
    else if (character === '}' || character === ']') {
      end(character);
      const { value } = levels.pop()!;
      broken ||= Array.isArray(value) !== (character === ']');
      if (levels.length === 0) complete = true;
      else emit(value);
    } else if (!/\s/.test(character)) token += character;
  }

  return {
    push(text) {
      for (const character of text) {
        if (complete || broken) return;
        read(character);
      }
    },
    isComplete: () => complete && !broken,
    isBroken: () => broken,
  };
}
