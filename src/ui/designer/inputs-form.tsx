/** A form generated from the inputs of an API. */
import type { DesignInput } from '../../../protocol/index.ts';
import { Field, SelectField } from '../components/field.tsx';
import { type Inputs, isRequired, type RawValues } from './input-values.ts';

interface InputsFormProps {
  readonly inputs: Inputs;
  readonly values: RawValues;
  readonly onChange: (values: RawValues) => void;
  /** By name. */
  readonly errors?: Readonly<Record<string, string>>;
}

export function InputsForm({ inputs, values, onChange, errors = {} }: InputsFormProps) {
  const names = Object.keys(inputs);
  if (names.length === 0) return <p class="page-about">No inputs.</p>;
  return (
    <div class="inputs-form">
      {names.map((name) => (
        <InputField
          key={name}
          name={name}
          input={inputs[name]!}
          value={values[name] ?? ''}
          error={errors[name]}
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
    label: isRequired(input) ? name : `${name} (optional)`,
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
  if (isRequired(input)) return 'Choose…';
  const { default: preset } = input;
  if (typeof preset === 'boolean') return `Default: ${preset ? 'yes' : 'no'}`;
  return preset === undefined ? 'No value' : `Default: ${preset}`;
}

function choicesOf(input: DesignInput): [string, string][] | undefined {
  if (input.type === 'boolean') {
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  }
  return input.enum?.map((value) => [String(value), String(value)]);
}

function hintOf(input: DesignInput): string | undefined {
  if (input.type === 'boolean' || input.enum !== undefined) return undefined;
  const { type, min, max } = input;
  const unit = type === 'number' ? '' : ' characters';
  const parts = [
    ...(type === 'number' ? ['a number'] : []),
    ...(min === undefined ? [] : [`at least ${min}${unit}`]),
    ...(max === undefined ? [] : [`at most ${max}${unit}`]),
  ];
  const text = parts.join(', ');
  return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}
