/** One search: the question, the answer, the timeline of its steps and its cost. */
import { useEffect, useState } from 'preact/hooks';
import type { Citation, SearchEventOf, SearchFrame, SearchRecord, Source, Usage } from '../../../../protocol/index.ts';
import { structuredOutput } from '../../../client/reduce-search.ts';
import { formatDateTime, formatDuration, formatNumber } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { providerName } from '../../language/provider-names.ts';
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
      <nav class="crumbs" aria-label={t.common.breadcrumb}>
        <Link to="/searches">{t.shell.searches}</Link>
      </nav>
      <LoadedView loaded={record} heading={t.searches.title}>
        {(search) => (
          <>
            <PageHead title={search.prompt} about={<About of={search} />}>
              <OutcomeBadge of={{ ...search, error_code: search.error?.code }} />
            </PageHead>
            <section class="card">
              <h2>{t.searches.timeline}</h2>
              <Timeline frames={frames} isRead={isRead} of={search} />
            </section>
            {search.usage !== undefined && (
              <section class="card">
                <h2>{t.searches.cost}</h2>
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
  if (!isRead) return <p class="loading">{t.searches.loadingEvents}</p>;
  if (timings === undefined) return <p class="page-about">{t.searches.notStored}</p>;
  return (
    <>
      <TimelineView spans={stagesOf(timings)} total={0} />
      <p class="page-about">{t.searches.expired}</p>
    </>
  );
}

/** A row of what only some servers have. */
function optional(name: string, count: number | undefined): [string, number][] {
  return count === undefined ? [] : [[name, count]];
}

function Cost({ of: usage }: { readonly of: Usage }) {
  const rows: [string, string | number][] = [
    [t.costs.model_calls, usage.model_calls],
    [t.counters.input_tokens, usage.tokens_in],
    [t.counters.output_tokens, usage.tokens_out],
    ...optional(t.costs.embedding_calls, usage.embedding_calls),
    ...optional(t.costs.rerank_calls, usage.rerank_calls),
    [t.costs.queries, usage.searches],
    [t.costs.pages, usage.pages],
    [t.costs.cached, usage.cache_hits],
    [t.costs.passages, usage.passages],
    [t.costs.dropped, usage.dropped_citations],
    [t.costs.models, namesOf(modelsOf(usage))],
    [t.costs.providers, namesOf(usage.providers)],
    [t.costs.stop, stopReason(usage.stop_reason)],
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

/** The record of one without an answer has what it had found, too. */
type Ended = SearchRecord & Partial<Pick<SearchEventOf<'search.cancelled'>, 'by' | 'partial'>>;

function Answer({ of }: { readonly of: Ended }) {
  const { search_id, state, result, error, status, partial, citations = partial?.citations ?? [] } = of;
  if (result !== undefined) {
    const isPlain = status === undefined || status === 'answered';
    const title = isPlain ? t.searches.answer : fill(t.searches.answerWith, { outcome: t.outcomes[status] });
    const answer = 'answer' in result && typeof result.answer === 'string' ? result.answer : undefined;
    const output = answer === undefined ? structuredOutput(result, search_id) : undefined;
    return <AnswerCard {...{ title, answer, output, citations, sources: of.sources }} />;
  }
  return (
    <>
      {error !== undefined && (
        <section class="notice notice-bad">
          <h2>{t.searches.failedTitle}</h2>
          <p>
            {describeError(error)} <code>{error.code}</code>
          </p>
        </section>
      )}
      {state === 'cancelled' && (
        <section class="notice">
          <h2>{t.searches.stoppedTitle}</h2>
          <p>{causes[of.by ?? ''] ?? t.searches.stoppedText}</p>
        </section>
      )}
      {partial !== undefined && (
        <AnswerCard title={t.searches.soFar} answer={partial.answer} output={partial.output} citations={citations} />
      )}
    </>
  );
}

/** Why a search was stopped, where nobody asked for it. */
const causes: { readonly [by: string]: string } = {
  admin: t.searches.stoppedByServer,
  deadline: t.searches.stoppedByDeadline,
};

interface AnswerCardProps {
  readonly title: string;
  readonly answer: string | undefined;
  /** The object of a structured answer. */
  readonly output: object | undefined;
  readonly citations: readonly Citation[];
  readonly sources?: readonly Source[] | undefined;
}

function AnswerCard({ title, answer, output, citations, sources = [] }: AnswerCardProps) {
  const cited = sources.filter(({ id }) => citations.some(({ source_id }) => source_id === id));
  return (
    <section class="card">
      <h2>{title}</h2>
      {answer === undefined ? (
        <ScrollRegion label={t.searches.asJson}>
          <pre class="json">{JSON.stringify(output, null, 2)}</pre>
        </ScrollRegion>
      ) : (
        <div class="answer">{answer === '' ? t.searches.noAnswer : renderMarkdown(answer).nodes}</div>
      )}
      {cited.length > 0 && (
        <ol class="sources" aria-label={t.shell.sources}>
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

/** What this server brings along has names in every language. */
const ownNames: { readonly [identifier: string]: string } = { corpus: t.costs.index, extractive: t.costs.noModel };

/** What is written without a model, such as an answer that one failed to write, is not one more of them. */
function modelsOf({ models }: Usage): readonly string[] {
  return models.length > 1 ? models.filter((model) => model !== 'extractive') : models;
}

function namesOf(identifiers: readonly string[]): string {
  const names = identifiers.map((identifier) => ownNames[identifier] ?? providerName(identifier));
  return names.join(', ') || t.costs.none;
}

const stopReasons: { readonly [reason: string]: string } = t.stopReasons;

/** Why research ended. */
function stopReason(reason: string | undefined): string {
  return reason === undefined ? t.costs.planned : (stopReasons[reason] ?? reason);
}
