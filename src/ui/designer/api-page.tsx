/** One published API: what it takes and gives, in each version, and a form that calls it. */
import { useState } from 'preact/hooks';
import type { PublishedApi } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { Link } from '../dashboard/address.tsx';
import { CopyText } from '../dashboard/copy.tsx';
import { useLoad } from '../dashboard/load.ts';
import { LoadedView, PageHead, Wide } from '../dashboard/parts.tsx';
import { call } from '../dashboard/session.ts';
import { agoWords } from '../dashboard/words.ts';
import { presetsOf, type RawValues, readValues } from './input-values.ts';
import { InputsForm } from './inputs-form.tsx';
import { useRun } from './run.ts';
import { RunView } from './run-view.tsx';
import './designer.css';

type Version = PublishedApi['versions'][number];

export function ApiPage({ stub }: { readonly stub: string }) {
  const loaded = useLoad(() => call<PublishedApi>('GET', `/v1/published-service/${encodeURIComponent(stub)}`), [stub]);
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <Link to="/apis">Marketplace</Link>
      </nav>
      <LoadedView loaded={loaded}>
        {(api) => (
          <>
            <PageHead
              title={api.name}
              about={
                <>
                  by {api.owner} · version {api.version}, {agoWords(api.published_at)}
                </>
              }
            />
            {api.description !== undefined && <p class="answer">{api.description}</p>}
            <Versioned api={api} />
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
        <section class="card" aria-label="Call it">
          <h2>Call it</h2>
          <SelectField
            label="Version"
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {api.versions.map(({ version: number }) => (
              <option key={number} value={number}>
                {number}
                {number === api.version ? ' (newest)' : ''}
              </option>
            ))}
          </SelectField>
          <CallForm key={version.version} stub={api.api_stub} version={version} />
        </section>
        <section class="card" aria-label="What it answers with">
          <h2>What it answers with</h2>
          {version.output_format === undefined ? (
            <p class="page-about">Text with citations.</p>
          ) : (
            <Wide label="Shape of the answer">
              <pre class="json">{JSON.stringify(version.output_format, null, 2)}</pre>
            </Wide>
          )}
          <h2>From a program</h2>
          <CopyText text={api.samples.curl} what="the command" />
          <details class="more">
            <summary>TypeScript</summary>
            <CopyText text={api.samples.typescript} what="the program" />
          </details>
          <p class="page-about">
            Its own OpenAPI document: <code>{api.openapi}</code>
          </p>
        </section>
      </div>
      <section>
        <h2>Versions</h2>
        <ul class="rows" aria-label="Versions">
          {api.versions.map((each) => (
            <VersionRow key={each.version} of={each} />
          ))}
        </ul>
      </section>
    </>
  );
}

function CallForm({ stub, version: { version, inputs } }: { readonly stub: string; readonly version: Version }) {
  const [raw, setRaw] = useState<RawValues>(() => presetsOf(inputs));
  const [areShown, showFaults] = useState(false);
  const run = useRun();
  const { values, faults } = readValues(inputs, raw);
  const submit = (event: Event) => {
    event.preventDefault();
    showFaults(true);
    if (Object.keys(faults).length === 0) void run.start({ api_stub: stub, version, inputs: values });
  };
  return (
    <form class="dialog-form" onSubmit={submit} noValidate>
      <InputsForm inputs={inputs} values={raw} onChange={setRaw} faults={areShown ? faults : {}} />
      <div class="page-actions">
        {run.isRunning ? (
          <Button onClick={run.stop}>Stop</Button>
        ) : (
          <Button look="main" type="submit">
            Run version {version}
          </Button>
        )}
      </div>
      <RunView running={run} />
    </form>
  );
}

function VersionRow({ of: { version, published_at, changes } }: { readonly of: Version }) {
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">Version {version}</span>
        <span class="row-about">{agoWords(published_at)}</span>
      </div>
      <ul class="changes" aria-label={`What version ${version} changed`}>
        {changes.length === 0 && <li>{version === 1 ? 'the first' : 'nothing that callers see'}</li>}
        {changes.map(({ path, change }) => (
          <li key={path}>
            <code>{path}</code> {change}
          </li>
        ))}
      </ul>
    </li>
  );
}
