/**
 * The state of a search for display, built frame by frame. Pure: the same events give the same state however the server
 * merged or split them, a repeated frame changes nothing, and what a frame does not affect stays the same object, so a page
 * can decide by `===` what to render again.
 */
import type {
  Citation,
  ErrorObject,
  LeafEvidence,
  PatchOperation,
  SearchEventOf,
  SearchFrame,
  SearchRecord,
  SearchResult,
  Source,
  StructuredObject,
  StructuredValue,
  TextResult,
  Timings,
  Usage,
} from '../../protocol/index.ts';

export interface SearchState {
  readonly search_id: string | undefined;
  /** Seq of the last frame applied. */
  readonly seq: number;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly mode: 'text' | 'structured' | undefined;
  /** The model that answers; `extractive` where none does. */
  readonly engine: string | undefined;
  /** Outcome of a completed search. */
  readonly status: SearchEventOf<'search.completed'>['status'] | undefined;
  /** In the order in which they started. */
  readonly steps: readonly Step[];
  readonly sources: readonly Source[];
  /** The answer of a text search, in order. */
  readonly blocks: readonly Block[];
  /** The structured answer so far. */
  readonly output: StructuredObject;
  readonly evidence: readonly LeafEvidence[];
  readonly citations: readonly Citation[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly usage: Usage | undefined;
  readonly timings: Timings | undefined;
  readonly result: SearchResult | undefined;
  /** Why a cancelled search was cancelled. */
  readonly cancelled_by: SearchEventOf<'search.cancelled'>['by'] | undefined;
  readonly error: ErrorObject | undefined;
}

export interface Step extends Omit<SearchEventOf<'step.started'>, 'type'> {
  readonly state: 'running' | 'ok' | 'error' | 'skipped';
  readonly message?: string | undefined;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  readonly duration_ms?: number;
  readonly summary?: string | undefined;
  readonly error?: string | undefined;
}

/** A part of the answer. The offsets of its `citations` count from the beginning of its `text`. */
export interface Block {
  readonly id: string;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly isDone: boolean;
}

/** The state before the first frame. */
export const emptySearch: SearchState = {
  search_id: undefined,
  seq: 0,
  state: 'waiting',
  mode: undefined,
  engine: undefined,
  status: undefined,
  steps: [],
  sources: [],
  blocks: [],
  output: {},
  evidence: [],
  citations: [],
  warnings: [],
  usage: undefined,
  timings: undefined,
  result: undefined,
  cancelled_by: undefined,
  error: undefined,
};

/** The terminal event of an ended search, rebuilt from its record. */
export function terminalOf({ state, ...record }: SearchRecord, seq: number): SearchFrame {
  const at = new Date().toISOString();
  return { at, ...record, type: `search.${state}`, seq } as unknown as SearchFrame;
}

/** The state of an ended search whose events are no longer kept. */
export function stateOfRecord(record: SearchRecord): SearchState {
  return reduceSearch(emptySearch, terminalOf(record, 1));
}

/** `frames.reduce(reduceSearch, emptySearch)`. A frame with another `search_id`, after a restart, resets the state. */
export function reduceSearch(state: SearchState, frame: SearchFrame): SearchState {
  const { search_id, seq } = frame;
  if (search_id === state.search_id && seq <= state.seq) return state;
  const before = search_id === state.search_id ? state : emptySearch;
  return { ...before, ...changes(before, frame), search_id, seq };
}

function changes(state: SearchState, frame: SearchFrame): Partial<SearchState> {
  switch (frame.type) {
    case 'search.accepted':
      return { state: 'running', mode: frame.mode, engine: frame.engine };
    case 'search.restarted': {
      const { mode, engine } = state;
      return { ...emptySearch, state: 'running', mode, engine };
    }
    case 'step.started':
      return { steps: [...state.steps, { ...withoutPlace(frame), state: 'running' }] };
    case 'step.progress':
      return { steps: changeStep(state.steps, frame.step_id, withoutPlace(frame)) };
    case 'step.finished': {
      const { status, ...rest } = withoutPlace(frame);
      return { steps: changeStep(state.steps, frame.step_id, { ...rest, state: status }) };
    }
    case 'source.added':
      return { sources: [...state.sources, frame.source] };
    case 'answer.delta':
      return { blocks: changeBlock(state.blocks, frame.block, (block) => grow(block, frame.from, frame.text)) };
    case 'answer.block.done':
      return {
        blocks: changeBlock(state.blocks, frame.block, (block) => ({ ...block, text: frame.text, isDone: true })),
      };
    case 'citation.added':
      return cite(state, frame.citation);
    case 'result.patch':
      return { output: frame.ops.reduce<StructuredObject>(patched, state.output) };
    case 'field.completed': {
      const { path, citations, status, confidence, reason } = frame;
      const leaf = { path, status, citations, confidence, ...(reason === undefined ? {} : { reason }) };
      return { evidence: [...state.evidence, leaf] };
    }
    case 'warning':
      return { warnings: [...state.warnings, { code: frame.code, message: frame.message }] };
    case 'usage.updated':
      return { usage: frame.usage };
    case 'search.completed':
      return completed(state, frame);
    case 'search.failed':
      return { ...soFar(state, frame.partial), state: 'failed', error: frame.error, usage: frame.usage };
    case 'search.cancelled':
      return { ...soFar(state, frame.partial), state: 'cancelled', cancelled_by: frame.by, usage: frame.usage };
    default:
      return {};
  }
}

/** The terminal event repeats the whole result, so it fills in whatever is missing so far. */
function completed(
  state: SearchState,
  frame: Extract<SearchFrame, { type: 'search.completed' }>,
): Partial<SearchState> {
  const { status, result, citations, evidence, usage, timings } = frame;
  const known = new Set(state.sources.map(({ id }) => id));
  // Only now do they have their excerpts.
  const complete = new Map(frame.sources.map((source) => [source.id, source]));
  const sources = [
    ...state.sources.map((source) => complete.get(source.id) ?? source),
    ...frame.sources.filter(({ id }) => !known.has(id)),
  ];
  const rest = { state: 'completed', status, result, sources, citations, usage, timings } as const;
  if (evidence !== undefined)
    return { ...rest, mode: 'structured', evidence, output: structuredOutput(result, frame.search_id) };
  const { answer } = result as TextResult;
  const isWhole = state.blocks.map(({ text }) => text).join('') === answer;
  return { ...rest, mode: 'text', blocks: blocksOf(answer, citations, isWhole ? state.blocks : undefined) };
}

/** What a search without a result had found, where the events that said so are no longer kept. */
function soFar(
  state: SearchState,
  partial: SearchEventOf<'search.cancelled'>['partial'],
): Partial<Pick<SearchState, 'mode' | 'blocks' | 'output' | 'citations'>> {
  const hasNone = state.blocks.length === 0 && Object.keys(state.output).length === 0;
  if (partial === undefined || !hasNone) return {};
  const { answer = '', output = {}, citations } = partial;
  const mode = state.mode ?? (answer === '' ? 'structured' : 'text');
  return { mode, blocks: blocksOf(answer, citations), output: output as StructuredObject, citations };
}

/** The finished blocks of an answer: with the texts of those that are known, or else one for all of it. */
function blocksOf(
  answer: string,
  citations: readonly Citation[],
  known: readonly Pick<Block, 'id' | 'text'>[] = [{ id: citations[0]?.block ?? 'answer', text: answer }],
): readonly Block[] {
  if (answer === '') return [];
  return known.map(({ id, text }) => ({
    id,
    text,
    citations: citations.filter(({ block }) => block === id),
    isDone: true,
  }));
}

/**
 * The structured answer in the result of a search, as `structuredOutput` of the protocol, which the client loads no code of.
 * With `include: ["evidence"]` the result wraps the output, and names the search.
 */
export function structuredOutput(result: SearchResult, search_id: string): StructuredObject {
  const { search_id: named, output, evidence } = result as Record<string, unknown>;
  const isWrapped = named === search_id && Array.isArray(evidence) && typeof output === 'object';
  return (isWrapped ? output : result) as StructuredObject;
}

type Place = 'type' | 'search_id' | 'seq' | 'first_seq' | 'at';

function withoutPlace<Frame extends SearchFrame>(frame: Frame): Omit<Frame, Place> {
  const { type, search_id, seq, first_seq, at, ...rest } = frame;
  return rest;
}

function changeStep(steps: readonly Step[], step_id: string, change: Partial<Step>): readonly Step[] {
  return steps.map((step) => (step.step_id === step_id ? { ...step, ...change } : step));
}

function changeBlock(blocks: readonly Block[], id: string, change: (block: Block) => Block): readonly Block[] {
  if (!blocks.some((block) => block.id === id)) {
    return [...blocks, change({ id, text: '', citations: [], isDone: false })];
  }
  return blocks.map((block) => (block.id === id ? change(block) : block));
}

/** Appends the part of `text` that the block does not have yet. */
function grow(block: Block, from: number, text: string): Block {
  return { ...block, text: block.text + text.slice(Math.max(0, block.text.length - from)) };
}

function cite(state: SearchState, citation: Citation): Partial<SearchState> {
  const citations = [...state.citations, citation];
  if (citation.block === undefined) return { citations };
  const add = (block: Block) => ({ ...block, citations: [...block.citations, citation] });
  return { citations, blocks: changeBlock(state.blocks, citation.block, add) };
}

/** Applies a patch operation of the protocol to a copy. A path whose parent does not exist changes nothing. */
function patched(root: StructuredObject, { op, path, value }: PatchOperation): StructuredObject {
  const keys = path.split('/').slice(1);
  const change = (node: StructuredValue | undefined, depth: number): StructuredValue => {
    if (depth === keys.length)
      return op === 'append' && typeof node === 'string' ? node + value : (value as StructuredValue);
    if (typeof node !== 'object' || node === null) throw nowhere;
    const key = keys[depth]!.replace(/~1/g, '/').replace(/~0/g, '~');
    const child = change(Object.hasOwn(node, key) ? (node as StructuredObject)[key] : undefined, depth + 1);
    if (!Array.isArray(node)) return { ...node, [key]: child };
    return Object.assign([...node], { [key]: child });
  };
  try {
    return keys.length === 0 ? root : (change(root, 0) as StructuredObject);
  } catch (error) {
    if (error !== nowhere) throw error;
    return root;
  }
}

const nowhere = new Error('the parent of the path does not exist');
