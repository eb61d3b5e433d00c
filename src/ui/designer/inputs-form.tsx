/** A form generated from the inputs of an API. */

import { useEffect, useRef } from 'preact/hooks';
import type { DesignInput } from '../../../protocol/index.ts';
import { isRequired } from '../../../protocol/is-required.ts';
import { Field, SelectField } from '../components/field.tsx';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';
import type { Inputs, RawValues } from './input-values.ts';

interface InputsFormProps {
  readonly inputs: Inputs;
  readonly values: RawValues;
  readonly onChange: (values: RawValues) => void;
  /** By name. */
  readonly errors: Readonly<Record<string, string>>;
  /** Counts the attempts to send the values; errors are shown after the first, and each leads to the first invalid one. */
  readonly attempts: number;
}

export function InputsForm({ inputs, values, onChange, errors, attempts }: InputsFormProps) {
  const names = Object.keys(inputs);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  if (names.length === 0) return <p class="page-about">{t.try.noInputs}</p>;
  return (
    <div class="inputs-form" ref={fields}>
      {names.map((name) => (
        <InputField
          key={name}
          name={name}
          input={inputs[name]!}
          value={values[name] ?? ''}
          error={attempts > 0 ? errors[name] : undefined}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  );
}

interface InputFieldProps {
  readonly name: string;
  readonly input: DesignInput;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function InputField({ name, input, value, error, onChange }: InputFieldProps) {
  const shared = {
    label: isRequired(input) ? name : fill(t.try.optional, { name }),
    hint: input.description ?? hintOf(input),
    error,
    value,
  };
  const choices = choicesOf(input);
  if (choices !== undefined) {
    return (
      <SelectField {...shared} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{emptyLabel(input)}</option>
        {choices.map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <Field
      {...shared}
      inputMode={input.type === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Label of the empty option. */
function emptyLabel(input: DesignInput): string {
  if (isRequired(input)) return t.try.choose;
  const { default: preset } = input;
  if (typeof preset === 'boolean') return fill(t.try.default, { value: preset ? t.input.yes : t.input.no });
  return preset === undefined ? t.try.noValue : fill(t.try.default, { value: String(preset) });
}

function choicesOf(input: DesignInput): [string, string][] | undefined {
  if (input.type === 'boolean') {
    return [
      ['true', t.input.yes],
      ['false', t.input.no],
    ];
  }
  return input.enum?.map((value) => [String(value), String(value)]);
}

function hintOf(input: DesignInput): string | undefined {
  if (input.type === 'boolean' || input.enum !== undefined) return undefined;
  const { type, min, max } = input;
  const isNumber = type === 'number';
  const parts = [
    ...(isNumber ? [t.try.isNumber] : []),
    ...(min === undefined ? [] : [fill(isNumber ? t.try.atLeast : t.try.atLeastLong, { limit: String(min) })]),
    ...(max === undefined ? [] : [fill(isNumber ? t.try.atMost : t.try.atMostLong, { limit: String(max) })]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}
