/** A template as editable rows. Unlike an object, a list keeps its order while names change, and names may be missing. */
import type { OutputFormat, TemplateNode } from '../../../protocol/index.ts';
import { templateIssues } from '../../../protocol/template-issues.ts';
import { fill } from '../language/message.ts';
import { describeIssue, issueSentence } from '../language/server-text.ts';
import { t } from '../language/text.ts';
import { describeJsonError } from './json-error.ts';

export const rowKinds = {
  string: t.template.string,
  number: t.template.number,
  boolean: t.template.boolean,
  object: t.template.object,
  array: t.template.array,
  texts: t.template.texts,
  numbers: t.template.numbers,
} as const;
export type RowKind = keyof typeof rowKinds;

export interface Row {
  /** Unique among the rows being edited. */
  readonly key: number;
  readonly name: string;
  readonly kind: RowKind;
  /** Fields of a group, or of each element of a list. */
  readonly rows: readonly Row[];
}

let keys = 0;

export function newRow(name = '', kind: RowKind = 'string', rows: readonly Row[] = []): Row {
  return { key: (keys += 1), name, kind, rows };
}

export function rowsOf(template: OutputFormat): Row[] {
  return Object.entries(template).map(([name, node]) => {
    if (typeof node === 'string') return newRow(name, node);
    if (!Array.isArray(node)) return newRow(name, 'object', rowsOf(node));
    const [element] = node;
    if (element === 'string') return newRow(name, 'texts');
    return element === 'number' ? newRow(name, 'numbers') : newRow(name, 'array', rowsOf(element));
  });
}

export function templateOf(rows: readonly Row[]): OutputFormat {
  const nodeOf = ({ kind, rows }: Row): TemplateNode => {
    if (kind === 'array') return [templateOf(rows)];
    if (kind === 'texts') return ['string'];
    if (kind === 'numbers') return ['number'];
    return kind === 'object' ? templateOf(rows) : kind;
  };
  return Object.fromEntries(rows.map((row) => [row.name, nodeOf(row)]));
}

/**
 * Issues, one sentence each. Names are checked first, because a template object cannot hold duplicate names. A missing name is
 * shown only for the rows that `wasLeft`: by default all.
 */
export function rowIssues(rows: readonly Row[], wasLeft: (row: Row) => boolean = () => true): string[] {
  const named = nameIssues(rows, '');
  if (named.length === 0) return issuesOf(templateOf(rows));
  const shown = named.filter(({ row }) => !isNameless(row) || wasLeft(row));
  return [...new Set(shown.map(({ text }) => text))];
}

export function isNameless({ name }: Row): boolean {
  return name.trim() === '';
}

/** The keys of the rows whose name another one before has. */
export function duplicateRows(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(nameIssues(rows, '').flatMap(({ row }) => (isNameless(row) ? [] : [row.key])));
}

/** All rows, with those within. */
export function allRows(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) => [row, ...allRows(row.rows)]);
}

function issuesOf(template: unknown): string[] {
  return templateIssues(template).map(({ path, message }) =>
    path.length === 0
      ? issueSentence(message)
      : fill(t.failures.detail, { title: path.join(' › '), detail: describeIssue(message) }),
  );
}

interface NameIssue {
  readonly row: Row;
  readonly text: string;
}

function nameIssues(rows: readonly Row[], above: string): NameIssue[] {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const { name, rows } = row;
    const place = `${above}${name}`;
    const isDuplicate = seen.has(name);
    seen.add(name);
    if (isNameless(row)) {
      const text = above === '' ? t.template.noName : fill(t.template.noNameIn, { group: above.slice(0, -3) });
      return [{ row, text }];
    }
    if (isDuplicate) return [{ row, text: fill(t.template.duplicate, { name: place }) }];
    return nameIssues(rows, `${place} › `);
  });
}

/** Parses a template from JSON text, or returns its issues. */
export function readTemplate(
  text: string,
): { readonly template: OutputFormat } | { readonly issues: readonly string[] } {
  let template: unknown;
  try {
    template = JSON.parse(text);
  } catch {
    return { issues: [describeJsonError(text)] };
  }
  const issues = issuesOf(template);
  return issues.length === 0 ? { template: template as OutputFormat } : { issues };
}
