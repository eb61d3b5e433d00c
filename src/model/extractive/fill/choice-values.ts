/** Which of its values a statement says of a field: "The office is closed on Sundays" says "closed", of "open" and "closed". */
import type { Span } from '../text/values.ts';

export interface Choice {
  /** As the field has it. */
  readonly value: string;
  readonly span: Span;
}

interface Choices {
  readonly pattern: RegExp;
  readonly byWords: ReadonlyMap<string, string>;
}

/** Characters before a value in which a denial turns it around; set by hand. */
const deniedWithin = 24;
const denial =
  /(?<![\p{L}\p{N}])(?:no|not|never|neither|nor|without|nicht|kein\p{L}*|pas|non)(?![\p{L}\p{N}])[^.,;:]*$|n['’]t\b[^.,;:]*$/iu;
const known = new WeakMap<readonly unknown[], Choices>();

/**
 * The values that a text has, as whole words, in any case and with spaces or punctuation between them: "in stock" says "in_stock". Of two
 * that begin alike it is the longer one. What is denied is not said.
 */
export function findChoices(text: string, values: readonly (string | number | boolean)[]): Choice[] {
  const choices = known.get(values) ?? readChoices(values);
  known.set(values, choices);
  return [...text.matchAll(choices.pattern)].flatMap(({ 0: said, index }) => {
    const value = choices.byWords.get(wordsOf(said).join(' ').toLowerCase());
    if (value === undefined || denial.test(text.slice(Math.max(0, index - deniedWithin), index))) return [];
    return [{ value, span: { start: index, end: index + said.length, text: said } }];
  });
}

function readChoices(values: readonly (string | number | boolean)[]): Choices {
  const texts = values.filter((value) => typeof value === 'string' && wordsOf(value).length > 0) as string[];
  const longest = [...texts].sort((a, b) => b.length - a.length);
  const alternatives = longest.map((value) => wordsOf(value).join(String.raw`[^\p{L}\p{N}\n]{1,3}`));
  // A hyphen makes another word: "non-refundable" does not say "refundable".
  const bounds = [String.raw`(?<![\p{L}\p{N}]|[\p{L}\p{N}]-)`, String.raw`(?![\p{L}\p{N}])`];
  return {
    pattern: new RegExp(texts.length === 0 ? '(?!)' : `${bounds[0]}(?:${alternatives.join('|')})${bounds[1]}`, 'giu'),
    byWords: new Map(texts.map((value) => [wordsOf(value).join(' ').toLowerCase(), value])),
  };
}

/** "inStock" and "in_stock" have two words each. */
function wordsOf(value: string): string[] {
  return value.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
