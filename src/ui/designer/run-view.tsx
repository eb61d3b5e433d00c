/** A run as it goes: where it stands, and what it answers. */
import type { SearchState } from '../../client/client.ts';
import { Link } from '../dashboard/address.tsx';
import { Badge, Wide } from '../dashboard/parts.tsx';
import { spanWords } from '../dashboard/words.ts';
import { renderMarkdown } from '../markdown/render.tsx';
import type { Running } from './run.ts';

export function RunView({ running: { search, isRunning, fault } }: { readonly running: Running }) {
  if (search === undefined) return null;
  return (
    <section class="run" aria-label="Run" aria-busy={isRunning}>
      <p class="run-line" role="status">
        {isRunning ? (
          <span class="spinner" aria-hidden="true" />
        ) : (
          <Outcome of={search} hasFault={fault !== undefined} />
        )}
        <span>{isRunning ? nowWords(search) : doneWords(search)}</span>
        {search.search_id !== undefined && !isRunning && (
          <Link to={`/searches/${search.search_id}`} class="run-more">
            Timeline and cost
          </Link>
        )}
      </p>
      {(fault ?? search.error) !== undefined && (
        <p class="notice notice-bad" role="alert">
          {(fault ?? search.error)!.message}
        </p>
      )}
      <Answer of={search} />
    </section>
  );
}

function Outcome({ of: { state, status }, hasFault }: { readonly of: SearchState; readonly hasFault: boolean }) {
  if (hasFault || state === 'failed') return <Badge tone="bad">failed</Badge>;
  if (state !== 'completed') return <Badge>stopped</Badge>;
  return <Badge tone={status === 'answered' ? 'good' : 'warn'}>{(status ?? state).replaceAll('_', ' ')}</Badge>;
}

function nowWords({ steps }: SearchState): string {
  const step = steps.findLast(({ state }) => state === 'running') ?? steps.at(-1);
  return `${step?.title ?? 'Starting'}…`;
}

function doneWords({ sources, timings }: SearchState): string {
  const count = `${sources.length} ${sources.length === 1 ? 'source' : 'sources'}`;
  return timings === undefined ? count : `${spanWords(timings.total_ms)} · ${count}`;
}

function Answer({ of: { mode, blocks, output, sources, citations } }: { readonly of: SearchState }) {
  const text = blocks.map((block) => block.text).join('\n\n');
  const isEmpty = text === '' && Object.keys(output).length === 0;
  if (isEmpty) return null;
  const cited = sources.filter(({ id }) => citations.some(({ source_id }) => source_id === id));
  return (
    <>
      {mode === 'structured' ? (
        <Wide label="The answer as JSON">
          <pre class="json">{JSON.stringify(output, null, 2)}</pre>
        </Wide>
      ) : (
        <div class="answer">{renderMarkdown(text).nodes}</div>
      )}
      <ol class="sources" aria-label="Sources">
        {cited.map(({ id, n, title, domain }) => (
          <li key={id}>
            <span class="source-n">[{n}]</span> {title || domain} <span class="page-about">{domain}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
