/**
 * What one search has gathered so far: its sources, citations, counters and the time of each stage. Sources are numbered
 * as they are added, dense from 1, and never renumbered.
 */
import {
  type Citation,
  noUsage,
  type SearchEvent,
  type Source,
  type Timings,
  type Usage,
} from '../../protocol/index.ts';
import type { Passage } from './ports/snapshot.ts';

export interface SearchState {
  readonly sources: Source[];
  readonly citations: Citation[];
  readonly usage: Usage;
  /** The source of a passage; a new one is added to `sources` and said so by the event. */
  source(passage: Passage): { source: Source; added?: SearchEvent };
  /** One stage as a step of the log. `work` returns its value and a summary for people. */
  step<Value>(
    step: StepBegun,
    work: AsyncGenerator<SearchEvent, Outcome<Value>> | Promise<Outcome<Value>>,
  ): AsyncGenerator<SearchEvent, Value>;
  /** The same by hand, for a stage whose events are too many for one more generator around them. */
  begin(step: StepBegun): { started: SearchEvent; finish(summary: string): SearchEvent };
  /** The id of the step that was started last. */
  currentStep(): string;
  timings(): Timings;
}

interface Outcome<Value> {
  readonly value: Value;
  readonly summary: string;
}

interface StepBegun {
  readonly kind: StepStarted['kind'];
  readonly title: string;
  readonly input?: unknown;
}

type StepStarted = Extract<SearchEvent, { type: 'step.started' }>;

export function createSearchState(): SearchState {
  const started = performance.now();
  const sources: Source[] = [];
  const byUrl = new Map<string, Source>();
  const stages: Record<string, number> = {};
  let steps = 0;

  function begin(step: StepBegun): ReturnType<SearchState['begin']> {
    steps += 1;
    const step_id = `step_${steps}`;
    const begun = performance.now();
    return {
      started: { type: 'step.started', step_id, ...step },
      finish(summary) {
        const duration_ms = round(performance.now() - begun);
        stages[step.kind] = round((stages[step.kind] ?? 0) + duration_ms);
        return { type: 'step.finished', step_id, status: 'ok', duration_ms, summary };
      },
    };
  }

  return {
    sources,
    citations: [],
    usage: { ...noUsage, models: [], providers: [] },

    source(passage) {
      // By snapshot as well: a page read twice may have changed, and a quote holds only in the text it was found in.
      const key = `${passage.snapshot} ${passage.url}`;
      const known = byUrl.get(key);
      if (known !== undefined) return { source: known };
      const n = sources.length + 1;
      const source: Source = {
        id: `src_${n}`,
        n,
        url: passage.url,
        title: passage.title,
        domain: domainOf(passage.url),
        snippet: snippetOf(passage.text),
        ...(passage.published_at === undefined ? {} : { published_at: passage.published_at }),
        snapshot: passage.snapshot,
      };
      byUrl.set(key, source);
      sources.push(source);
      return { source, added: { type: 'source.added', source } };
    },

    begin,

    async *step(step, work) {
      const { started, finish } = begin(step);
      yield started;
      const { value, summary } = work instanceof Promise ? await work : yield* work;
      yield finish(summary);
      return value;
    },

    currentStep: () => `step_${steps}`,

    timings: () => ({ total_ms: round(performance.now() - started), stages: { ...stages } }),
  };
}

function domainOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, '');
  } catch {
    return '';
  }
}

function snippetOf(text: string): string {
  // Nearly always its beginning is enough.
  const begun = flatten(text.slice(0, 1_000));
  const flat = begun.length > 240 || text.length <= 1_000 ? begun : flatten(text);
  if (flat.length <= 240) return flat;
  const cut = flat.slice(0, 240);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 160)).toWellFormed()}…`;
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Milliseconds to a hundredth: more digits are noise on the wire. */
function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
