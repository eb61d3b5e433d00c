/** Steps as bars on the time axis of the search; screen readers get each step's start and duration. */

import { summaryOf, titleOf } from '../../chat/thread/steps/step-text.ts';
import { formatDuration } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';
import { kindName, order, type Span } from './timeline.ts';
import './timeline-view.css';

export function TimelineView({ spans, total }: { readonly spans: readonly Span[]; readonly total: number }) {
  const end = Math.max(1, total, ...spans.map(({ from, ms }) => from + ms));
  const share = (ms: number) => `${(100 * ms) / end}%`;
  return (
    <div class="spans">
      <ol class="spans-list">
        {spans.map(({ name, kind, from, ms, state, about }, at) => (
          <li key={`${at} ${name}`} class="span">
            <span class="span-name" title={summaryOf({ kind, summary: about })}>
              {titleOf({ kind, title: name })}
              {state === 'error' && <span class="span-bad"> {t.searches.stepFailed}</span>}
              {state === 'stopped' && <span class="span-note"> {t.searches.stepStopped}</span>}
              {state === 'skipped' && <span class="span-note"> {t.searches.stepSkipped}</span>}
            </span>
            <span class="span-track" aria-hidden="true">
              <span
                class={`span-bar span-${kind} span-is-${state}`}
                style={{ left: `min(${share(from)}, 100% - 3px)`, width: share(ms) }}
              />
            </span>
            <span class="span-time">
              <span class="visually-hidden">
                {fill(t.searches.startedAt, { from: formatDuration(from), ms: formatDuration(ms) })}
              </span>
              <span aria-hidden="true">{formatDuration(ms)}</span>
            </span>
          </li>
        ))}
      </ol>
      <div class="spans-axis" aria-hidden="true">
        <span>0</span>
        <span>{formatDuration(end / 2)}</span>
        <span>{formatDuration(end)}</span>
      </div>
      <Legend spans={spans} />
    </div>
  );
}

/** What the colours mean, of those that occur. */
function Legend({ spans }: { readonly spans: readonly Span[] }) {
  const kinds = order.filter((kind) => spans.some((span) => span.kind === kind && span.state !== 'error'));
  return (
    <ul class="spans-legend" aria-label={t.searches.legend}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span class={`span-key span-${kind}`} aria-hidden="true" /> {kindName(kind)}
        </li>
      ))}
      {spans.some(({ state }) => state === 'error') && (
        <li>
          <span class="span-key span-is-error" aria-hidden="true" /> {t.searches.stepFailed}
        </li>
      )}
    </ul>
  );
}
