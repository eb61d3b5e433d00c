/**
 * JSON as models write it: in prose or a fence, with comments, single or curly quotes, bare keys, Python's literals, missing
 * or spare commas, line breaks and quotes within strings, and cut off anywhere. One reader for streams and whole texts.
 * It looks at every character once: libraries that repair JSON take seconds for some texts of 200 kB.
 */

/** The object in a text, or the array if there is none; undefined without either. */
export function parseLoosely(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // An object within a string of JSON; its quotes make it shorter each time.
    if (typeof value === 'string') return parseLoosely(value);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Read as models write it.
  }
  let best: unknown;
  const rank = (value: unknown) => (value === undefined ? 0 : Array.isArray(value) ? 1 : 2);
  const onRoot = (value: unknown) => {
    // The last one: what comes before is an example more often than what comes after.
    if (rank(value) >= rank(best) && (Object.keys(value as object).length > 0 || best === undefined)) best = value;
  };
  const reader = createJsonReader(() => {}, { arrays: true, onRoot });
  reader.push(text);
  reader.finish();
  return best;
}

export interface JsonReader {
  /** Takes the next piece, of any size. */
  push(text: string): void;
  /** The text is over: what is still open ends here, except a string, which may be half of one. */
  finish(): void;
}

export interface JsonReaderOptions {
  /** Whether an array may be the root; otherwise only an object. */
  readonly arrays?: boolean;
  /** Called with every root, complete or ended by `finish`; without it, reading stops after the first. */
  readonly onRoot?: (value: unknown) => void;
}

interface Level {
  readonly value: Record<string, unknown> | unknown[];
  /** In an object: the key whose value comes next. */
  key: string | undefined;
}

/** Levels of nesting; set by hand, deeper than any template. */
const maxDepth = 64;
const closers: Record<string, string> = { '"': '"', "'": "'", '“': '”', '„': '“', '‘': '’', '«': '»' };
const literals: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  none: null,
  nan: null,
  undefined: null,
};
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Characters, set by hand: what is longer is text. It is not even looked at, because it becomes longer with every word of the same
 * text, which would be read again with each of them.
 */
const longestNumber = 400;

/** A literal or a number; text if it is neither. */
function meaningOf(raw: string): unknown {
  const name = raw.toLowerCase();
  if (Object.hasOwn(literals, name)) return literals[name];
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(raw) ? Number(raw) : raw;
}

/** Whether a comma after it may separate thousands. */
function isThousands(word: string): boolean {
  return word.length <= longestNumber && /^\d{1,3}(?:\d{3})*$/.test(word);
}

