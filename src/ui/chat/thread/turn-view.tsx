/** A question with its steps, its sources and its answer, as they come. */
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SearchState } from '../../../client/client.ts';
import { AnswerText } from '../answer/answer-text.tsx';
import { CopyMenu } from '../answer/copy-menu.tsx';
import { SourceCards } from '../answer/source-cards.tsx';
import { Structured } from '../answer/structured.tsx';
import { endingWords, failureWords, pauseWords } from './failure.ts';
import { FailureNotice, useSecondsLeft } from './notice.tsx';
import { askAgain } from './thread.ts';
import { Timeline } from './timeline.tsx';
import { isRunning, type Pause, type Turn } from './turn.ts';

export function TurnView({ turn, isLast }: { readonly turn: Turn; readonly isLast: boolean }) {
  const search = turn.search.value;
  const running = isRunning(turn);
  const pause = turn.pause.value;
  const cited = useComputed(() => new Set(turn.search.value.citations.map(({ source_id }) => source_id)));
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isLast) ref.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <article ref={ref} class="turn" aria-busy={running}>
      <h2 class="question">{turn.prompt.value}</h2>
      <SourceCards sources={search.sources} isOpen={running} cited={cited.value} />
      <Timeline search={search} isRunning={running} />
      {pause !== undefined && <PauseLine pause={pause} />}
      {search.blocks.map((block) => (
        <AnswerText key={block.id} block={block} sources={search.sources} />
      ))}
      {Object.keys(search.output).length > 0 && <Structured search={search} />}
      <Warnings search={search} />
      {!running && <Ending turn={turn} />}
      {!running && <CopyMenu turn={turn} />}
      <p class="aside-text" role="status" aria-live="polite">
        {statusWords(search, running)}
      </p>
    </article>
  );
}

function PauseLine({ pause }: { readonly pause: Pause }) {
  const left = useSecondsLeft(pause.until);
  return (
    <p class="pause" role="status">
      <span class="pause-dot" aria-hidden="true" />
      {pauseWords(pause.why)}
      {left > 0 && `, in ${left} s`}
    </p>
  );
}

function Ending({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const failure = turn.failure.value;
  const words = endingWords(search) ?? (failure && failureWords(failure));
  if (words !== undefined) {
    return <FailureNotice words={words} onAgain={turn.request && (() => askAgain(turn))} />;
  }
  if (search.status === 'conflicting') return <p class="notice">The sources disagree; both sides are cited.</p>;
  return search.status === 'partial' ? <p class="notice">This answer is not complete.</p> : null;
}

function Warnings({ search: { warnings } }: { readonly search: SearchState }) {
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>
        {warnings.length === 1 ? 'One thing went less well' : `${warnings.length} things went less well`}
      </summary>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
    </details>
  );
}

/** What is read out: where the search stands, not every word as it comes. */
function statusWords({ blocks, citations, sources, state, status, mode }: SearchState, running: boolean): string {
  if (!running) {
    // The notice that then stands there is read out by itself.
    if (state !== 'completed' || status === 'not_found') return '';
    const words = blocks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
    const size = mode === 'structured' ? 'The answer is complete' : `The answer is complete, ${words} words`;
    return `${size}, ${citations.length} citations.`;
  }
  if (blocks.length > 0) return 'The answer is being written.';
  return sources.length > 0 ? `${sources.length} sources found.` : 'Searching.';
}
