/** Which values a field of a structured answer may have, where the application that asks says more than its type. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { counted } from '../text/counted.ts';
import { compilePattern, type TextTest } from './linear-patterns.ts';
import { describeFormat, inFormat, type TextFormat } from './text-formats.ts';

/** A value may be anything of its type that nothing here excludes. */
export interface AllowedValues {
  /** All that it may be. */
  readonly values?: readonly (string | number | boolean)[];
  /** Whether it must be the one of `values`, and may not be null: it then says nothing about the sources. */
  readonly isFixed?: boolean;
  /** Whether it has to be a whole number. */
  readonly isWhole?: boolean;
  /** The smallest and the largest number that it may be. */
  readonly min?: number;
  readonly max?: number;
  /** Numbers that it has to be above or below. */
  readonly above?: number;
  readonly below?: number;
  readonly multipleOf?: number;
  /** Characters of a text, as code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: TextFormat;
  /** What a text has to have, anywhere in it. */
  readonly pattern?: string;
  /** The most elements that a list may have, and the fewest that are asked for; nothing is made up to reach them. */
  readonly maxItems?: number;
  readonly minItems?: number;
  /** Whether no two elements of a list of texts or numbers may be alike. */
  readonly isUnique?: boolean;
}

/** Whether a text has what a pattern describes. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** Allowed values by the path of the field: a JSON Pointer, with `-` for an element of an array. */
export type AllowedByPath = Readonly<Record<string, AllowedValues>>;

// Set by hand.
/** Characters of a text that is matched; a longer one is not what patterns are for. */
const maxMatched = 500;
/** For all patterns and all values of one answer together, in milliseconds. Afterwards nothing matches. */
const maxCompileMs = 500;
const maxMatchMs = 1_000;

/**
 * Matches the patterns of one answer. Those that RE2 does not know, such as one with a lookahead, match everything. One of a few
 * hundred characters can take 200 ms to compile, so others have their turn after each.
 */
export async function createPatternMatcher(allowed: Iterable<AllowedValues | undefined>): Promise<PatternMatcher> {
  const tests = new Map<string, TextTest>();
  const patterns = new Set([...allowed].flatMap((each) => each?.pattern ?? []));
  // Loads the compiler first, whose time would be counted as that of the first pattern.
  if (patterns.size > 0) await compilePattern('');
  let compiling = 0;
  for (const pattern of patterns) {
    if (compiling > maxCompileMs) break;
    const begun = performance.now();
    tests.set(pattern, await compilePattern(pattern).catch(() => () => true));
    compiling += performance.now() - begun;
    await nextTurn();
  }
  let spent = 0;
  return (pattern, text) => {
    if (text.length > maxMatched || spent > maxMatchMs) return false;
    const begun = performance.now();
    const isMatch = tests.get(pattern)?.(text) === true;
    spent += performance.now() - begun;
    return isMatch;
  };
}

/**
 * The value as it is allowed, undefined if it is not. A text that differs from one of `values` only in case, spaces or punctuation
 * becomes that one: "In stock" is "in_stock". A date in words becomes one in figures. Numbers are not rounded.
 */
export function allowedValue<Value extends string | number | boolean>(
  value: Value,
  allowed: AllowedValues | undefined,
  matches: PatternMatcher,
): Value | undefined {
  if (allowed === undefined) return value;
  const { values } = allowed;
  if (typeof value === 'number' && !isAllowedNumber(value, allowed)) return undefined;
  if (values === undefined) return typeof value === 'string' ? (allowedText(value, allowed, matches) as Value) : value;
  if (values.includes(value)) return value;
  if (typeof value !== 'string') return undefined;
  const alike = values.filter((each) => typeof each === 'string' && folded(each) === folded(value));
  return alike.length === 1 ? (alike[0] as Value) : undefined;
}

function allowedText(value: string, allowed: AllowedValues, matches: PatternMatcher): string | undefined {
  const { format, pattern, minLength = 0, maxLength = Infinity } = allowed;
  const text = format === undefined ? value : inFormat(value, format);
  if (text === undefined || (pattern !== undefined && !matches(pattern, text))) return undefined;
  const length = [...text].length;
  return length >= minLength && length <= maxLength ? text : undefined;
}

/** What is allowed, in words: `one of "red", "blue"; a whole number`. Empty if everything is. */
export function describeAllowed(allowed: AllowedValues): string {
  const { values, isWhole, min, max, above, below, multipleOf, minLength, maxLength, format, pattern } = allowed;
  const { minItems, maxItems, isUnique } = allowed;
  const said = [
    ...(values === undefined ? [] : [`one of ${JSON.stringify(values).slice(1, -1)}`]),
    ...(isWhole === true ? ['a whole number'] : []),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
    ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
    ...(format === undefined ? [] : [describeFormat(format)]),
    ...(pattern === undefined ? [] : [`matching ${pattern}`]),
    ...(minLength === undefined ? [] : [`at least ${counted(minLength, 'character')}`]),
    ...(maxLength === undefined ? [] : [`at most ${counted(maxLength, 'character')}`]),
    ...(minItems === undefined ? [] : [`at least ${counted(minItems, 'element')}`]),
    ...(maxItems === undefined ? [] : [`at most ${counted(maxItems, 'element')}`]),
    ...(isUnique === true ? ['no two of them alike'] : []),
  ];
  return said.join('; ');
}

function isAllowedNumber(value: number, allowed: AllowedValues): boolean {
  const { isWhole, min = -Infinity, max = Infinity, above = -Infinity, below = Infinity, multipleOf } = allowed;
  if (isWhole === true && !Number.isInteger(value)) return false;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) return false;
  return value >= min && value <= max && value > above && value < below;
}

/** 0.3 is a multiple of 0.1, although their quotient in binary is not whole. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}
