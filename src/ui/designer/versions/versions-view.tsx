/** Published versions of a design: compared with each other and the draft, restored into it, and retired. */

import { useState } from 'preact/hooks';
import type { Design, DesignRecord, DesignVersions } from '../../../../protocol/index.ts';
import { SelectField } from '../../components/field.tsx';
import { EmptyState } from '../../dashboard/empty-state.tsx';
import { loadAll } from '../../dashboard/load-all.ts';
import { LoadedView } from '../../dashboard/loaded-view.tsx';
import { useLoad } from '../../dashboard/use-load.ts';
import { t } from '../../language/designer/text.ts';
import { fill } from '../../language/message.ts';
import { designOf } from '../design-form.ts';
import { DifferenceView } from '../difference/difference-view.tsx';
import { VersionRows } from './version-rows.tsx';

interface VersionsViewProps {
  readonly record: DesignRecord;
  readonly onRestored: (record: DesignRecord) => void;
  /** Called once a version is retired, or offered again. */
  readonly onListed: () => void;
}

export function VersionsView({ record, onRestored, onListed }: VersionsViewProps) {
  const loaded = useLoad(
    () => loadAll<DesignVersions['items'][number]>(`/v1/design-api/${record.api_id}/versions?limit=100`),
    [record.api_id, record.published_version],
  );
  return (
    <LoadedView loaded={loaded}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState title={t.versions.none}>
            <p>{t.versions.noneAbout}</p>
          </EmptyState>
        ) : (
          <>
            <p class="page-about">{t.versions.about}</p>
            <VersionRows
              record={record}
              versions={items}
              onRestored={onRestored}
              onListed={() => {
                loaded.reload();
                onListed();
              }}
            />
            <Compare draft={designOf(record)} versions={items} />
          </>
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
  const choices = [
    { name: 'draft', title: t.versions.draft, design: draft },
    ...versions.map(({ api_stub, version, design }) => ({
      name: `${api_stub}/${version}`,
      title:
        api_stub === draft.api_stub
          ? fill(t.versions.version, { version })
          : fill(t.versions.versionOf, { version, stub: api_stub }),
      design,
    })),
  ];
  const [from, setFrom] = useState((choices[2] ?? choices[1]!).name);
  const [to, setTo] = useState((choices[2] === undefined ? choices[0] : choices[1])!.name);
  const designNamed = (name: string) => choices.find((choice) => choice.name === name)?.design ?? draft;
  const options = choices.map(({ name, title }) => (
    <option key={name} value={name}>
      {title}
    </option>
  ));
  return (
    <section aria-label={t.versions.compare}>
      <h2>{t.versions.compare}</h2>
      <div class="compare-choose">
        <SelectField label={t.versions.from} value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
          {options}
        </SelectField>
        <SelectField label={t.versions.to} value={to} onChange={(event) => setTo(event.currentTarget.value)}>
          {options}
        </SelectField>
      </div>
      <DifferenceView before={designNamed(from)} after={designNamed(to)} none={t.versions.same} />
    </section>
  );
}
