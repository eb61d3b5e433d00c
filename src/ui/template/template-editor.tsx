/**
 * Edits a template, field by field or as JSON, and lists its issues. A field without a name is one only once the user has left
 * it, or has tried to use the template: before, the name is still to be typed.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OutputFormat } from '../../../protocol/index.ts';
import { Button, IconButton } from '../components/button.tsx';
import { AreaField } from '../components/field.tsx';
import { CloseIcon, PlusIcon } from '../components/icons.tsx';
import { Tabs } from '../components/tabs.tsx';
import './template.css';
import { fill } from '../language/message.ts';
import { t } from '../language/text.ts';
import {
  allRows,
  duplicateRows,
  isNameless,
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
  /** Counts the attempts to use the template while it is invalid: each shows and focuses what is to be done. */
  readonly attempts: number;
}

const tabs = { fields: t.template.fields, json: t.template.json } as const;

export function TemplateEditor({ template, onChange, attempts }: TemplateEditorProps) {
  const [tab, setTab] = useState<keyof typeof tabs>('fields');
  const [rows, setRows] = useState<readonly Row[]>(() => (template === undefined ? [newRow()] : rowsOf(template)));
  /** The JSON as it was typed; undefined once a field has changed since. */
  const [typed, setTyped] = useState<string>();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const root = useRef<HTMLDivElement>(null);
  const seen = useRef(attempts);
  const wasLeft = ({ key }: Row) => left.has(key);
  const duplicates = duplicateRows(rows);
  const text = typed ?? JSON.stringify(templateOf(rows), null, 2);
  const read = tab === 'json' ? readTemplate(text) : undefined;
  const issues = read === undefined ? rowIssues(rows, wasLeft) : 'issues' in read ? read.issues : [];

  useEffect(() => {
    if (attempts === seen.current) return;
    seen.current = attempts;
    setLeft(new Set(allRows(rows).map(({ key }) => key)));
    const fields = [...root.current!.querySelectorAll<HTMLInputElement>('.template-row input, textarea')];
    const nameless = fields.find(({ value }) => value.trim() === '');
    (nameless ?? fields.find((field) => field.ariaInvalid === 'true') ?? fields[0])?.focus();
  }, [attempts]);

  const said = issues.join();
  // Where the editor scrolls, they may be out of sight.
  useEffect(() => {
    if (attempts > 0 && said !== '')
      root.current!.querySelector('.template-issues')?.scrollIntoView({ block: 'nearest' });
  }, [attempts, said]);

  const changeRows = (next: readonly Row[]) => {
    setRows(next);
    setTyped(undefined);
    onChange(templateOfRows(next));
  };
  const changeText = (next: string) => {
    setTyped(next);
    const read = templateOfText(next);
    if (read !== undefined) setRows(rowsOf(read));
    onChange(read);
  };
  // What is shown is what is used: one of the two may be valid while the other is not.
  const choose = (next: keyof typeof tabs) => {
    setTab(next);
    onChange(next === 'json' ? templateOfText(text) : templateOfRows(rows));
  };

  return (
    <div class="template" ref={root}>
      <Tabs label={t.template.label} tabs={tabs} chosen={tab} onChoose={choose}>
        {tab === 'fields' ? (
          <RowList
            rows={rows}
            onChange={changeRows}
            wasLeft={wasLeft}
            isDuplicate={({ key }) => duplicates.has(key)}
            onLeave={({ key }) => setLeft((before) => new Set(before).add(key))}
          />
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

/** Undefined while they are invalid. */
function templateOfRows(rows: readonly Row[]): OutputFormat | undefined {
  return rowIssues(rows).length === 0 ? templateOf(rows) : undefined;
}

function templateOfText(text: string): OutputFormat | undefined {
  const read = readTemplate(text);
  return 'template' in read ? read.template : undefined;
}

interface Leaving {
  /** Whether the user was at this row and left it without a name. */
  readonly wasLeft: (row: Row) => boolean;
  readonly isDuplicate: (row: Row) => boolean;
  readonly onLeave: (row: Row) => void;
}

interface RowListProps extends Leaving {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

function RowList({ rows, onChange, ...leaving }: RowListProps) {
  const [added, setAdded] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const change = (key: number, next: Partial<Row>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  const add = () => {
    const row = newRow();
    setAdded(row.key);
    onChange([...rows, row]);
  };
  return (
    <div class="template-rows" ref={list}>
      {rows.map((row) => (
        <RowFields
          key={row.key}
          row={row}
          isAdded={row.key === added}
          onChange={(next) => change(row.key, next)}
          onRemove={() => {
            onChange(rows.filter(({ key }) => key !== row.key));
            // The button goes with the field.
            list.current?.querySelector<HTMLElement>(':scope > .template-add')?.focus();
          }}
          {...leaving}
        />
      ))}
      <Button look="quiet" class="template-add" onClick={add}>
        <PlusIcon size={16} /> {t.template.add}
      </Button>
    </div>
  );
}

interface RowFieldsProps extends Leaving {
  readonly row: Row;
  /** Whether it was just added by its user, who then types its name. */
  readonly isAdded: boolean;
  readonly onChange: (next: Partial<Row>) => void;
  readonly onRemove: () => void;
}

function RowFields({ row, isAdded, onChange, onRemove, wasLeft, isDuplicate, onLeave }: RowFieldsProps) {
  const { name, kind, rows } = row;
  const field = useRef<HTMLInputElement>(null);
  const hasRows = kind === 'object' || kind === 'array';
  const chooseKind = (next: RowKind) => {
    const needsRows = (next === 'object' || next === 'array') && rows.length === 0;
    onChange({ kind: next, ...(needsRows ? { rows: [newRow()] } : {}) });
  };
  useEffect(() => {
    if (isAdded) field.current?.focus();
  }, []);
  return (
    <>
      <div
        class="template-row"
        onFocusOut={({ currentTarget, relatedTarget }) => {
          if (isNameless(row) && !currentTarget.contains(relatedTarget as Node | null)) onLeave(row);
        }}
      >
        <input
          ref={field}
          class="input"
          aria-label={t.template.name}
          aria-invalid={(isNameless(row) && wasLeft(row)) || isDuplicate(row) ? true : undefined}
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
          <RowList
            rows={rows}
            onChange={(next) => onChange({ rows: next })}
            wasLeft={wasLeft}
            isDuplicate={isDuplicate}
            onLeave={onLeave}
          />
        </div>
      )}
    </>
  );
}
