/** A structured answer while it grows: every value with its citations, or the reason why it is missing. */
import type { StructuredObject, StructuredValue } from '../../../../protocol/index.ts';
import type { LeafEvidence, SearchState } from '../../../client/client.ts';
import { Marker } from './citation-markers.tsx';

type Shown = Pick<SearchState, 'output' | 'evidence' | 'citations' | 'sources'>;

export function StructuredAnswer({ search }: { readonly search: Shown }) {
  return (
    <div class="structured">
      <Fields fields={search.output} path="" search={search} />
    </div>
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
        const below = `${path}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
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
    if (value.length === 0) return <span class="leaf-none">None found</span>;
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

function Leaf({ value, path, search }: NodeProps<string | number | boolean | null>) {
  const evidence = search.evidence.find((leaf) => leaf.path === path);
  const ids = new Set(evidence?.citations);
  const citations = search.citations.filter(({ id }) => ids.has(id));
  const numbers = [...new Set(citations.map(({ n }) => n))];
  return (
    <span class="leaf">
      {value === null ? (
        <span class="leaf-none">{evidence?.reason ?? 'Not in the sources'}</span>
      ) : (
        <span class={`leaf-value leaf-${typeof value}`}>{valueText(value)}</span>
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
      {evidence !== undefined && value !== null && <Confidence evidence={evidence} />}
    </span>
  );
}

const confidenceLabels = {
  found: '',
  inferred: 'inferred',
  not_found: 'not in the sources',
  conflict: 'sources disagree',
} as const;

function Confidence({ evidence: { status, confidence } }: { readonly evidence: LeafEvidence }) {
  const label = confidenceLabels[status];
  const percent = `${Math.round(100 * confidence)}%`;
  return (
    <span class={`leaf-certainty leaf-${status}`} title={`Confidence: ${percent}`}>
      {label === '' ? percent : `${label}, ${percent}`}
    </span>
  );
}

function valueText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);
}

function isLeaf(value: StructuredValue): boolean {
  return typeof value !== 'object' || value === null;
}
