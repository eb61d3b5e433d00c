/**
 * The OpenAPI document of this server as a page, for readers without an account. It is drawn from `/openapi.json` by the few
 * components here: the common renderers write style attributes or HTML into the page, or compile schemas with `eval`, which the
 * content policy of the pages forbids.
 */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../components/index.css';
import './api-reference.css';
import { requestJson } from '../account/browser-session.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { TopBar } from '../components/top-bar.tsx';
import { describeError } from '../language/describe-error.ts';
import { loadServerTexts } from '../language/server-text.ts';
import { byArea, type OpenApi, type Operation, operationsOf } from './open-api.ts';
import { OperationView } from './operation-view.tsx';
import { Inline, SchemaView } from './schema-view.tsx';

function Reference() {
  const [document_, setDocument] = useState<OpenApi>();
  const [error, setError] = useState<string>();
  const load = () => {
    setError(undefined);
    requestJson<OpenApi>('GET', '/openapi.json').then(setDocument, (error) => setError(describeError(error)));
  };
  useEffect(load, []);
  // The place that the address names is there only now.
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (document_ !== undefined && id !== '') document.getElementById(id)?.scrollIntoView();
  }, [document_]);
  return (
    <div class="reference">
      <TopBar skip="Skip to content">
        <a href="/dashboard">Dashboard</a>
        <ThemeSwitch />
      </TopBar>
      <main id="main" class="main" tabIndex={-1}>
        {error !== undefined && (
          <>
            <h1>HTTP API</h1>
            <div class="notice notice-bad" role="alert">
              <p>{error}</p>
              <Button onClick={load}>Try again</Button>
            </div>
          </>
        )}
        {document_ === undefined ? error === undefined && <p role="status">Loading…</p> : <Contents of={document_} />}
      </main>
    </div>
  );
}

function Contents({ of: { info, paths, components } }: { readonly of: OpenApi }) {
  const [words, setWords] = useState('');
  const all = operationsOf(paths);
  const shown = all.filter((operation) => matches(operation, words));
  return (
    <>
      <h1>HTTP API</h1>
      <p class="about">
        Version {info.version}. <Inline of={info.description} /> Calls need a key in <code>X-API-Key</code>, or the
        sign-in of a browser. The documents themselves: <a href="/openapi.json">openapi.json</a>,{' '}
        <a href="/asyncapi.json">asyncapi.json</a>.
      </p>
      <search aria-label="Calls">
        <Field
          label="Find a call"
          type="search"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </search>
      <p class="about" role="status">
        {shown.length} of {all.length} calls
      </p>
      <nav class="calls" aria-label="Calls">
        {byArea(shown).map((calls) => (
          <ul key={calls[0]!.id}>
            {calls.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <span class="method">{method}</span> {path}
                </a>
                <span>
                  <Inline of={summary} />
                </span>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      {shown.map((operation) => (
        <OperationView key={operation.id} of={operation} />
      ))}
      <h2>Schemas</h2>
      {Object.entries(components.schemas).map(([name, schema]) => (
        <section key={name} class="schema-part" id={`schema-${name}`} aria-labelledby={`of-${name}`}>
          <h3 id={`of-${name}`}>{name}</h3>
          <SchemaView of={schema} />
        </section>
      ))}
    </>
  );
}

function matches({ method, path, summary }: Operation, words: string): boolean {
  const text = `${method} ${path} ${summary}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

render(<Reference />, document.body);
void loadServerTexts();
