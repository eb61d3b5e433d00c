/** The place of a character in JSON text, for an error about text that is not parsed. Only refusals pay for it. */
import { issueLimits } from '../../protocol/index.ts';

/** Keys of objects, cut to the length that errors show, and indices of lists. */
type Loc = (string | number)[];

/** An object or list that is open at the place. */
interface Container {
  readonly isList: boolean;
  /** The current entry of a list. */
  index: number;
  /** Where the current key of an object is; undefined before it. */
  key: Range | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * `container` is the innermost object or list around the character at `place`, `value` the field or entry in it, or the
 * object itself where the character is part of a key. Linear in `place`; text that is not JSON has some place, too.
 */
export function locate(text: string, place: number): { readonly container: Loc; readonly value: Loc } {
  const open: Container[] = [];
  let lastString: Range | undefined;
  for (let at = 0; at < place; at += 1) {
    const container = open.at(-1);
    switch (text[at]) {
      case '"': {
        const start = at + 1;
        at = endOfString(text, start);
        lastString = { start, end: at };
        break;
      }
      case ':':
        if (container !== undefined) container.key = lastString;
        break;
      case ',':
        if (container !== undefined) Object.assign(container, { index: container.index + 1, key: undefined });
        break;
      case '{':
      case '[':
        open.push({ isList: text[at] === '[', index: 0, key: undefined });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      default:
    }
  }
  const value = open.flatMap(({ isList, index, key }): Loc => {
    if (isList) return [index];
    return key === undefined ? [] : [readKey(text, key)];
  });
  const innermost = open.at(-1);
  const hasOwn = innermost !== undefined && (innermost.isList || innermost.key !== undefined);
  return { container: hasOwn ? value.slice(0, -1) : value, value };
}

/** The index of the quote that closes the string from `from`; the text's length if none does. */
export function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function readKey(text: string, { start, end }: Range): string {
  const written = text.slice(start, end);
  try {
    return String(JSON.parse(`"${written}"`)).slice(0, issueLimits.key_length);
  } catch {
    return written.slice(0, issueLimits.key_length);
  }
}
