/** The fields of a design: name and path, prompt and inputs, output, and how it is researched. */

import { useRef, useState } from 'preact/hooks';
import type { Design, OutputFormat, ValidationError } from '../../../protocol/index.ts';
import { readPromptTemplate } from '../../../protocol/prompt-template.ts';
import { AreaField, Field } from '../components/field.tsx';
import { SegmentedControl } from '../dashboard/segmented-control.tsx';
import { t } from '../language/designer/text.ts';
import { issueSentence } from '../language/server-text.ts';
import { TemplateEditor } from '../template/template-editor.tsx';
import { issueOf, stubFrom, without, withPrompt } from './design-form.ts';
import { InputEditor } from './input-editor.tsx';
import { ResearchFields } from './research-fields.tsx';

interface DesignFieldsProps {
  readonly design: Design;
  /** Whether programs may call it by its path already. */
  readonly isSaved: boolean;
  readonly issues: readonly ValidationError[];
  readonly onChange: (design: Design) => void;
  /** Called with false while the form shows something that the design cannot hold, such as an incomplete template. */
  readonly onWhole: (isWhole: boolean) => void;
  /** Counts the attempts to use the design while the form is not whole. */
  readonly attempts: number;
}

export function DesignFields({ design, isSaved, issues, onChange, onWhole, attempts }: DesignFieldsProps) {
  const { name, api_stub, description, prompt, inputs } = design;
  const seen = useRef(inputs);
  seen.current = { ...seen.current, ...inputs };
  const [fault] = readPromptTemplate(prompt).faults;
  const promptError = fault === undefined ? undefined : issueSentence(fault);
  const setName = (next: string) => {
    const followsName = !isSaved && (api_stub === '' || api_stub === stubFrom(name));
    onChange({ ...design, name: next, ...(followsName ? { api_stub: stubFrom(next) } : {}) });
  };
  return (
    <>
      <fieldset class="form-part">
        <legend>{t.form.general}</legend>
        <Field
          label={t.form.name}
          value={name}
          required
          maxLength={100}
          autocomplete="off"
          error={issueOf(issues, 'name')}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Field
          label={t.form.path}
          value={api_stub}
          required
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          hint={`/v1/user-defined-service/${api_stub || '…'}`}
          error={issueOf(issues, 'api_stub')}
          onInput={(event) => onChange({ ...design, api_stub: event.currentTarget.value })}
        />
        <AreaField
          label={t.form.description}
          value={description ?? ''}
          rows={2}
          maxLength={2000}
          placeholder={t.form.descriptionPlaceholder}
          error={issueOf(issues, 'description')}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange(text === '' ? without(design, 'description') : { ...design, description: text });
          }}
        />
      </fieldset>
      <fieldset class="form-part">
        <legend>{t.form.promptAndInputs}</legend>
        <AreaField
          label={t.form.prompt}
          value={prompt}
          rows={4}
          required
          placeholder={t.form.promptPlaceholder}
          hint={t.form.promptHint}
          error={promptError ?? issueOf(issues, 'prompt')}
          onInput={(event) => onChange(withPrompt(design, event.currentTarget.value, seen.current))}
        />
        {Object.entries(inputs).map(([input, about]) => (
          <InputEditor
            key={input}
            name={input}
            input={about}
            error={issueOf(issues, 'inputs', input)}
            onChange={(next) => onChange({ ...design, inputs: { ...inputs, [input]: next } })}
          />
        ))}
      </fieldset>
      <AnswerFields design={design} onChange={onChange} onWhole={onWhole} attempts={attempts} />
      <ResearchFields design={design} issues={issues} onChange={onChange} />
    </>
  );
}

function AnswerFields({ design, onChange, onWhole, attempts }: Omit<DesignFieldsProps, 'issues' | 'isSaved'>) {
  const [shape, setShape] = useState<'text' | 'template'>(design.output_format === undefined ? 'text' : 'template');
  /** What the editor has, which stays while text is chosen. */
  const edited = useRef(design.output_format);
  const wasEdited = useRef(shape === 'template');
  const use = (output_format: OutputFormat | undefined) => {
    onWhole(output_format !== undefined);
    if (output_format !== undefined) onChange({ ...design, output_format });
  };
  const choose = (next: 'text' | 'template') => {
    setShape(next);
    if (next === 'template') {
      wasEdited.current = true;
      use(edited.current);
      return;
    }
    onWhole(true);
    onChange(without(design, 'output_format'));
  };
  return (
    <fieldset class="form-part">
      <legend>{t.form.output}</legend>
      <SegmentedControl
        label={t.form.format}
        choices={{ text: t.form.text, template: t.form.structured }}
        chosen={shape}
        onChoose={choose}
      />
      {wasEdited.current && (
        <div hidden={shape === 'text'}>
          <TemplateEditor
            template={edited.current}
            attempts={attempts}
            onChange={(next) => {
              edited.current = next;
              use(next);
            }}
          />
        </div>
      )}
    </fieldset>
  );
}
