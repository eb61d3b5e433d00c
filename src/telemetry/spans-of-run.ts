/**
 * The spans of a search, made of its log once it has ended: the search itself and a span for each step; and of the calls that it
 * made, which become children of the step that made them. Names and attributes are those of the GenAI conventions 0.1 where
 * they have one, and `citewire.*` elsewhere.
 */
import type { SearchEventOf, TerminalEvent, TextResult } from '../../protocol/index.ts';
import type { TraceContext } from '../base/traceparent.ts';
import { newSpanId } from '../base/traceparent.ts';
import type { CallOutcome, WatchedCall } from '../engine/ports/call-watch.ts';
import type { RunLog } from '../runs/log.ts';
import { stateOf } from '../runs/replay.ts';
import type { Run } from '../runs/run.ts';
import type { SearchAbout } from '../runs/tracing.ts';
import type { Attributes, Span } from './span.ts';

/** A call that is over. */
export interface EndedCall extends CallOutcome {
  readonly call: WatchedCall;
  readonly span_id: string;
  /** Milliseconds since 1970, like `end`. */
  readonly start: number;
  readonly end: number;
}

export interface RunToTrace {
  /** The context of the search's span. */
  readonly context: TraceContext;
  readonly parent_id: string | undefined;
  readonly run: Pick<Run, 'search_id' | 'created_at' | 'prompts' | 'log' | 'attempt'>;
  readonly about: SearchAbout;
  readonly calls: readonly EndedCall[];
  /** When this process began it, ms since 1970. */
  readonly start: number;
  readonly hasContent: boolean;
}

interface Step {
  readonly started: SearchEventOf<'step.started'>;
  readonly span_id: string;
  readonly start: number;
  end: number;
  status: SearchEventOf<'step.finished'>['status'];
}

/** The name of the workflow. */
const workflow = 'citewire.search';

/** The steps that make each kind of call, the likeliest first. */
const makersOf: Record<WatchedCall['kind'], readonly string[]> = {
  query: ['search', 'plan'],
  page: ['fetch', 'read'],
  model: ['write', 'verify', 'rank', 'plan', 'read'],
};

/** The span of the search first. Empty for a run without an end. */
export function spansOfRun(search: RunToTrace): Span[] {
  const { context, run, calls } = search;
  const { steps, warnings, end } = readLog(run.log);
  const terminal = run.log.terminal();
  if (terminal === undefined) return [];
  const { trace_id } = context;
  const ids = new Map(steps.map(({ started, span_id }) => [started.step_id, span_id]));
  const stepSpans = steps.map((step): Span => {
    const { kind, parent_id } = step.started;
    const isPlan = kind === 'plan';
    return {
      trace_id,
      span_id: step.span_id,
      parent_id: (parent_id === undefined ? undefined : ids.get(parent_id)) ?? context.span_id,
      name: isPlan ? `plan ${workflow}` : kind,
      kind: 'internal',
      start: step.start,
      end: step.end,
      attributes: {
        ...(isPlan ? { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': workflow } : {}),
        'citewire.step.kind': kind,
        'citewire.step.status': step.status,
      },
      isError: step.status === 'error',
    };
  });
  const taken = new Set<Step>();
  const callSpans = calls.map((call): Span => {
    const step = stepOf(call, steps, taken);
    if (step !== undefined) taken.add(step);
    const parent = step?.span_id ?? context.span_id;
    return {
      trace_id,
      span_id: call.span_id,
      parent_id: parent,
      start: call.start,
      end: call.end,
      ...describeCall(call, search.hasContent),
    };
  });
  const root: Span = {
    trace_id,
    span_id: context.span_id,
    parent_id: search.parent_id,
    name: `invoke_workflow ${workflow}`,
    kind: 'internal',
    start: search.start,
    end,
    attributes: describeSearch(search, terminal),
    events: warnings.map(({ at, code }) => ({ name: 'warning', at, attributes: { 'citewire.warning.code': code } })),
    isError: terminal.type === 'search.failed',
  };
  return [root, ...stepSpans, ...callSpans];
}

function readLog(log: RunLog) {
  const steps: Step[] = [];
  const open = new Map<string, Step>();
  const warnings: { at: number; code: string }[] = [];
  let end = 0;
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) {
    const { event } = entry;
    if (event.type === 'answer.delta') continue;
    const at = Date.parse(entry.at);
    end = at;
    if (event.type === 'step.started') {
      const step: Step = { started: event, span_id: newSpanId(), start: at, end: at, status: 'ok' };
      steps.push(step);
      open.set(event.step_id, step);
    } else if (event.type === 'step.finished') {
      Object.assign(open.get(event.step_id) ?? {}, { end: at, status: event.status });
    } else if (event.type === 'warning') warnings.push({ at, code: event.code });
  }
  return { steps, warnings, end };
}

/**
 * The step that made a call: of those that were open when it began, the last one of a kind that makes such calls. Of several that
 * began in the same millisecond, it is the first to end after the call that has none yet.
 */
function stepOf({ call, start, end }: EndedCall, steps: readonly Step[], taken: ReadonlySet<Step>): Step | undefined {
  const kinds = makersOf[call.kind];
  const isOpen = (step: Step) => kinds.includes(step.started.kind) && step.start <= start && start <= step.end;
  const last = steps.findLast(isOpen);
  const beside = steps.filter((step) => isOpen(step) && step.start === last?.start && step.end >= end);
  const [free] = beside.filter((step) => !taken.has(step)).sort((a, b) => a.end - b.end);
  return free ?? last;
}

function describeCall(
  { call, error, tokens, found }: EndedCall,
  hasContent: boolean,
): Pick<Span, 'name' | 'kind' | 'attributes' | 'isError'> {
  const failed = { 'error.type': errorTypeOf(error) };
  const isError = error !== undefined;
  if (call.kind === 'model') {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': call.provider,
      'gen_ai.request.model': call.model,
      'gen_ai.usage.input_tokens': tokens?.in,
      'gen_ai.usage.output_tokens': tokens?.out,
      ...serverOf(call.baseUrl),
      ...failed,
    };
    return { name: `chat ${call.model}`, kind: 'client', attributes, isError };
  }
  if (call.kind === 'query') {
    const attributes = {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': call.source,
      'gen_ai.retrieval.top_k': call.limit,
      ...(hasContent ? { 'gen_ai.retrieval.query.text': call.text } : {}),
      'citewire.retrieval.found': found,
      ...failed,
    };
    return { name: `retrieval ${call.source}`, kind: 'client', attributes, isError };
  }
  const attributes = {
    'http.request.method': 'GET',
    ...serverOf(call.url),
    ...(hasContent ? { 'url.full': call.url } : {}),
    ...failed,
  };
  return { name: 'GET', kind: 'client', attributes, isError };
}

