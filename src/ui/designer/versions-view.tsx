/** Published versions of a design, and a comparison of any two of them or the draft. */
import { useState } from 'preact/hooks';
import type { Design, DesignRecord, DesignVersions } from '../../../protocol/index.ts';
import { SelectField } from '../components/field.tsx';
import { formatAgo, formatDateTime } from '../components/format.ts';
import { EmptyState } from '../dashboard/empty-state.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { ScrollRegion } from '../dashboard/scroll-region.tsx';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { designOf } from './design-form.ts';
import { type DiffRow, diffLines } from './line-diff.ts';

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
          <SelectField label="Left" value={left} onChange={(event) => setLeft(event.currentTarget.value)}>
            {options}
          </SelectField>
          <SelectField label="Right" value={right} onChange={(event) => setRight(event.currentTarget.value)}>
            {options}
          </SelectField>
        </div>
        <Differences before={designNamed(left)} after={designNamed(right)} names={[nameText(left), nameText(right)]} />
      </section>
    </>
  );
}

interface DifferencesProps {
  readonly before: Design;
  readonly after: Design;
  readonly names: readonly [string, string];
}

function Differences({ before, after, names }: DifferencesProps) {
  const parts = partsOf.map(([title, read]) => ({ title, rows: diffLines(read(before), read(after)) }));
  const changed = parts.filter(({ rows }) => rows.some(({ isSame }) => !isSame));
  if (changed.length === 0) return <p class="page-about">No differences</p>;
  return (
    <>
      {changed.map(({ title, rows }) => (
        <ScrollRegion key={title} label={`${title}: ${names.join(' and ')}`}>
          <table class="diff">
            <caption>{title}</caption>
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <DiffLine key={at} row={row} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ))}
    </>
  );
}

function DiffLine({ row: { before, after, isSame } }: { readonly row: DiffRow }) {
  return (
    <tr>
      <td class={isSame || before === undefined ? '' : 'diff-removed'}>
        {!isSame && before !== undefined && <span class="visually-hidden">removed: </span>}
        {before}
      </td>
      <td class={isSame || after === undefined ? '' : 'diff-added'}>
        {!isSame && after !== undefined && <span class="visually-hidden">added: </span>}
        {after}
      </td>
    </tr>
  );
}

const asJson = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** The parts that are compared, each as text. */
const partsOf: readonly (readonly [string, (design: Design) => string])[] = [
  ['Name', ({ name }) => name],
  ['Description', ({ description }) => description ?? ''],
  ['Prompt', ({ prompt }) => prompt],
  ['Inputs', ({ inputs }) => asJson(inputs)],
  ['Answer', ({ output_format }) => asJson(output_format) || 'Text with citations'],
  ['Effort', ({ effort }) => effort],
  ['Sources', ({ source_whitelist, source_blacklist }) => asJson(source_whitelist ?? source_blacklist)],
  ['Budget', ({ max }) => asJson(max)],
  ['Examples', ({ examples }) => asJson(examples)],
];
