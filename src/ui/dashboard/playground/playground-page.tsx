/** A request beside its raw events as they arrive, run with the session of this browser, and the request as a program. */
import { useState } from 'preact/hooks';
import type { SearchInput } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { AreaField } from '../../components/field.tsx';
import { formatDuration } from '../../components/format.ts';
import { Tabs } from '../../components/tabs.tsx';
import { CopyText } from '../copy-text.tsx';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { type Language, languages, samples } from './samples.ts';
import { type PlaygroundRun, usePlaygroundRun } from './use-events.ts';
import './playground.css';

const first = JSON.stringify({ prompt: 'How do I check a citation?', effort: 'fast' }, null, 2);

export function PlaygroundPage() {
  const [text, setText] = useState(first);
  const [transport, setTransport] = useState<'websocket' | 'sse'>('websocket');
  const run = usePlaygroundRun();
  const { request, error } = readRequest(text);
  return (
    <>
      <PageHead
        title="Playground"
        about="A search request and its events as they arrive. It runs with this sign-in and counts like any other."
      />
      <div class="playground">
        <form
          class="playground-request"
          onSubmit={(event) => {
            event.preventDefault();
            if (request !== undefined) run.start(request, transport);
          }}
        >
          <AreaField
            label="Request"
            rows={12}
            spellcheck={false}
            value={text}
            hint="The body of POST /v1/search, as JSON."
            error={error}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <div class="playground-actions">
            <SegmentedControl
              label="Transport"
              choices={{ websocket: 'WebSocket', sse: 'Event stream' }}
              chosen={transport}
              onChoose={setTransport}
            />
            {run.isRunning ? (
              <Button onClick={run.stop}>Stop</Button>
            ) : (
              <Button type="submit" look="main" disabled={request === undefined}>
                Run
              </Button>
            )}
          </div>
        </form>
        <Events run={run} />
      </div>
      {request !== undefined && <Programs request={request} transport={transport} />}
    </>
  );
}

function Events({ run: { events, isRunning, error } }: { readonly run: PlaygroundRun }) {
  const id = events[0]?.frame.search_id;
  return (
    <section class="playground-events" aria-label="Result">
      <div class="section-head">
        <h2>Events</h2>
        <p class="page-about" role="status">
          {isRunning ? 'Running…' : events.length > 0 && `${events.length} events`}
        </p>
        {id !== undefined && !isRunning && <Link to={`/searches/${id}`}>Open the search</Link>}
      </div>
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {error.message} <code>{error.code}</code>
        </p>
      )}
      {events.length === 0 ? (
        error === undefined && (
          <p class="page-about">Each event is shown here with the time since the request was sent.</p>
        )
      ) : (
        <ScrollRegion label="Events">
          <ol class="event-list">
            {events.map(({ ms, frame }) => (
              <li key={frame.seq}>
                <span class="event-time">{formatDuration(ms)}</span>
                <code>{JSON.stringify(frame)}</code>
              </li>
            ))}
          </ol>
        </ScrollRegion>
      )}
    </section>
  );
}

interface ProgramsProps {
  readonly request: SearchInput;
  readonly transport: 'websocket' | 'sse';
}

function Programs({ request, transport }: ProgramsProps) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <section class="card playground-programs">
      <h2>As a program</h2>
      <p class="page-about">
        All fields of requests and events are in the <a href="/docs/api">description of the HTTP API</a>.
      </p>
      <Tabs label="Language" tabs={languages} chosen={language} onChoose={setLanguage}>
        <CopyText what="program" text={samples[language]({ origin: location.origin, request, transport })} />
      </Tabs>
    </section>
  );
}

/** The request that the text is, or what is wrong with it. The server checks its fields. */
function readRequest(text: string): { readonly request?: SearchInput; readonly error?: string } {
  try {
    const request: unknown = JSON.parse(text);
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    return isObject ? { request: request as SearchInput } : { error: 'Expected a JSON object.' };
  } catch (error) {
    return { error: `Expected JSON. ${(error as Error).message}` };
  }
}
