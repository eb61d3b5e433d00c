/** A run: its progress, outcome and answer. */
import type { SearchState } from '../../client/client.ts';
import { formatDuration } from '../components/format.ts';
import { Badge } from '../dashboard/badge.tsx';
import { Link } from '../dashboard/router.tsx';
import { ScrollRegion } from '../dashboard/scroll-region.tsx';
import { renderMarkdown } from '../markdown/render.tsx';
import type { Run } from './use-run.ts';

export function RunView({ running: { search, isRunning, error } }: { readonly running: Run }) {
  if (search === undefined) return null;
  return (
    <section class="run" aria-label="Run" aria-busy={isRunning}>
      <p class="run-line" role="status">
        {isRunning ? (
          <span class="spinner" aria-hidden="true" />
        ) : (
          <Outcome of={search} hasError={error !== undefined} />
        )}
        <span>{isRunning ? currentStepText(search) : summaryText(search)}</span>
        {search.search_id !== undefined && !isRunning && (
          <Link to={`/searches/${search.search_id}`} class="run-more">
            Timeline and cost
          </Link>
        )}
      </p>
      {(error ?? search.error) !== undefined && (
        <p class="notice notice-bad" role="alert">
          {(error ?? search.error)!.message}
        </p>
      )}
      <Answer of={search} />
    </section>
  );
}

function Outcome({ of: { state, status }, hasError }: { readonly of: SearchState; readonly hasError: boolean }) {
  if (hasError || state === 'failed') return <Badge tone="bad">failed</Badge>;
  if (state !== 'completed') return <Badge>stopped</Badge>;
  return <Badge tone={status === 'answered' ? 'good' : 'warn'}>{(status ?? state).replaceAll('_', ' ')}</Badge>;
}

function currentStepText({ steps }: SearchState): string {
  const step = steps.findLast(({ state }) => state === 'running') ?? steps.at(-1);
  return `${step?.title ?? 'Starting'}…`;
}

function summaryText({ sources, timings }: SearchState): string {
  const count = `${sources.length} ${sources.length === 1 ? 'source' : 'sources'}`;
  return timings === undefined ? count : `${formatDuration(timings.total_ms)} · ${count}`;
}

function Answer({ of: { mode, blocks, output, sources, citations } }: { readonly of: SearchState }) {
  const text = blocks.map((block) => block.text).join('\n\n');
  const isEmpty = text === '' && Object.keys(output).length === 0;
  if (isEmpty) return null;
  const cited = sources.filter(({ id }) => citations.some(({ source_id }) => source_id === id));
  return (
    <>
      {mode === 'structured' ? (
        <ScrollRegion label="Answer as JSON">
          <pre class="json">{JSON.stringify(output, null, 2)}</pre>
        </ScrollRegion>
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
