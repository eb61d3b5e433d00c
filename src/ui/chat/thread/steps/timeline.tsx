/** The progress of a search: one line for the current state, which expands to a list of all steps. */
import { useState } from 'preact/hooks';
import type { SearchState, Step } from '../../../../client/client.ts';
import { formatDuration } from '../../../components/format.ts';
import { CheckIcon, ChevronIcon, CrossIcon, DashIcon } from '../../../components/icons.tsx';
import { counted, fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { summaryOf, titleOf } from './step-text.ts';
import { useDelayed } from './use-delayed.ts';

export function Timeline({ search, isRunning }: { readonly search: SearchState; readonly isRunning: boolean }) {
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const isLong = useDelayed(isRunning, 350);
  const { steps } = search;
  const hasAnswer = search.blocks.length > 0 || Object.keys(search.output).length > 0;
  const isOpen = chosen ?? (isRunning && isLong && !hasAnswer);
  if (steps.length === 0 && !isRunning) return null;
  const EndIcon = search.state === 'completed' ? CheckIcon : DashIcon;
  return (
    <div class="timeline">
      <button type="button" class="timeline-line" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        {isRunning ? <span class="spinner" aria-hidden="true" /> : <EndIcon size={16} />}
        <span class={isRunning ? 'timeline-now' : ''}>
          {isRunning ? currentStepText(steps, isOpen) : summaryText(search)}
        </span>
        <span class="timeline-turn">
          <ChevronIcon size={16} />
        </span>
      </button>
      {isOpen && (
        <ol class="steps" aria-label={t.steps.label}>
          {steps.map((step) => (
            <StepRow key={step.step_id} step={step} />
          ))}
        </ol>
      )}
    </div>
  );
}

function StepRow({ step }: { readonly step: Step }) {
  const { state, done, total, duration_ms } = step;
  const count =
    done !== undefined && total !== undefined && state === 'running' ? fill(t.steps.done, { done, total }) : undefined;
  const about = summaryOf(step);
  return (
    <li class={`step step-${state}`}>
      <span class="step-mark">
        <Mark state={state} />
      </span>
      <span class="step-title">
        {titleOf(step)}
        {count !== undefined && <span class="step-count">{count}</span>}
        {duration_ms !== undefined && <span class="step-time">{formatDuration(duration_ms)}</span>}
      </span>
      {queriesOf(step).map((query) => (
        <span key={query} class="step-query">
          {query}
        </span>
      ))}
      {about !== undefined && <span class="step-about">{about}</span>}
    </li>
  );
}

function Mark({ state }: Pick<Step, 'state'>) {
  if (state === 'running') return <span class="spinner" role="img" aria-label={t.steps.running} />;
  const [Icon, label] = {
    ok: [CheckIcon, t.steps.ok],
    error: [CrossIcon, t.steps.error],
    skipped: [DashIcon, t.steps.skipped],
  }[state] as [typeof CheckIcon, string];
  return (
    <>
      <Icon size={14} />
      <span class="visually-hidden">{label}</span>
    </>
  );
}

/** The queries of a search step; `input` has no fixed shape. */
function queriesOf({ kind, input }: Step): string[] {
  const { queries } = (input ?? {}) as { queries?: unknown };
  return kind === 'search' && Array.isArray(queries)
    ? queries.filter((query) => typeof query === 'string').slice(0, 6)
    : [];
}

/** While the list is open it shows the current step itself. */
function currentStepText(steps: readonly Step[], areShown: boolean): string {
  if (areShown) return t.steps.researching;
  const current = steps.findLast(({ state }) => state === 'running') ?? steps.at(-1);
  return current === undefined ? t.steps.starting : titleOf(current);
}

function summaryText(search: SearchState): string {
  const { steps, sources, citations, timings, engine } = search;
  const cited = new Set(citations.map(({ source_id }) => source_id)).size;
  const parts = [
    counted(t.steps.count, steps.length),
    cited === 0 ? counted(t.steps.sources, sources.length) : counted(t.steps.cited, sources.length, { cited }),
    ...(timings === undefined ? [] : [formatDuration(timings.total_ms)]),
    ...(engine === undefined ? [] : [engine === 'extractive' || isModelLost(search) ? t.composer.noModel : engine]),
  ];
  return parts.join(' · ');
}

/** Whether the answer is one of quotes, because the model could not write it. */
function isModelLost({ warnings, usage }: SearchState): boolean {
  const models = usage?.models ?? [];
  if (!models.includes('extractive')) return false;
  // Models are in the order of their first use: one after quotes has written, whichever was lost before.
  const isLast = models.at(-1) === 'extractive';
  return warnings.some(
    ({ code, message }) =>
      code === 'model_failed' && (/^(?:Writing|Filling)\b/.test(message) || (isLast && /not used again/.test(message))),
  );
}
