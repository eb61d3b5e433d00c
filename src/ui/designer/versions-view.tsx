/** Published versions of a design, and a comparison of any two of them or the draft. */
import { useState } from 'preact/hooks';
import type { Design, DesignRecord, DesignVersions } from '../../../protocol/index.ts';
import { SelectField } from '../components/field.tsx';
import { formatAgo, formatDateTime } from '../components/format.ts';
import { EmptyState } from '../dashboard/empty-state.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { designOf } from './design-form.ts';
import { DifferenceView } from './difference/difference-view.tsx';

export function VersionsView({ record }: { readonly record: DesignRecord }) {
  const loaded = useLoad(
    () => call<DesignVersions>('GET', `/v1/design-api/${record.api_id}/versions?limit=100`),
    [record.api_id, record.published_version],
  );
  return (
    <LoadedView loaded={loaded}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState title="No published versions yet">
            <p>Versions you publish appear here, where you can compare them.</p>
          </EmptyState>
        ) : (
          <Compare draft={designOf(record)} versions={items} />
        )
      }
    </LoadedView>
  );
}

interface CompareProps {
  readonly draft: Design;
  readonly versions: DesignVersions['items'];
}

function Compare({ draft, versions }: CompareProps) {
  const names = ['draft', ...versions.map(({ version }) => String(version))];
  const [left, setLeft] = useState(names[2] ?? names[1]!);
  const [right, setRight] = useState(names[2] === undefined ? 'draft' : names[1]!);
  const designNamed = (name: string) => versions.find(({ version }) => String(version) === name)?.design ?? draft;
  const nameText = (name: string) => (name === 'draft' ? 'Draft' : `Version ${name}`);
  const options = names.map((name) => (
    <option key={name} value={name}>
      {nameText(name)}
    </option>
  ));
  return (
    <>
      <ul class="rows" aria-label="Versions">
        {versions.map(({ version, published_at, content_hash }) => (
          <li key={version} class="row">
            <span class="row-title">Version {version}</span>
            <span class="row-about">
              <span title={formatDateTime(published_at)}>published {formatAgo(published_at)}</span>
              <code title="SHA-256 of the published design">{content_hash.slice(0, 12)}</code>
            </span>
          </li>
        ))}
      </ul>
      <section aria-label="Compare versions">
        <h2>Compare versions</h2>
        <div class="compare-choose">
          <SelectField label="From" value={left} onChange={(event) => setLeft(event.currentTarget.value)}>
            {options}
          </SelectField>
          <SelectField label="To" value={right} onChange={(event) => setRight(event.currentTarget.value)}>
            {options}
          </SelectField>
        </div>
        <DifferenceView before={designNamed(left)} after={designNamed(right)} none="No differences" />
      </section>
    </>
  );
}
