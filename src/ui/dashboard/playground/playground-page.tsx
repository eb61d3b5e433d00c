/** A request beside its raw events as they arrive, run with the session of this browser, and the request as a program. */
import { useState } from 'preact/hooks';
import type { SearchInput } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { AreaField } from '../../components/field.tsx';
import { formatDuration } from '../../components/format.ts';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { counted, rich } from '../../language/message.ts';
import { describeJsonError } from '../../template/json-error.ts';
import { CopyText } from '../copy-text.tsx';
import { useFirstQuestion } from '../first-question.ts';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { session } from '../session.ts';
import { type Language, languages, samples } from './samples.ts';
import { type PlaygroundRun, usePlaygroundRun } from './use-events.ts';
import './playground.css';

/** The edited request, which is there again after a look at another page, such as that of its search, and whose it is. */
let kept: { readonly account: string | undefined; readonly text: string } | undefined;

export function PlaygroundPage() {
  const question = useFirstQuestion();
  const account = session.value?.account.id;
  const [edited, setEdited] = useState(kept?.account === account ? kept?.text : undefined);
  const [transport, setTransport] = useState<'websocket' | 'sse'>('websocket');
  const run = usePlaygroundRun();
  const text = edited ?? (question && JSON.stringify({ prompt: question, effort: 'fast' }, null, 2));
  const { request, error }: ReadRequest = text === undefined ? {} : readRequest(text);
  return (
    <>
      <PageHead title={t.shell.playground} about={t.playground.about} />
      <div class="playground">
        <form
          class="playground-request"
          onSubmit={(event) => {
            event.preventDefault();
            if (request !== undefined) run.start(request, transport);
          }}
        >
          <AreaField
            label={t.playground.request}
            rows={12}
            spellcheck={false}
            value={text ?? ''}
            // What is typed would be mixed with the question that arrives.
            readOnly={text === undefined}
            hint={t.playground.hint}
            error={error}
            onInput={({ currentTarget: { value } }) => {
              kept = { account, text: value };
              setEdited(value);
            }}
          />
          <div class="playground-actions">
            <SegmentedControl
              label={t.playground.transport}
              choices={{ websocket: t.channels.websocket, sse: t.playground.stream }}
              chosen={transport}
              onChoose={setTransport}
            />
            {run.isRunning ? (
              <Button onClick={run.stop}>{t.playground.stop}</Button>
            ) : (
              <Button type="submit" look="main" disabled={request === undefined}>
                {t.playground.run}
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
    <section class="playground-events" aria-label={t.playground.result}>
      <div class="section-head">
        <h2>{t.playground.events}</h2>
        <p class="page-about" role="status">
          {isRunning ? t.playground.running : events.length > 0 && counted(t.playground.count, events.length)}
        </p>
        {id !== undefined && !isRunning && <Link to={`/searches/${id}`}>{t.playground.open}</Link>}
      </div>
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {describeError(error)} <code>{error.code}</code>
        </p>
      )}
      {events.length === 0 ? (
        error === undefined && <p class="page-about">{t.playground.empty}</p>
      ) : (
        <ScrollRegion label={t.playground.events}>
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
      <h2>{t.playground.asProgram}</h2>
      <p class="page-about">{rich(t.playground.fields, { api: (words) => <a href="/docs/api">{words}</a> })}</p>
      <Tabs label={t.playground.language} tabs={languages} chosen={language} onChoose={setLanguage}>
        <CopyText what="program" text={samples[language]({ origin: location.origin, request, transport })} />
      </Tabs>
    </section>
  );
}

interface ReadRequest {
  readonly request?: SearchInput;
  readonly error?: string;
}

/** The request that the text is, or what is wrong with it. The server checks its fields. */
function readRequest(text: string): ReadRequest {
  try {
    const request: unknown = JSON.parse(text);
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    return isObject ? { request: request as SearchInput } : { error: t.playground.notObject };
  } catch {
    return { error: describeJsonError(text) };
  }
}
