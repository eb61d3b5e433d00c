/**
 * JSON as models write it. `parseLoosely` finds the one object in a text that has more around it; `createJsonReader` reads
 * it as it streams in and tells of each value the moment it is complete, before the whole is.
 */

/** The object in a text, or undefined: fences, prose around it and commas too many are forgiven, nothing else. */
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
  push(text: string): void;
  /** Whether an object was read to its end. */
  isComplete(): boolean;
  /** Whether what came is no JSON; nothing is told from there on. */
  isBroken(): boolean;
}

interface Level {
  readonly value: Record<string, unknown> | unknown[];
  key: string;
}

const deepest = 64;

/** `onValue` hears of every value once it is complete, inner ones first, with the keys that lead to it. */
export function createJsonReader(onValue: (keys: readonly string[], value: unknown) => void): JsonReader {
  const levels: Level[] = [];
  let token = '';
  let inString = false;
  let escaped = false;
  let complete = false;
  let broken = false;

  const keys = () => levels.map(({ value, key }) => (Array.isArray(value) ? String(value.length) : key));

  function give(value: unknown): void {
    const level = levels.at(-1);
    if (level === undefined) return;
    const path = keys();
    if (Array.isArray(level.value)) level.value.push(value);
    else Object.defineProperty(level.value, level.key, { value, enumerable: true, configurable: true, writable: true });
    onValue(path, value);
  }

  /** A string or literal has ended before `next`. */
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
    else give(value);
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
      broken ||= token !== '' || levels.length >= deepest;
      levels.push({ value: character === '{' ? {} : [], key: '' });
    } else if (character === ':' || character === ',') end(character);
    else if (character === '}' || character === ']') {
      end(character);
      const { value } = levels.pop()!;
      broken ||= Array.isArray(value) !== (character === ']');
      if (levels.length === 0) complete = true;
      else give(value);
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
