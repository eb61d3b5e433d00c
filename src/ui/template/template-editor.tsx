/** Edits a template, field by field or as JSON, and lists its issues. */
import { useState } from 'preact/hooks';
import type { OutputFormat } from '../../../protocol/index.ts';
import { Button, IconButton } from '../components/button.tsx';
import { AreaField } from '../components/field.tsx';
import { CloseIcon, PlusIcon } from '../components/icons.tsx';
import { Tabs } from '../components/tabs.tsx';
import './template.css';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';
import {
  newRow,
  type Row,
  type RowKind,
  readTemplate,
  rowIssues,
  rowKinds,
  rowsOf,
  templateOf,
} from './template-rows.ts';

export interface TemplateEditorProps {
  readonly template: OutputFormat | undefined;
  /** Called on every change with the template, or undefined while it is invalid. */
  readonly onChange: (template: OutputFormat | undefined) => void;
}

const tabs = { fields: t.template.fields, json: t.template.json } as const;

export function TemplateEditor({ template, onChange }: TemplateEditorProps) {
  const [tab, setTab] = useState<keyof typeof tabs>('fields');
  const [rows, setRows] = useState<readonly Row[]>(() => (template === undefined ? [newRow()] : rowsOf(template)));
  const [text, setText] = useState('');
  const read = tab === 'json' ? readTemplate(text) : undefined;
  const issues = read === undefined ? rowIssues(rows) : 'issues' in read ? read.issues : [];

  const changeRows = (next: readonly Row[]) => {
    setRows(next);
    onChange(rowIssues(next).length === 0 ? templateOf(next) : undefined);
  };
  const changeText = (next: string) => {
    setText(next);
    const result = readTemplate(next);
    if ('template' in result) setRows(rowsOf(result.template));
    onChange('template' in result ? result.template : undefined);
  };
  const choose = (next: keyof typeof tabs) => {
    if (next === 'json') setText(JSON.stringify(templateOf(rows), null, 2));
    setTab(next);
  };

  return (
    <div class="template">
      <Tabs label={t.template.label} tabs={tabs} chosen={tab} onChoose={choose}>
        {tab === 'fields' ? (
          <RowList rows={rows} onChange={changeRows} />
        ) : (
          <AreaField
            label={t.template.template}
            hint={t.template.hint}
            rows={8}
            spellcheck={false}
            value={text}
            onInput={(event) => changeText(event.currentTarget.value)}
          />
        )}
      </Tabs>
      <ul class="template-issues" aria-live="polite">
        {issues.slice(0, 4).map((issue) => (
          <li key={issue} class="field-error">
            {issue}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RowListProps {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

function RowList({ rows, onChange }: RowListProps) {
  const change = (key: number, next: Partial<Row>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  return (
    <div class="template-rows">
      {rows.map((row) => (
        <RowFields
          key={row.key}
          row={row}
          onChange={(next) => change(row.key, next)}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Button look="quiet" class="template-add" onClick={() => onChange([...rows, newRow()])}>
        <PlusIcon size={16} /> {t.template.add}
      </Button>
    </div>
  );
}

interface RowFieldsProps {
  readonly row: Row;
  readonly onChange: (next: Partial<Row>) => void;
  readonly onRemove: () => void;
}

function RowFields({ row, onChange, onRemove }: RowFieldsProps) {
  const { name, kind, rows } = row;
  const hasRows = kind === 'object' || kind === 'array';
  const chooseKind = (next: RowKind) => {
    const needsRows = (next === 'object' || next === 'array') && rows.length === 0;
    onChange({ kind: next, ...(needsRows ? { rows: [newRow()] } : {}) });
  };
  return (
    <>
      <div class="template-row">
        <input
          class="input"
          aria-label={t.template.name}
          placeholder={t.template.namePlaceholder}
          value={name}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
        <select
          class="input"
          aria-label={fill(t.template.typeOf, { name: name || t.template.unnamed })}
          value={kind}
          onChange={(event) => chooseKind(event.currentTarget.value as RowKind)}
        >
          {Object.entries(rowKinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <IconButton label={fill(t.template.remove, { name: name || t.template.unnamed })} onClick={onRemove}>
          <CloseIcon size={16} />
        </IconButton>
      </div>
      {hasRows && (
        <div class="template-nested">
          <RowList rows={rows} onChange={(next) => onChange({ rows: next })} />
        </div>
      )}
    </>
  );
}
