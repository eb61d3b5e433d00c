/** A structured answer while it grows: every value with its citations, or the reason why it is missing. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StructuredObject, StructuredValue } from '../../../../protocol/index.ts';
import type { LeafEvidence, SearchState } from '../../../client/client.ts';
import { formatShare } from '../../components/format.ts';
import { fill } from '../../language/message.ts';
import { describeSentence } from '../../language/server-text.ts';
import { t } from '../../language/text.ts';
import { Marker } from './citation-markers.tsx';

type Shown = Pick<SearchState, 'output' | 'evidence' | 'citations' | 'sources'>;

/** Readers see only what to doubt, authors of an API the confidence of every value. */
const IsEveryConfidenceShown = createContext(false);

interface StructuredAnswerProps {
  readonly search: Shown;
  readonly everyConfidence?: boolean;
}

export function StructuredAnswer({ search, everyConfidence = false }: StructuredAnswerProps) {
  return (
    <IsEveryConfidenceShown.Provider value={everyConfidence}>
      <div class="structured">
        <Fields fields={search.output} path="" search={search} />
      </div>
    </IsEveryConfidenceShown.Provider>
  );
}

interface NodeProps<Value> {
  readonly path: string;
  readonly search: Shown;
  readonly value: Value;
}

function Fields({ fields, path, search }: Omit<NodeProps<never>, 'value'> & { readonly fields: StructuredObject }) {
  return (
    <dl class="tree">
      {Object.entries(fields).map(([name, value]) => {
        const below = `${path}/${pointerPart(name)}`;
        return (
          <div key={name} class={isLeaf(value) ? 'tree-leaf' : 'tree-group'}>
            <dt>{name}</dt>
            <dd>
              <Value value={value} path={below} search={search} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Value({ value, path, search }: NodeProps<StructuredValue>) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="leaf-none">{t.structured.none}</span>;
    if (isTable(value)) return <Table rows={value} path={path} search={search} />;
    return (
      <ol class="tree-list">
        {value.map((element, index) => (
          <li key={index}>
            <Value value={element} path={`${path}/${index}`} search={search} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value === 'object' && value !== null) return <Fields fields={value} path={path} search={search} />;
  return <Leaf value={value} path={path} search={search} />;
}

/** A list of objects without anything nested: a column for each field, with the evidence in the cells. */
function Table({ rows, path, search }: Omit<NodeProps<never>, 'value'> & { readonly rows: readonly Row[] }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard
    <div class="tree-table" role="group" tabIndex={0} aria-label={t.structured.table}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {fields.map((field) => (
                <td key={field}>
                  {Object.hasOwn(row, field) && (
                    <Leaf value={row[field]!} path={`${path}/${index}/${pointerPart(field)}`} search={search} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Leaf({ value, path, search }: NodeProps<string | number | boolean | null>) {
  const evidence = search.evidence.find((leaf) => leaf.path === path);
  const ids = new Set(evidence?.citations);
  const citations = search.citations.filter(({ id }) => ids.has(id));
  const numbers = [...new Set(citations.map(({ n }) => n))];
  return (
    <span class="leaf">
      {value === null ? (
        <span class="leaf-none">
          {evidence?.reason === undefined ? t.structured.missing : describeSentence(evidence.reason)}
        </span>
      ) : (
        <bdi class={`leaf-value leaf-${typeof value}`}>{valueText(value)}</bdi>
      )}
      {numbers.map((n) => (
        <Marker
          key={n}
          claim={`leaf${path}`}
          n={n}
          citations={citations.filter((each) => each.n === n)}
          sources={search.sources}
        />
      ))}
      {evidence !== undefined && value !== null && <Confidence evidence={evidence} sources={numbers.length} />}
    </span>
  );
}

/** A value found with less confidence than this is marked. Set by hand: below what a model's value with its quote has. */
const minConfidence = 0.7;

/** Only what a reader should look at, if not every one: a value that was found in its source is not marked. */
function Confidence({ evidence, sources }: { readonly evidence: LeafEvidence; readonly sources: number }) {
  const isEveryShown = useContext(IsEveryConfidenceShown);
  const { status, confidence } = evidence;
  const percent = formatShare(confidence);
  const isLow = confidence < minConfidence;
  const label =
    status === 'inferred'
      ? t.structured.inferred
      : status === 'conflict'
        ? sources > 1
          ? t.structured.disagree
          : t.structured.differently
        : isLow
          ? t.structured.low
          : undefined;
  const confidenceText = fill(t.structured.confidence, { share: percent });
  if (label === undefined) return isEveryShown ? <span class="leaf-certainty">{confidenceText}</span> : null;
  return (
    <span class={`leaf-certainty leaf-${status}`} title={confidenceText}>
      {isLow || isEveryShown ? `${label}, ${percent}` : label}
    </span>
  );
}

type Row = { readonly [field: string]: string | number | boolean | null };

function isTable(list: readonly StructuredValue[]): list is readonly Row[] {
  return list.every((each) => !isLeaf(each) && !Array.isArray(each) && Object.values(each as object).every(isLeaf));
}

/** A field's name as a part of a JSON Pointer. */
function pointerPart(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

function valueText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? t.structured.yes : t.structured.no) : String(value);
}

function isLeaf(value: StructuredValue): boolean {
  return typeof value !== 'object' || value === null;
}
