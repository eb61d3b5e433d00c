/** A form made from what an API says of its inputs. */
import type { DesignInput } from '../../../protocol/index.ts';
import { Field, SelectField } from '../components/field.tsx';
import { type Inputs, isRequired, type RawValues } from './input-values.ts';

interface InputsFormProps {
  readonly inputs: Inputs;
  readonly values: RawValues;
  readonly onChange: (values: RawValues) => void;
  /** By name. */
  readonly faults?: Readonly<Record<string, string>>;
}

export function InputsForm({ inputs, values, onChange, faults = {} }: InputsFormProps) {
  const names = Object.keys(inputs);
  if (names.length === 0) return <p class="page-about">It takes no inputs.</p>;
  return (
    <div class="inputs-form">
      {names.map((name) => (
        <InputField
          key={name}
          name={name}
          input={inputs[name]!}
          value={values[name] ?? ''}
          fault={faults[name]}
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
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

function InputField({ name, input, value, fault, onChange }: InputFieldProps) {
  const shared = {
    label: isRequired(input) ? name : `${name} (optional)`,
    hint: input.description ?? hintOf(input),
    error: fault,
    value,
  };
  const choices = choicesOf(input);
  if (choices !== undefined) {
    return (
      <SelectField {...shared} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{emptyWords(input)}</option>
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
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

/** What it means to choose nothing. */
function emptyWords(input: DesignInput): string {
  if (isRequired(input)) return 'Choose…';
  const { default: preset } = input;
  if (typeof preset === 'boolean') return `Not given: ${preset ? 'yes' : 'no'}`;
  return preset === undefined ? 'Not given' : `Not given: ${preset}`;
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
