/**
 * Where a text stops being JSON, in the language of the page. Browsers say it in English, each in words of its own, and not always
 * with the place.
 */
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';

const space = /[ \t\r\n]*/y;
// No flag `i`: `\N` is not an escape.
const text = /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** What may still become a text, or any value, at the end of the JSON. */
const begunText = /(?:"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*(?:\\(?:u[\da-fA-F]{0,3})?)?)?$/y;
const begunValue = /(?:-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/y;

/** What is wrong with a text that JSON.parse refuses, as a sentence. */
export function describeJsonError(json: string): string {
  const at = errorIn(json);
  if (at === undefined) return t.template.incomplete;
  const before = json.slice(0, at).split('\n');
  return fill(t.template.wrongAt, { line: before.length, character: before.at(-1)!.length + 1 });
}

/** The index of the first thing that JSON does not have there; undefined if only the end is missing. */
function errorIn(json: string): number | undefined {
  let at = 0;
  /** The brackets that are open: what closes each. */
  const open: string[] = [];
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(json)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const takeSign = (signs: string) => {
    take(space);
    const sign = json.charAt(at);
    if (sign === '' || !signs.includes(sign)) return undefined;
    at += 1;
    return sign;
  };
  /** `begun` is what the end of the JSON may be the beginning of; nothing but the end where a sign is missing. */
  const fail = (...begun: RegExp[]) => {
    take(space);
    const isBegun = [/$/y, ...begun].some((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(json);
    });
    return isBegun ? undefined : at;
  };
  for (;;) {
    const bracket = takeSign('{[');
    let isName = false;
    if (bracket !== undefined) {
      const end = bracket === '{' ? '}' : ']';
      if (takeSign(end) === undefined) {
        open.push(end);
        isName = bracket === '{';
        if (!isName) continue;
      }
    } else if (take(text) === undefined && take(scalar) === undefined) return fail(begunText, begunValue);
    if (!isName) {
      // After a value: brackets that close, or the next value.
      while (open.length > 0 && takeSign(open.at(-1)!) !== undefined) open.pop();
      if (open.length === 0 || takeSign(',') === undefined) return fail();
      isName = open.at(-1) === '}';
    }
    if (!isName) continue;
    take(space);
    if (take(text) === undefined) return fail(begunText);
    if (takeSign(':') === undefined) return fail();
  }
}
