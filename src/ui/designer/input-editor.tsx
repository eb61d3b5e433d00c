/** The settings of one input of a design: type, whether it is required, limits and choices. */
import type { DesignInput } from '../../../protocol/index.ts';
import { Field, SelectField } from '../components/field.tsx';
import { isRequired } from './input-values.ts';

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
          label={`Type of ${name}`}
          value={input.type}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          <option value="string">Text</option>
          <option value="number">Number</option>
          <option value="boolean">Yes or no</option>
        </SelectField>
        <label class="check">
          <input
            type="checkbox"
            checked={isRequired(input)}
            onChange={(event) => setRequired(event.currentTarget.checked)}
          />
          Required
        </label>
      </div>
      <Field
        label={`Description of ${name}`}
        value={input.description ?? ''}
        error={error}
        placeholder="Shown to callers of the API"
        onInput={(event) => change({ description: event.currentTarget.value || undefined })}
      />
      <details class="more">
        <summary>Default, limits and choices</summary>
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
      <SelectField label={`Default of ${name}`} value={shown} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">None</option>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </SelectField>
    );
  }
  return <Field label={`Default of ${name}`} value={shown} onChange={(event) => set(event.currentTarget.value)} />;
}

function Limits({ name, input, onChange }: PartProps<Exclude<DesignInput, { type: 'boolean' }>>) {
  const { type, min, max, enum: choices } = input;
  const unit = type === 'string' ? ' characters' : '';
  const setChoices = (text: string) => {
    const values = text.split('\n').map((line) => valueFrom(type, line.trim()));
    const given = values.filter((value) => value !== undefined);
    onChange({ enum: given.length > 0 ? given : undefined });
  };
  return (
    <>
      <Field
        label={`Minimum${unit} of ${name}`}
        inputMode="decimal"
        value={min ?? ''}
        onChange={(event) => onChange({ min: valueFrom('number', event.currentTarget.value) })}
      />
      <Field
        label={`Maximum${unit} of ${name}`}
        inputMode="decimal"
        value={max ?? ''}
        onChange={(event) => onChange({ max: valueFrom('number', event.currentTarget.value) })}
      />
      <div class="field">
        <label for={`choices-${name}`}>Choices of {name}</label>
        <textarea
          id={`choices-${name}`}
          class="input"
          rows={3}
          placeholder="Allowed values, one per line"
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
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

function compact(input: Record<string, unknown>): DesignInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as unknown as DesignInput;
}
