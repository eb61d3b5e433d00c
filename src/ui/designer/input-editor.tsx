/** The settings of one input of a design: type, whether it is required, limits and choices. */

import type { DesignInput } from '../../../protocol/index.ts';
import { isRequired } from '../../../protocol/is-required.ts';
import { Field, SelectField } from '../components/field.tsx';
import { t } from '../language/designer/text.ts';
import { fill } from '../language/message.ts';
import { readNumber } from './input-values.ts';

interface InputEditorProps {
  readonly name: string;
  readonly input: DesignInput;
  readonly error: string | undefined;
  readonly onChange: (input: DesignInput) => void;
}

export function InputEditor({ name, input, error, onChange }: InputEditorProps) {
  const change = (next: Record<string, unknown>) => onChange(compact({ ...input, ...next }));
  const setType = (type: string) => {
    const { description, required } = input;
    onChange(compact({ type, description, required }));
  };
  const setRequired = (required: boolean) =>
    change(required ? { required: undefined, default: undefined } : { required });
  return (
    <fieldset class="input-editor">
      <legend>
        <code>{`{{${name}}}`}</code>
      </legend>
      <div class="input-editor-first">
        <SelectField
          label={fill(t.input.typeOf, { name })}
          value={input.type}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          <option value="string">{t.input.string}</option>
          <option value="number">{t.input.number}</option>
          <option value="boolean">{t.input.boolean}</option>
        </SelectField>
        <label class="check">
          <input
            type="checkbox"
            checked={isRequired(input)}
            onChange={(event) => setRequired(event.currentTarget.checked)}
          />
          {t.input.required}
        </label>
      </div>
      <Field
        label={fill(t.input.descriptionOf, { name })}
        value={input.description ?? ''}
        error={error}
        placeholder={t.input.descriptionPlaceholder}
        onInput={(event) => change({ description: event.currentTarget.value || undefined })}
      />
      <details class="more">
        <summary>{t.input.more}</summary>
        <div class="input-editor-more">
          {!isRequired(input) && <DefaultField name={name} input={input} onChange={change} />}
          {input.type !== 'boolean' && <Limits name={name} input={input} onChange={change} />}
        </div>
      </details>
    </fieldset>
  );
}

interface PartProps<Input = DesignInput> {
  readonly name: string;
  readonly input: Input;
  readonly onChange: (next: Record<string, unknown>) => void;
}

function DefaultField({ name, input, onChange }: PartProps) {
  const shown = input.default === undefined ? '' : String(input.default);
  const set = (text: string) => onChange({ default: valueFrom(input.type, text) });
  if (input.type === 'boolean') {
    return (
      <SelectField
        label={fill(t.input.defaultOf, { name })}
        value={shown}
        onChange={(event) => set(event.currentTarget.value)}
      >
        <option value="">{t.input.none}</option>
        <option value="true">{t.input.yes}</option>
        <option value="false">{t.input.no}</option>
      </SelectField>
    );
  }
  return (
    <Field
      label={fill(t.input.defaultOf, { name })}
      value={shown}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

function Limits({ name, input, onChange }: PartProps<Exclude<DesignInput, { type: 'boolean' }>>) {
  const { type, min, max, enum: choices } = input;
  const isText = type === 'string';
  const setChoices = (text: string) => {
    const values = text.split('\n').map((line) => valueFrom(type, line.trim()));
    const given = values.filter((value) => value !== undefined);
    onChange({ enum: given.length > 0 ? given : undefined });
  };
  return (
    <>
      <Field
        label={fill(isText ? t.input.minimumLength : t.input.minimum, { name })}
        inputMode="decimal"
        value={min ?? ''}
        onChange={(event) => onChange({ min: valueFrom('number', event.currentTarget.value) })}
      />
      <Field
        label={fill(isText ? t.input.maximumLength : t.input.maximum, { name })}
        inputMode="decimal"
        value={max ?? ''}
        onChange={(event) => onChange({ max: valueFrom('number', event.currentTarget.value) })}
      />
      <div class="field">
        <label for={`choices-${name}`}>{fill(t.input.choicesOf, { name })}</label>
        <textarea
          id={`choices-${name}`}
          class="input"
          rows={3}
          placeholder={t.input.choicesPlaceholder}
          value={choices?.join('\n') ?? ''}
          onChange={(event) => setChoices(event.currentTarget.value)}
        />
      </div>
    </>
  );
}

/** Undefined for blank text. An invalid number stays text, so that the server reports it. */
function valueFrom(type: DesignInput['type'], text: string): string | number | boolean | undefined {
  if (text.trim() === '') return undefined;
  if (type === 'boolean') return text === 'true';
  if (type === 'string') return text;
  const number = readNumber(text);
  return Number.isFinite(number) ? number : text;
}

function compact(input: Record<string, unknown>): DesignInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as unknown as DesignInput;
}