/** `onValue` is called with every value once it is complete, inner values first, and with its path of keys. */
export function createJsonReader(
  onValue: (keys: readonly string[], value: unknown) => void,
  { arrays = false, onRoot }: JsonReaderOptions = {},
): JsonReader {
  let levels: Level[] = [];
  /** A string: its closing quote, and its text so far. A closing quote ends it only if what follows agrees. */
  let closer: string | undefined;
  let text = '';
  let escaping: string | undefined;
  let maybeEnd: string | undefined;
  /** A literal, a number or a bare word; a comma may come after it that separates thousands. */
  let word = '';
  let maybeThousands = false;
  /** A string or word that is complete, until it is known to be a key or a value. `raw` is how a word was written. */
  let token: { readonly value: unknown; readonly raw?: string } | undefined;
  let comment: 'maybe' | 'line' | 'block' | 'ending' | undefined;
  let complete = false;

  const inObject = () => !Array.isArray(levels.at(-1)?.value);
  const isEmptyRoot = () => levels.length === 1 && inObject() && Object.keys(levels[0]!.value).length === 0;

  function emit(value: unknown): void {
    const level = levels.at(-1)!;
    const path = levels.map(({ value: held, key }) => (Array.isArray(held) ? String(held.length) : (key ?? '')));
    if (Array.isArray(level.value)) level.value.push(value);
    else if (level.key === undefined) {
      // Something without a key: no JSON, if nothing else came before it.
      if (isEmptyRoot()) levels = [];
      return;
    } else {
      Object.defineProperty(level.value, level.key, { value, enumerable: true, configurable: true, writable: true });
      level.key = undefined;
    }
    onValue(path, value);
  }

  function endWord(): void {
    maybeThousands = false;
    if (word === '') return;
    // Words in a row are one text: `{name: Marlow Bridge, cost: 12 million}`.
    const raw = token?.raw === undefined ? word : `${token.raw} ${word}`;
    token = { value: raw.length > longestNumber ? raw : meaningOf(raw), raw };
    word = '';
  }

  function endValue(): void {
    endWord();
    if (token === undefined) return;
    const { value } = token;
    token = undefined;
    emit(value);
  }

  /** The token is a key. */
  function endKey(): void {
    levels.at(-1)!.key = String(token!.value);
    token = undefined;
  }

  function open(character: string): void {
    endWord();
    if (token !== undefined) separate();
    if (isEmptyRoot() && levels[0]!.key === undefined) levels = [];
    if (levels.length >= maxDepth || (levels.length === 0 && character === '[' && !arrays)) return;
    levels.push({ value: character === '{' ? {} : [], key: undefined });
  }

  /** Closes the innermost level; with a bracket of the other kind, also the one around it, if that fits. */
  function close(character?: string): void {
    endValue();
    const around = levels.at(-2);
    if (character !== undefined && levels.length > 0 && inObject() !== (character === '}')) {
      if (around === undefined || Array.isArray(around.value) !== (character === ']')) return;
      close();
    }
    const closed = levels.pop();
    if (closed === undefined) return;
    if (levels.length > 0) emit(closed.value);
    else {
      onRoot?.(closed.value);
      complete = onRoot === undefined;
    }
  }

  /** Something follows a complete token, without a comma or colon. */
  function separate(): void {
    if (inObject() && levels.at(-1)!.key === undefined) endKey();
    else endValue();
  }

  function readString(character: string): void {
    if (escaping !== undefined) {
      escaping += character;
      if (escaping[0] === 'u' && escaping.length < 5 && /^u[\da-f]*$/i.test(escaping)) return;
      text += /^u[\da-f]{4}$/i.test(escaping)
        ? String.fromCharCode(Number.parseInt(escaping.slice(1), 16))
        : (escapes[escaping] ?? escaping);
      escaping = undefined;
    } else if (character === '\\') escaping = '';
    else if (character === closer || (closer === '”' && character === '"')) maybeEnd = character;
    else text += character;
  }

  /** After a quote that may have closed a string: whether it did. Undefined while only spaces came. */
  function isEnd(character: string): boolean | undefined {
    if (/\s/.test(character)) return undefined;
    if (/[,:}\]/#]/.test(character)) return true;
    return Object.hasOwn(closers, character) && maybeEnd!.includes('\n');
  }

  function endString(): void {
    token = { value: text };
    closer = undefined;
    maybeEnd = undefined;
    text = '';
  }

  function read(character: string): void {
    if (maybeEnd !== undefined) {
      const ended = isEnd(character);
      if (ended === undefined) {
        maybeEnd += character;
        return;
      }
      if (ended) endString();
      else {
        text += maybeEnd;
        maybeEnd = undefined;
      }
    }
    if (closer !== undefined) return readString(character);
    if (comment !== undefined && readComment(character)) return;
    if (maybeThousands) {
      maybeThousands = false;
      if (/\d/.test(character)) {
        word += character;
        return;
      }
      endValue();
    }
    if (levels.length === 0) {
      if (character === '{' || character === '[') open(character);
    } else if (word === '' && Object.hasOwn(closers, character)) {
      if (token !== undefined) separate();
      if (levels.length > 0) closer = closers[character]!;
    } else if (character === '{' || character === '[') open(character);
    else if (character === '}' || character === ']') close(character);
    else if (character === ',' && inObject() && levels.at(-1)!.key !== undefined && isThousands(word)) {
      maybeThousands = true;
    } else if (character === ',' || character === ';') endValue();
    else if (character === ':' || (character === '=' && levels.at(-1)!.key === undefined)) readColon(character);
    else if (character === '#' && word === '') comment = 'line';
    else if (character === '/' && word === '') comment = 'maybe';
    else if (/\s/.test(character)) {
      endWord();
      // A line ends a bare value: the comma was forgotten.
      if (character === '\n' && token !== undefined && levels.at(-1)!.key !== undefined) endValue();
    } else {
      if (token !== undefined && token.raw === undefined) separate();
      if (levels.length > 0) word += character;
    }
  }

  function readColon(character: string): void {
    endWord();
    const isKey = inObject() && levels.at(-1)!.key === undefined && token !== undefined;
    if (isKey) endKey();
    else if (token?.raw !== undefined) {
      // Part of a bare value, such as an address.
      word = token.raw + character;
      token = undefined;
    }
  }

  /** Whether the character belongs to a comment. */
  function readComment(character: string): boolean {
    if (comment === 'maybe') {
      comment = character === '/' ? 'line' : character === '*' ? 'block' : undefined;
      if (comment !== undefined) return true;
      word += '/';
      return false;
    }
    if (comment === 'line') {
      if (character === '\n') comment = undefined;
    } else if (comment === 'ending' && character === '/') comment = undefined;
    else comment = character === '*' ? 'ending' : 'block';
    return true;
  }

  return {
    push(piece) {
      for (const character of piece) {
        if (complete) return;
        read(character);
      }
    },
    finish() {
      if (maybeEnd !== undefined) endString();
      closer = undefined;
      if (levels.length === 0 || complete) return;
      while (levels.length > 0) close();
    },
  };
}
