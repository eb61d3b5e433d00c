/** A question with its steps, sources and answer, updated while it runs. */
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SearchState, TextResult, UncitedText } from '../../../client/client.ts';
import { counted, fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { AnswerActions } from '../answer/answer-actions.tsx';
import { AnswerText } from '../answer/answer-text.tsx';
import { MoreInSources } from '../answer/quotes/more-in-sources.tsx';
import { NearestQuotes } from '../answer/quotes/nearest-quotes.tsx';
import { SourceCards } from '../answer/source-cards.tsx';
import { StructuredAnswer } from '../answer/structured-answer.tsx';
import { SignInAgain } from '../sign-in.tsx';
import { turns } from './conversation.ts';
import { FailureNotice } from './ending/failure-notice.tsx';
import { describeCaveat, describeEnding, describeStop, lost, signedOut } from './ending/failure-text.ts';
import { Warnings } from './ending/warnings.tsx';
import { FollowUps } from './follow-ups.tsx';
import { AnswerAround, inOrder } from './overlays.ts';
import { QuestionHead } from './question-head.tsx';
import { isReturning } from './scroll-place.ts';
import { Timeline } from './steps/timeline.tsx';
import { askAgain, continueTurns } from './thread.ts';
import { isRunning, isSignedOut, type Turn } from './turn.ts';
import { WaitingLine } from './waiting-line.tsx';

const none: readonly UncitedText[] = [];

export function TurnView({ turn, isLast }: { readonly turn: Turn; readonly isLast: boolean }) {
  const search = turn.search.value;
  const hasEnded = !isRunning(turn);
  // One that was stopped here counts as stopped before the server confirms it.
  const running = !hasEnded && !turn.isStopping.value;
  const cited = useComputed(() => new Set(turn.search.value.citations.map(({ source_id }) => source_id)));
  const all = useComputed(() => inOrder(turn.search.value.citations));
  const rated = useComputed(() => (isRunning(turn) ? undefined : turn.search.value.search_id));
  const answer = useComputed(() => ({ citations: all.value, search_id: rated.value }));
  const uncited = (search.mode === 'text' && (search.result as TextResult | undefined)?.uncited) || none;
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isLast || isReturning()) return;
    ref.current?.scrollIntoView({ block: 'start' });
    // The button that asked it, such as Ask again, is gone.
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article ref={ref} class="turn" tabIndex={-1} aria-busy={running}>
      <QuestionHead turn={turn} />
      <SourceCards sources={search.sources} isOpen={running} cited={cited.value} />
      <Timeline search={search} isRunning={running} />
      {running && <WaitingLine turn={turn} />}
      <AnswerAround.Provider value={answer.value}>
        {search.blocks.map((block) => (
          <AnswerText key={block.id} block={block} sources={search.sources} uncited={uncited} />
        ))}
        {Object.keys(search.output).length > 0 && <StructuredAnswer search={search} />}
      </AnswerAround.Provider>
      <Warnings search={search} />
      {!running && <Ending turn={turn} />}
      {hasEnded && <NearestQuotes search={search} />}
      {hasEnded && <AnswerActions turn={turn} />}
      {hasEnded && <MoreInSources search={search} />}
      {hasEnded && isLast && <FollowUps turn={turn} />}
      <p class="visually-hidden" role="status" aria-live="polite">
        {statusText(search, running)}
      </p>
    </article>
  );
}

function Ending({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const failure = turn.failure.value;
  if (isSignedOut(turn)) {
    // One form for all of them.
    if (turn === turns.value.findLast(isSignedOut)) return <SignInAgain onSignedIn={continueTurns} />;
    return <FailureNotice failure={signedOut} onRetry={undefined} />;
  }
  const isLost = turn.isOfThread && failure?.code === 'not_found';
  const ended = isLost ? lost : describeEnding(search, failure);
  const notice = turn.isStopping.value ? describeStop(search) : ended;
  if (notice !== undefined) {
    return <FailureNotice failure={notice} onRetry={turn.request && (() => askAgain(turn))} />;
  }
  const caveat = describeCaveat(search);
  return caveat === undefined ? null : <p class="notice">{caveat}</p>;
}

/** For screen readers: the state of the search, not every word of the answer. */
function statusText({ blocks, citations, sources, state, status, mode }: SearchState, running: boolean): string {
  if (!running) {
    // The notice shown in that case is announced on its own.
    if (state !== 'completed' || status === 'not_found') return '';
    if (mode === 'structured') {
      return counted(status === 'partial' ? t.status.partlyFilled : t.status.filled, citations.length);
    }
    return fill(status === 'partial' ? t.status.partial : t.status.complete, {
      words: counted(t.status.words, wordsIn(blocks)),
      citations: counted(t.status.citations, citations.length),
    });
  }
  if (blocks.length > 0) return t.status.writing;
  return sources.length > 0 ? counted(t.status.found, sources.length) : t.status.searching;
}

/** Languages without spaces have words, too. Markers do not count. */
function wordsIn(blocks: SearchState['blocks']): number {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const words = (text: string) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
  return blocks.reduce((sum, { text }) => sum + words(text.replace(/\[\d+\]/g, '')), 0);
}