function describeSearch({ run, about, hasContent }: RunToTrace, terminal: TerminalEvent): Attributes {
  const { usage } = terminal;
  const isStructured = about.mode === 'structured';
  return {
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.agent.name': workflow,
    'gen_ai.conversation.id': about.conversation,
    'gen_ai.output.type': isStructured ? 'json' : 'text',
    'gen_ai.usage.input_tokens': usage.tokens_in,
    'gen_ai.usage.output_tokens': usage.tokens_out,
    'citewire.search.id': run.search_id,
    'citewire.search.door': about.door,
    'citewire.search.state': stateOf(terminal),
    'citewire.search.status': terminal.type === 'search.completed' ? terminal.status : undefined,
    'citewire.search.attempt': run.attempt,
    'citewire.search.searches': usage.searches,
    'citewire.search.pages': usage.pages,
    'citewire.search.model_calls': usage.model_calls,
    'citewire.search.dropped_citations': usage.dropped_citations,
    'citewire.search.stop_reason': usage.stop_reason,
    'citewire.search.models': usage.models,
    'citewire.search.providers': usage.providers,
    'citewire.api.stub': about.api_stub,
    'error.type': terminal.type === 'search.failed' ? terminal.error.code : undefined,
    ...(hasContent ? contentOf(run.prompts, about.mode, terminal) : {}),
  };
}

/** The messages, in the form that the conventions give them on spans. */
function contentOf(prompts: readonly string[], mode: string, terminal: TerminalEvent): Attributes {
  const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
  const input = JSON.stringify(prompts.map((prompt) => message('user', prompt)));
  if (terminal.type !== 'search.completed') return { 'gen_ai.input.messages': input };
  const { result } = terminal;
  const answer = mode === 'text' ? (result as TextResult).answer : JSON.stringify(result);
  const output = JSON.stringify([{ ...message('assistant', answer), finish_reason: 'stop' }]);
  return { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output };
}

/** Host and port only: the path or the query of a URL may hold a key. */
export function serverOf(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return {
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? defaultPort : Number(port),
  };
}

/** The code or the name of an error: its message may quote what it is about. */
function errorTypeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
