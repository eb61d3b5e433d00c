/** One published API: inputs and output of each version, and a form to call it. */

import { useState } from 'preact/hooks';
import type { PublishedApi } from '../../../protocol/index.ts';
import { samplePublishedCalls } from '../../../protocol/sample-published-calls.ts';
import { Button } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { formatAgo } from '../components/format.ts';
import { Tabs } from '../components/tabs.tsx';
import { Badge } from '../dashboard/badge.tsx';
import { CopyText } from '../dashboard/copy-text.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { PageHead } from '../dashboard/page-head.tsx';
import { type Language, languages } from '../dashboard/playground/samples.ts';
import { Link } from '../dashboard/router.tsx';
import { ScrollRegion } from '../dashboard/scroll-region.tsx';
import { call } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { t as shared } from '../language/dashboard/text.ts';
import { t } from '../language/designer/text.ts';
import { fill, rich } from '../language/message.ts';
import { presetsOf, type RawValues, rawOf, readValues } from './input-values.ts';
import { InputsForm } from './inputs-form.tsx';
import { nameOfPlace } from './place-names.ts';
import { Evidence } from './try/evidence.tsx';
import { RunView } from './try/run-view.tsx';
import { useRun } from './try/use-run.ts';
import './designer.css';

type Version = PublishedApi['versions'][number];

export function ApiPage({ stub }: { readonly stub: string }) {
  const loaded = useLoad(() => call<PublishedApi>('GET', `/v1/published-service/${encodeURIComponent(stub)}`), [stub]);
  return (
    <>
      <nav class="crumbs" aria-label={shared.common.breadcrumb}>
        <Link to="/apis">{t.market.title}</Link>
      </nav>
      <LoadedView loaded={loaded} heading="API">
        {(api) => (
          <>
            <PageHead
              title={api.name}
              about={fill(t.api.about, {
                owner: api.owner,
                version: api.version,
                ago: formatAgo(api.published_at),
              })}
            />
            {api.description !== undefined && <p class="answer">{api.description}</p>}
            {api.retired_at !== undefined && <p class="notice">{t.api.allRetired}</p>}
            <Versioned api={api} />
            <Evidence />
          </>
        )}
      </LoadedView>
    </>
  );
}

function Versioned({ api }: { readonly api: PublishedApi }) {
  const [chosen, setChosen] = useState(api.version);
  const version = api.versions.find((each) => each.version === chosen) ?? api.versions[0]!;
  return (
    <>
      <div class="designer">
        <section class="card" aria-label={t.try.title}>
          <h2>{t.try.title}</h2>
          <SelectField
            label={t.api.version}
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {api.versions.map(({ version: number, retired_at }) => (
              <option key={number} value={number}>
                {retired_at !== undefined
                  ? fill(t.api.retired, { version: number })
                  : number === api.version
                    ? fill(t.api.newest, { version: number })
                    : number}
              </option>
            ))}
          </SelectField>
          <CallForm key={version.version} stub={api.api_stub} version={version} />
        </section>
        <section class="card" aria-label={t.form.output}>
          <h2>{t.form.output}</h2>
          {version.output_format === undefined ? (
            <p class="page-about">{t.api.text}</p>
          ) : (
            <ScrollRegion label={t.api.format}>
              <pre class="json">{JSON.stringify(version.output_format, null, 2)}</pre>
            </ScrollRegion>
          )}
          <h2>{t.api.call}</h2>
          <Samples of={samplesOf(api, version)} />
          <p class="page-about">
            {rich(t.api.openapi, {
              path: () => (
                <a href={api.openapi} target="_blank" rel="noopener">
                  <code>{api.openapi}</code>
                </a>
              ),
            })}
          </p>
        </section>
      </div>
      <section>
        <h2>{t.page.versions}</h2>
        <ul class="rows" aria-label={t.page.versions}>
          {api.versions.map((each) => (
            <VersionRow key={each.version} of={each} />
          ))}
        </ul>
      </section>
    </>
  );
}

/** The server writes those of the newest version alone; a program needs those of the version that is tried. */
function samplesOf(api: PublishedApi, { version, inputs, example }: Version): PublishedApi['samples'] {
  if (version === api.version) return api.samples;
  return samplePublishedCalls({ api_stub: api.api_stub, version, inputs, example, base_url: location.origin });
}

function Samples({ of: samples }: { readonly of: PublishedApi['samples'] }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <div class="api-samples">
      <Tabs label={t.api.language} tabs={languages} chosen={language} onChoose={setLanguage}>
        <CopyText text={samples[language]} what={language === 'curl' ? 'command' : 'program'} />
      </Tabs>
    </div>
  );
}

function CallForm({
  stub,
  version: { version, inputs, example },
}: {
  readonly stub: string;
  readonly version: Version;
}) {
  const [raw, setRaw] = useState<RawValues>(() => presetsOf(inputs));
  const [tries, setTries] = useState(0);
  const run = useRun();
  const { values, errors } = readValues(inputs, raw);
  const submit = (event: Event) => {
    event.preventDefault();
    if (run.isRunning) return;
    setTries(tries + 1);
    if (Object.keys(errors).length === 0) void run.start({ api_stub: stub, version, inputs: values });
  };
  return (
    <form class="dialog-form" onSubmit={submit} noValidate>
      <InputsForm inputs={inputs} values={raw} onChange={setRaw} errors={errors} attempts={tries} />
      {example !== undefined && (
        <div class="api-example">
          <span class="example-inputs">
            {Object.entries(example).map(([name, value]) => (
              <span key={name}>
                <b>{name}</b> {String(value)}
              </span>
            ))}
          </span>
          <Button look="quiet" onClick={() => setRaw({ ...presetsOf(inputs), ...rawOf(example) })}>
            {t.api.useExample}
          </Button>
        </div>
      )}
      <div class="page-actions">
        {run.isRunning ? (
          <Button onClick={run.stop}>{t.try.stop}</Button>
        ) : (
          <Button look="main" type="submit">
            {fill(t.api.run, { version })}
          </Button>
        )}
      </div>
      <RunView running={run} />
    </form>
  );
}

function VersionRow({ of: { version, published_at, retired_at, changes } }: { readonly of: Version }) {
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {fill(t.versions.version, { version })} {retired_at !== undefined && <Badge>{t.versions.retired}</Badge>}
        </span>
        <span class="row-about">{formatAgo(published_at)}</span>
      </div>
      <ul class="changes" aria-label={fill(t.api.changesIn, { version })}>
        {changes.length === 0 && <li>{version === 1 ? t.api.first : t.api.noChanges}</li>}
        {changes.map(({ path, change }) => (
          <li key={path}>{rich(t.api[change], { path: () => <b>{nameOfPlace(path)}</b> })}</li>
        ))}
      </ul>
    </li>
  );
}
