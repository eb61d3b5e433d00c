/** The inputs of an API in a form: text while they are edited, typed values when they are sent. */

import type { DesignInput } from '../../../protocol/index.ts';
import { isRequired } from '../../../protocol/is-required.ts';
import { locale } from '../language/choice.ts';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';

/** The server's limit of every input, `designLimits.input_characters`. */
const maxCharacters = 20_000;

/** By name; '' means no value. A boolean is 'true' or 'false'. */
export type RawValues = Readonly<Record<string, string>>;

export type Inputs = Readonly<Record<string, DesignInput>>;

export interface ReadValues {
  /** The inputs to send. */
  readonly values: Record<string, string | number | boolean>;
  /** What was expected, by name of the invalid input. */
  readonly errors: Readonly<Record<string, string>>;
}

const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(',');

/** Reads a decimal point, or the comma of languages that write one: in English, 1,500 is not a decimal. NaN if it is not a number. */
export function readNumber(text: string): number {
  const isWithComma = hasComma && /^\s*-?\d+,\d+\s*$/.test(text);
  return Number(isWithComma ? text.replace(',', '.') : text);
}

export function readValues(inputs: Inputs, raw: RawValues): ReadValues {
  const values: ReadValues['values'] = {};
  const errors: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const text = raw[name] ?? '';
    const error = text.trim() === '' ? (isRequired(input) ? t.try.needsValue : undefined) : errorOf(input, text);
    if (error !== undefined) errors[name] = error;
    else if (text.trim() !== '') values[name] = typed(input, text);
  }
  return { values, errors };
}

function typed({ type }: DesignInput, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true';
  return type === 'number' ? readNumber(text) : text;
}

function errorOf(input: DesignInput, text: string): string | undefined {
  if (input.type === 'boolean') return undefined;
  const isNumber = input.type === 'number';
  const size = isNumber ? readNumber(text) : text.length;
  if (!Number.isFinite(size)) return t.try.needsNumber;
  const { min = size, max = isNumber ? size : maxCharacters } = input;
  if (size < min) return fill(isNumber ? t.try.needsAtLeast : t.try.needsAtLeastLong, { limit: String(min) });
  if (size > max) return fill(isNumber ? t.try.needsAtMost : t.try.needsAtMostLong, { limit: String(max) });
  return undefined;
}

/** Typed values as form text. */
export function rawOf(values: Readonly<Record<string, unknown>>): RawValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The initial form values: the defaults. */
export function presetsOf(inputs: Inputs): RawValues {
  const presets = Object.entries(inputs).filter(([, { default: preset }]) => preset !== undefined);
  return Object.fromEntries(presets.map(([name, { default: preset }]) => [name, String(preset)]));
}
