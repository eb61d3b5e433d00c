/**
 * What one search has gathered so far: its sources, citations, counters and the time of each stage. Sources are numbered
 * in the order in which they are added, from 1 without gaps, and never renumbered.
 */
import {
  type Citation,
  noUsage,
  type SearchEvent,
  type SearchEventOf,
  type Source,
  type Timings,
  type UncitedText,
  type Usage,
} from '../../protocol/index.ts';
import type { FinderKind } from './ports/embedder.ts';
import type { Evidence, Passage } from './ports/snapshot.ts';

export interface ResearchState {
  readonly sources: Source[];
  readonly citations: Citation[];
  readonly usage: Usage;
  /** Why the index could not be searched, if it could not. The search then continued with the web alone. */
  readonly unavailable: { index?: Error };
  /** For each endpoint that helps to find passages, the first reason why the index was searched without it. */
  readonly missed: Map<FinderKind, string>;
  /** Whether this is the first time that the search is to warn of this, such as of a provider that failed. */
  warnsOf(what: string): boolean;
  /** Sentences of the answer that lost a citation, once for each that they lost. */
  readonly uncited: UncitedText[];
  /** The source of a passage. A new one is added to `sources`, and `added` is the event to send. */
  source(passage: Passage & Pick<Evidence, 'standing'>): { source: Source; added?: SearchEvent };
  /** Whether this passage's page is a source already. */
  hasSource(passage: Passage): boolean;
  /** Runs one stage as a step of the log. `work` returns its value, and a summary for people. */
  step<Value>(
    step: StepInput,
    work: Work<Value> | ((step_id: string) => Work<Value>),
  ): AsyncGenerator<SearchEvent, Value>;
  /** The same by hand, for a stage with so many events that one more generator around them would cost too much. */
  begin(step: StepInput): { step_id: string; started: SearchEvent; finish(summary: string): SearchEvent };
  /** The same state, with its steps nested in this one. */
  under(parent_id: string): ResearchState;
  /** Milliseconds since the search began, and per kind of step. */
  timings(): Timings;
}

type Work<Value> = AsyncGenerator<SearchEvent, Outcome<Value>>;

interface Outcome<Value> {
  readonly value: Value;
  readonly summary: string;
}

interface StepInput {
  readonly kind: StepStarted['kind'];
  readonly title: string;
  readonly input?: unknown;
}

type StepStarted = SearchEventOf<'step.started'>;

/** An empty state; its clock starts now. */
export function createResearchState(): ResearchState {
  const startedAt = performance.now();
  const sources: Source[] = [];
  const byPage = new Map<string, Source>();
  const warned = new Set<string>();
  const stages: Record<string, number> = {};
  let steps = 0;

  function begin(step: StepInput, parent_id?: string): ReturnType<ResearchState['begin']> {
    steps += 1;
    const step_id = `step_${steps}`;
    const begunAt = performance.now();
    return {
      step_id,
      started: { type: 'step.started', step_id, ...(parent_id === undefined ? {} : { parent_id }), ...step },
      finish(summary) {
        const duration_ms = round(performance.now() - begunAt);
        stages[step.kind] = round((stages[step.kind] ?? 0) + duration_ms);
        return { type: 'step.finished', step_id, status: 'ok', duration_ms, summary };
      },
    };
  }

  const state: ResearchState = {
    sources,
    citations: [],
    unavailable: {},
    missed: new Map(),
    uncited: [],
    usage: { ...noUsage, models: [], providers: [] },

    warnsOf(what) {
      const isFirst = !warned.has(what);
      warned.add(what);
      return isFirst;
    },

    hasSource: (passage) => byPage.has(keyOf(passage)),

    source(passage) {
      const key = keyOf(passage);
      const known = byPage.get(key);
      if (known !== undefined) return { source: known };
      const n = sources.length + 1;
      const { url, title, snapshot, text } = passage;
      const source: Source = {
        id: `src_${n}`,
        n,
        url,
        title,
        domain: domainOf(url),
        ...(passage.standing?.kind === undefined ? {} : { kind: passage.standing.kind }),
        snippet: snippetOf(text),
        ...(passage.published_at === undefined ? {} : { published_at: passage.published_at }),
        snapshot,
      };
      byPage.set(key, source);
      sources.push(source);
      return { source, added: { type: 'source.added', source } };
    },

    begin: (step) => begin(step),

    async *step(step, work) {
      const { step_id, started, finish } = this.begin(step);
      yield started;
      const { value, summary } = yield* typeof work === 'function' ? work(step_id) : work;
      yield finish(summary);
      return value;
    },

    under: (parent_id) => ({ ...state, begin: (step) => begin(step, parent_id) }),

    timings: () => ({ total_ms: round(performance.now() - startedAt), stages: { ...stages } }),
  };
  return state;
}

/** By snapshot, too: a page read twice may have changed, and a quote holds only in the text in which it was found. */
function keyOf({ snapshot, url }: Passage): string {
  return `${snapshot} ${url}`;
}

function domainOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, '');
  } catch {
    return '';
  }
}

/** Characters of a snippet, and the minimum that a cut at a space may leave; set by hand. */
const snippetLength = 240;
const minSnippet = 160;

function snippetOf(text: string): string {
  // Flattening the beginning is nearly always enough, and costs less than all of the text.
  const beginning = flatten(text.slice(0, 1.5 * snippetLength));
  const flat = beginning.length > snippetLength ? beginning : flatten(text);
  if (flat.length <= snippetLength) return flat;
  const cut = flat.slice(0, snippetLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), minSnippet)).toWellFormed()}…`;
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Milliseconds to two decimals: more digits are noise on the wire. */
function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
