/** The inputs of an API as a form has them: text until it is sent, a value of its type from then on. */
import type { DesignInput } from '../../../protocol/index.ts';

/** By name; '' is not given. A boolean is 'true' or 'false'. */
export type RawValues = Readonly<Record<string, string>>;

export type Inputs = Readonly<Record<string, DesignInput>>;

/** Whether a run must give it. */
export function isRequired({ required, default: preset }: DesignInput): boolean {
  return required ?? preset === undefined;
}

export interface ReadValues {
  /** What a run is sent. */
  readonly values: Record<string, string | number | boolean>;
  /** By name: what was expected. */
  readonly faults: Readonly<Record<string, string>>;
}

export function readValues(inputs: Inputs, raw: RawValues): ReadValues {
  const values: ReadValues['values'] = {};
  const faults: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const text = raw[name] ?? '';
    const fault = text.trim() === '' ? (isRequired(input) ? 'Expected a value.' : undefined) : faultOf(input, text);
    if (fault !== undefined) faults[name] = fault;
    else if (text.trim() !== '') values[name] = typed(input, text);
  }
  return { values, faults };
}

function typed({ type }: DesignInput, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true';
  return type === 'number' ? Number(text) : text;
}

function faultOf(input: DesignInput, text: string): string | undefined {
  if (input.type === 'boolean') return undefined;
  if (input.type === 'number' && !Number.isFinite(Number(text))) return 'Expected a number.';
  const size = input.type === 'number' ? Number(text) : text.length;
  const unit = input.type === 'number' ? '' : ' characters';
  if (input.min !== undefined && size < input.min) return `Expected at least ${input.min}${unit}.`;
  if (input.max !== undefined && size > input.max) return `Expected at most ${input.max}${unit}.`;
  return undefined;
}

/** Values that were kept, as a form shows them. */
export function rawOf(values: Readonly<Record<string, unknown>>): RawValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** What the form begins with: the defaults. */
export function presetsOf(inputs: Inputs): RawValues {
  const presets = Object.entries(inputs).filter(([, { default: preset }]) => preset !== undefined);
  return Object.fromEntries(presets.map(([name, { default: preset }]) => [name, String(preset)]));
}
