/** A run: its progress, outcome and answer, with the evidence of each value. */

import type { SearchState, TextResult, UncitedText } from '../../../client/client.ts';
import { AnswerText } from '../../chat/answer/answer-text.tsx';
import { StructuredAnswer } from '../../chat/answer/structured-answer.tsx';
import { AnswerAround, inOrder, openSource } from '../../chat/thread/overlays.ts';
import { titleOf } from '../../chat/thread/steps/step-text.ts';
import { formatDuration } from '../../components/format.ts';
import { Badge } from '../../dashboard/badge.tsx';
import { Link } from '../../dashboard/router.tsx';
import { ScrollRegion } from '../../dashboard/scroll-region.tsx';
import { describeError } from '../../language/describe-error.ts';
import { t } from '../../language/designer/text.ts';
import { counted } from '../../language/message.ts';
import type { Run } from './use-run.ts';

export function RunView({ running: { search, isRunning, error } }: { readonly running: Run }) {
  if (search === undefined) return null;
  return (
    <section class="run" aria-label={t.run.label} aria-busy={isRunning}>
      <p class="run-line" role="status">
        {isRunning ? (
          <span class="spinner" aria-hidden="true" />
        ) : (
          <Outcome of={search} hasError={error !== undefined} />
        )}
        <span>{isRunning ? currentStepText(search) : summaryText(search)}</span>
        {search.search_id !== undefined && !isRunning && (
          <Link to={`/searches/${search.search_id}`} class="run-more">
            {t.run.timeline}
          </Link>
        )}
      </p>
      {(error ?? search.error) !== undefined && (
        <p class="notice notice-bad" role="alert">
          {describeError(error ?? search.error)}
        </p>
      )}
      <Answer key={search.search_id} of={search} isRunning={isRunning} />
    </section>
  );
}

function Outcome({ of: { state, status }, hasError }: { readonly of: SearchState; readonly hasError: boolean }) {
  if (hasError || state === 'failed') return <Badge tone="bad">{t.run.failed}</Badge>;
  if (state !== 'completed') return <Badge>{t.run.stopped}</Badge>;
  return <Badge tone={status === 'answered' ? 'good' : 'warn'}>{t.run[status ?? 'answered']}</Badge>;
}

function currentStepText({ steps }: SearchState): string {
  const step = steps.findLast(({ state }) => state === 'running') ?? steps.at(-1);
  return step === undefined ? t.run.running : `${titleOf(step)}…`;
}

function summaryText({ sources, timings }: SearchState): string {
  const count = counted(t.run.sourceCount, sources.length);
  return timings === undefined ? count : `${formatDuration(timings.total_ms)} · ${count}`;
}

/** As the chat shows it, and as a program receives it. */
function Answer({ of: search, isRunning }: { readonly of: SearchState; readonly isRunning: boolean }) {
  const { mode, blocks, output, sources, citations } = search;
  const isStructured = mode === 'structured' && Object.keys(output).length > 0;
  if (blocks.length === 0 && !isStructured) return null;
  const uncited = (mode === 'text' && (search.result as TextResult | undefined)?.uncited) || none;
  const cited = sources.filter(({ id }) => citations.some(({ source_id }) => source_id === id));
  return (
    <>
      <AnswerAround.Provider value={{ citations: inOrder(citations) }}>
        {blocks.map((block) => (
          <AnswerText key={block.id} block={block} sources={sources} uncited={uncited} />
        ))}
        {isStructured && <StructuredAnswer search={search} everyConfidence />}
      </AnswerAround.Provider>
      {cited.length > 0 && (
        <ol class="sources" aria-label={t.run.sources}>
          {cited.map((source) => (
            <li key={source.id}>
              <span class="source-n">[{source.n}]</span>{' '}
              <button type="button" class="source-open" onClick={() => openSource(source)}>
                {source.title || source.domain}
              </button>{' '}
              <span class="page-about">{source.domain}</span>
            </li>
          ))}
        </ol>
      )}
      {isStructured && !isRunning && (
        <details class="more">
          <summary>JSON</summary>
          <ScrollRegion label={t.run.asJson}>
            <pre class="json">{JSON.stringify(output, null, 2)}</pre>
          </ScrollRegion>
        </details>
      )}
    </>
  );
}

const none: readonly UncitedText[] = [];
