/** One search: the question, the answer, the timeline of its steps and its cost. */
import { useEffect, useState } from 'preact/hooks';
import type { SearchFrame, SearchRecord, Usage } from '../../../../protocol/index.ts';
import { formatDateTime, formatDuration, formatNumber } from '../../components/format.ts';
import { renderMarkdown } from '../../markdown/render.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { Link } from '../router.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { call, client } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { OutcomeBadge } from './search-rows.tsx';
import { spansOf, stagesOf } from './timeline.ts';
import { TimelineView } from './timeline-view.tsx';

export function SearchPage({ id }: { readonly id: string }) {
  const [frames, isRead] = useFrames(id);
  const isOver = frames.some(({ type }) => /^search\.(completed|failed|cancelled)$/.test(type));
  const record = useLoad(() => call<SearchRecord>('GET', `/v1/search/${encodeURIComponent(id)}`), [id, isOver]);
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumb">
        <Link to="/searches">Searches</Link>
      </nav>
      <LoadedView loaded={record}>
        {(search) => (
          <>
            <PageHead title={search.prompt} about={<About of={search} />}>
              <OutcomeBadge of={{ ...search, error_code: search.error?.code }} />
            </PageHead>
            <section class="card">
              <h2>Timeline</h2>
              <Timeline frames={frames} isRead={isRead} of={search} />
            </section>
            {search.usage !== undefined && (
              <section class="card">
                <h2>Cost</h2>
                <Cost of={search.usage} />
              </section>
            )}
            <Answer of={search} />
          </>
        )}
      </LoadedView>
    </>
  );
}

/** The events that the server still has, live ones included, and whether reading them is done. */
function useFrames(id: string): readonly [readonly SearchFrame[], boolean] {
  const [frames, setFrames] = useState<readonly SearchFrame[]>([]);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    let isGone = false;
    async function read() {
      const all: SearchFrame[] = [];
      // A signal would cancel the search; leaving the iteration does not.
      for await (const frame of client().follow(id, { transport: 'sse' })) {
        if (isGone) return;
        all.push(frame);
        setFrames([...all]);
      }
    }
    setFrames([]);
    setRead(false);
    read()
      .catch(() => {})
      .finally(() => {
        if (!isGone) setRead(true);
      });
    return () => {
      isGone = true;
    };
  }, [id]);
  return [frames, isRead];
}

function About({ of: { created_at, timings, search_id } }: { readonly of: SearchRecord }) {
  return (
    <>
      {formatDateTime(created_at)}
      {timings !== undefined && ` · ${formatDuration(timings.total_ms)}`} · <code>{search_id}</code>
    </>
  );
}

interface TimelineProps {
  readonly frames: readonly SearchFrame[];
  readonly isRead: boolean;
  readonly of: SearchRecord;
}

function Timeline({ frames, isRead, of: { timings } }: TimelineProps) {
  const spans = spansOf(frames);
  if (spans.length > 0) return <TimelineView spans={spans} total={timings?.total_ms ?? 0} />;
  if (!isRead) return <p class="loading">Loading events…</p>;
  if (timings === undefined) return <p class="page-about">The steps of this search were not stored.</p>;
  return (
    <>
      <TimelineView spans={stagesOf(timings)} total={0} />
      <p class="page-about">The events of this search have expired. Only the total time of each stage is known.</p>
    </>
  );
}

function Cost({ of: usage }: { readonly of: Usage }) {
  const rows: [string, string | number][] = [
    ['Model calls', usage.model_calls],
    ['Tokens in', usage.tokens_in],
    ['Tokens out', usage.tokens_out],
    ['Queries', usage.searches],
    ['Pages read', usage.pages],
    ['Pages from cache', usage.cache_hits],
    ['Passages ranked', usage.passages],
    ['Citations dropped', usage.dropped_citations],
    ['Models', usage.models.join(', ') || 'none'],
    ['Providers', usage.providers.join(', ') || 'none'],
    ['Stop reason', (usage.stop_reason ?? 'plan completed').replaceAll('_', ' ')],
  ];
  return (
    <dl class="facts facts-wide">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'number' ? formatNumber(value) : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ of: { state, result, error, status, sources = [], citations = [] } }: { readonly of: SearchRecord }) {
  const cited = sources.filter(({ id }) => citations.some(({ source_id }) => source_id === id));
  if (error !== undefined) {
    return (
      <section class="notice notice-bad">
        <h2>Search failed</h2>
        <p>
          {error.message} <code>{error.code}</code>
        </p>
      </section>
    );
  }
  if (state === 'cancelled') {
    return (
      <section class="notice">
        <h2>Search stopped</h2>
        <p>It was cancelled, or its caller left, before the answer was complete.</p>
      </section>
    );
  }
  if (result === undefined) return null;
  const answer = 'answer' in result && typeof result.answer === 'string' ? result.answer : undefined;
  return (
    <section class="card">
      <h2>Answer{status !== undefined && status !== 'answered' && `: ${status.replaceAll('_', ' ')}`}</h2>
      {answer === undefined ? (
        <ScrollRegion label="Answer as JSON">
          <pre class="json">{JSON.stringify('output' in result ? result.output : result, null, 2)}</pre>
        </ScrollRegion>
      ) : (
        <div class="answer">{answer === '' ? 'No answer found in the sources.' : renderMarkdown(answer).nodes}</div>
      )}
      {cited.length > 0 && (
        <ol class="sources" aria-label="Sources">
          {cited.map(({ id, n, url, title, domain }) => (
            <li key={id}>
              <span class="source-n">[{n}]</span>{' '}
              {/^https?:/.test(url) ? (
                <a href={url} rel="noreferrer noopener" target="_blank">
                  {title || domain}
                </a>
              ) : (
                title || domain
              )}{' '}
              <span class="page-about">{domain}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
