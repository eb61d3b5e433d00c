/** JSON with indented lines, whose numbers stay as they are written: parsed, 12345678901234567890 and 1.10 would be others. */
import { maxTextChars } from './extraction.ts';

/** Set by hand: deeper values are not indented further, so that brackets alone cannot fill the memory. */
const maxIndents = 100;

/** The text of a valid JSON document as `JSON.stringify` indents it by two spaces; ends where a page may have no more text. */
export function indentJson(source: string): string {
  const parts: string[] = [];
  let chars = 0;
  let depth = 0;
  let isEmpty = false;
  const write = (part: string) => {
    parts.push(part);
    chars += part.length;
  };
  const breakLine = () => write(`\n${'  '.repeat(Math.min(depth, maxIndents))}`);
  for (let at = 0; at < source.length && chars <= maxTextChars; ) {
    const sign = source[at]!;
    const begin = at;
    at += 1;
    if (/\s/.test(sign)) continue;
    if (sign === '}' || sign === ']') {
      depth -= 1;
      if (!isEmpty) breakLine();
      isEmpty = false;
      write(sign);
      continue;
    }
    if (isEmpty) breakLine();
    isEmpty = sign === '{' || sign === '[';
    if (isEmpty) {
      depth += 1;
      write(sign);
    } else if (sign === ',') {
      write(sign);
      breakLine();
    } else if (sign === ':') write(': ');
    else if (sign === '"') {
      while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1;
      at += 1;
      // Escapes that are not needed hide words.
      write(JSON.stringify(JSON.parse(source.slice(begin, at))));
    } else {
      while (at < source.length && !/[\s,\]}]/.test(source[at]!)) at += 1;
      write(source.slice(begin, at));
    }
  }
  return parts.join('');
}
