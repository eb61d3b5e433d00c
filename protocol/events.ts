/**
 * The events of a search, as stored in its log. A transport adds `search_id`, `seq` and `at` (and `first_seq` if one
 * frame covers several entries) and sends them; it never adds, renames or drops anything else.
 *
 * Offsets are in UTF-16 code units, start inclusive, end exclusive.
 */
import * as z from 'zod';
import { ErrorObject } from './errors.ts';
import { Timestamp } from './timestamp.ts';

export const stepKinds = ['plan', 'search', 'fetch', 'read', 'rank', 'write', 'verify'] as const;
export const answerStatuses = ['answered', 'partial', 'not_found', 'conflicting'] as const;
export type AnswerStatus = (typeof answerStatuses)[number];

/** Whether a source says what a claim says: all of it, a part of it, the opposite; or it could not be decided. */
export const claimVerdicts = ['supported', 'partly', 'contradicted', 'unclear'] as const;
export type ClaimVerdict = (typeof claimVerdicts)[number];

const Offset = z.int().nonnegative();

export const SourceExcerpt = z
  .object({
    text: z.string().describe('Whole sentences; always equal to `snapshot.slice(source_start, source_end)`.'),
    source_start: Offset,
    source_end: Offset,
  })
  .meta({ id: 'SourceExcerpt' });
export type SourceExcerpt = z.infer<typeof SourceExcerpt>;

export const sourceKinds = ['official', 'reference', 'news', 'forum', 'blog'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export const Source = z
  .object({
    id: z.string(),
    n: z.int().positive().describe('The number in its markers `[n]`; counted from 1 without gaps.'),
    url: z.string(),
    title: z.string(),
    domain: z.string(),
    kind: z.enum(sourceKinds).optional().describe('The kind of site, if its address tells.'),
    snippet: z.string().optional(),
    excerpt: SourceExcerpt.optional().describe(
      'What the page has about the question; only in the terminal event and in results.',
    ),
    published_at: z.string().optional(),
    snapshot: z.string().describe('GET /v1/contents/{snapshot} returns the text that was read.'),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;

export const Citation = z
  .object({
    id: z.string(),
    source_id: z.string(),
    n: z.int().positive(),
    url: z.string(),
    block: z.string().optional().describe('The block of the answer; absent for a leaf of a structured answer.'),
    path: z.string().optional().describe('JSON Pointer of the leaf; absent for a text answer.'),
    start: Offset.describe('Where the supported text starts, in the block or in the leaf as text.'),
    end: Offset,
    quote: z.string().describe('Always equal to `snapshot.slice(source_start, source_end)`.'),
    source_start: Offset,
    source_end: Offset,
    snapshot: z.string(),
    support: z.enum(['exact', 'normalised', 'fuzzy']).describe('How the quote was found in the snapshot.'),
    score: z.number().min(0).max(1),
    verdict: z
      .enum(claimVerdicts)
      .optional()
      .describe('Whether the source says what the text says. A text that its source contradicts is never cited.'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof Citation>;

export const LeafEvidence = z
  .object({
    path: z.string().describe('JSON Pointer of the leaf.'),
    status: z.enum(['found', 'inferred', 'not_found', 'conflict']),
    citations: z.array(z.string()),
    confidence: z.number().min(0).max(1),
    reason: z.string().optional().describe('Why there is no value, if more is known than that no source says it.'),
  })
  .meta({ id: 'LeafEvidence' });
export type LeafEvidence = z.infer<typeof LeafEvidence>;

export const Usage = z
  .object({
    searches: z.int().nonnegative(),
    pages: z.int().nonnegative(),
    passages: z.int().nonnegative(),
    model_calls: z.int().nonnegative(),
    tokens_in: z.int().nonnegative(),
    tokens_out: z.int().nonnegative(),
    embedding_calls: z
      .int()
      .nonnegative()
      .optional()
      .describe('Requests for vectors of questions; absent without an embedding model, or if none was needed.'),
    embedding_tokens: z.int().nonnegative().optional().describe('Their input, counted by the endpoint or estimated.'),
    rerank_calls: z.int().nonnegative().optional().describe('Requests to put passages in order; absent if none.'),
    rerank_tokens: z.int().nonnegative().optional().describe('Their input, counted by the endpoint or estimated.'),
    cache_hits: z.int().nonnegative(),
    dropped_citations: z.int().nonnegative().describe('Markers dropped because their source does not say it.'),
    contradicted_citations: z
      .int()
      .nonnegative()
      .optional()
      .describe('How many of them were dropped because their source says otherwise; absent if none.'),
    models: z.array(z.string()),
    providers: z.array(z.string()),
    stop_reason: z
      .string()
      .optional()
      .describe('Why research ended: `enough`, `nothing_new`, `rounds`, `seconds`, `searches`, `pages` or `tokens`.'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;

/** The usage of a search that has not done anything yet. */
export const noUsage = {
  searches: 0,
  pages: 0,
  passages: 0,
  model_calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  cache_hits: 0,
  dropped_citations: 0,
  models: [],
  providers: [],
} satisfies Usage;

/** Milliseconds in total, and by kind of step. */
export const Timings = z
  .object({ total_ms: z.number().nonnegative(), stages: z.record(z.string(), z.number().nonnegative()) })
  .meta({ id: 'Timings' });
export type Timings = z.infer<typeof Timings>;

export const NearestQuote = z
  .object({
    source_id: z.string(),
    n: z.int().positive(),
    url: z.string(),
    title: z.string(),
    quote: z.string().describe('Whole sentences; always equal to `snapshot.slice(source_start, source_end)`.'),
    source_start: Offset,
    source_end: Offset,
    snapshot: z.string(),
  })
  .meta({ id: 'NearestQuote' });
export type NearestQuote = z.infer<typeof NearestQuote>;

export const UncitedText = z
  .object({
    block: z.string().describe('Block of a text answer.'),
    start: z.int().nonnegative(),
    end: z.int().nonnegative().describe('`[start, end)` is the sentence, without the words that lead to it.'),
    reason: z
      .enum(['contradicted', 'unsupported'])
      .describe('`contradicted`: its source says otherwise; `unsupported`: its source does not say it.'),
  })
  .meta({ id: 'UncitedText' });
export type UncitedText = z.infer<typeof UncitedText>;

/** Body of POST /v1/search without `output_format`. */
export const TextResult = z
  .object({
    search_id: z.string(),
    status: z.enum(answerStatuses),
    answer: z.string().describe('Markdown with markers `[n]`; empty if nothing was found.'),
    previous_search_id: z.string().optional().describe('The search that this one followed up on.'),
    uncited_share: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('The share of the sentences that no citation covers; absent if there is no answer.'),
    uncited: z
      .array(UncitedText)
      .optional()
      .describe('Sentences whose citations were all dropped, in the order of the text; absent if there are none.'),
    nearest: z
      .array(NearestQuote)
      .optional()
      .describe('With `not_found`: up to three quotes that come nearest to an answer, the nearest first.'),
    message: z.string().optional().describe('With `not_found`: why, and what may help; in English, for people.'),
    citations: z.array(Citation),
    sources: z.array(Source),
    usage: Usage,
    timings: Timings,
  })
  .meta({ id: 'TextResult' });
export type TextResult = z.infer<typeof TextResult>;

/** Body of POST /v1/search with `output_format`: the template's shape and nothing else. */
export const StructuredResult = z.record(z.string(), z.unknown()).meta({ id: 'StructuredResult' });
export type StructuredResult = z.infer<typeof StructuredResult>;

/** Body of POST /v1/search with `output_format` and `include: ["evidence"]`. */
export const StructuredResultWithEvidence = z
  .object({
    search_id: z.string(),
    status: z.enum(answerStatuses),
    output: StructuredResult,
    evidence: z.array(LeafEvidence),
    citations: z.array(Citation),
    sources: z.array(Source),
    usage: Usage,
    timings: Timings,
  })
  .meta({ id: 'StructuredResultWithEvidence' });
export type StructuredResultWithEvidence = z.infer<typeof StructuredResultWithEvidence>;

export const SearchResult = z.union([TextResult, StructuredResultWithEvidence, StructuredResult]);
export type SearchResult = z.infer<typeof SearchResult>;

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const PatchOperation = z
  .object({
    op: z.enum(['set', 'append']).describe('`set` sets the value; `append` appends text to a string.'),
    path: z.string().describe('JSON Pointer; its parents already exist.'),
    value: z.unknown(),
  })
  .meta({ id: 'PatchOperation' });
export type PatchOperation = z.infer<typeof PatchOperation>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape, means: string) =>
  z.object({ type: z.literal(type), ...shape }).meta({ id: type, description: means });

const partial = z
  .object({ answer: z.string().optional(), output: StructuredResult.optional(), citations: z.array(Citation) })
  .optional()
  .describe('What was finished when the search ended.');

/** Of a background search. */
export const Attempt = z.int().positive().describe('How many times the search was begun; only of a background search.');

/** Every event, roughly in the order in which a search sends them. */
export const searchEvents = {
  'search.accepted': event(
    'search.accepted',
    {
      created_at: Timestamp,
      deadline_at: Timestamp,
      mode: z.enum(['text', 'structured']),
      engine: z.string(),
      api: z
        .object({ api_stub: z.string(), version: z.int().positive().optional() })
        .optional()
        .describe('For the run of an API: its stub and version; a draft has no version.'),
      attempt: Attempt.optional(),
    },
    'Always `seq` 1. The search exists and can be resumed.',
  ),
  'search.restarted': event(
    'search.restarted',
    { attempt: Attempt },
    'A background search was restarted: what came before it, except `search.accepted`, no longer holds.',
  ),
  'step.started': event(
    'step.started',
    {
      step_id: z.string(),
      parent_id: z.string().optional(),
      kind: z.enum(stepKinds),
      title: z.string(),
      input: z.unknown().optional(),
    },
    'A stage started.',
  ),
  'step.progress': event(
    'step.progress',
    {
      step_id: z.string(),
      message: z.string().optional(),
      done: z.int().nonnegative().optional(),
      total: z.int().nonnegative().optional(),
    },
    'At most four per second and step.',
  ),
  'step.finished': event(
    'step.finished',
    {
      step_id: z.string(),
      status: z.enum(['ok', 'error', 'skipped']),
      duration_ms: z.number().nonnegative(),
      summary: z.string().optional(),
      error: z.string().optional(),
    },
    'Exactly one for each started step, however the search ends.',
  ),
  'source.added': event('source.added', { source: Source }, 'A source that later events may cite.'),
  'answer.delta': event(
    'answer.delta',
    { block: z.string(), from: Offset, text: z.string() },
    'Text to append to a block; `from` is the previous length of the block.',
  ),
  'citation.added': event(
    'citation.added',
    { citation: Citation },
    'A checked citation; the text it covers has already been sent.',
  ),
  'answer.block.done': event(
    'answer.block.done',
    { block: z.string(), kind: z.literal('markdown'), text: z.string(), citations: z.array(z.string()) },
    'The complete block: all its deltas, concatenated.',
  ),
  'result.patch': event(
    'result.patch',
    { ops: z.array(PatchOperation) },
    'Operations on the structured answer, which starts as `{}`.',
  ),
  'field.completed': event(
    'field.completed',
    {
      path: z.string(),
      value: Scalar,
      citations: z.array(z.string()),
      ...LeafEvidence.pick({ status: true, confidence: true, reason: true }).shape,
    },
    'A leaf has its final value.',
  ),
  warning: event(
    'warning',
    { code: z.string(), message: z.string() },
    'Something went wrong, but the search continues.',
  ),
  'usage.updated': event('usage.updated', { usage: Usage }, 'Counters so far.'),
  'search.completed': event(
    'search.completed',
    {
      status: z.enum(answerStatuses),
      result: SearchResult.describe('The response body of POST /v1/search.'),
      sources: z.array(Source),
      citations: z.array(Citation),
      evidence: z.array(LeafEvidence).optional(),
      usage: Usage,
      timings: Timings,
    },
    'Terminal. Repeats the whole result, so reading only this event is enough.',
  ),
  'search.failed': event('search.failed', { error: ErrorObject, partial, usage: Usage }, 'Terminal: no answer.'),
  'search.cancelled': event(
    'search.cancelled',
    { by: z.enum(['client', 'disconnect', 'deadline', 'admin']), partial, usage: Usage },
    'Terminal; all upstream requests of the search are closed.',
  ),
} as const;

export type SearchEventType = keyof typeof searchEvents;
type EventSchemas = typeof searchEvents;
export type SearchEvent = { [Type in SearchEventType]: z.infer<EventSchemas[Type]> }[SearchEventType];
export type SearchEventOf<Type extends SearchEventType> = z.infer<EventSchemas[Type]>;
export type CompletedEvent = SearchEventOf<'search.completed'>;

export const terminalTypes = ['search.completed', 'search.failed', 'search.cancelled'] as const;
export type TerminalEvent = SearchEventOf<(typeof terminalTypes)[number]>;

/** Whether this event ends its log. */
export function isTerminal(event: SearchEvent): event is TerminalEvent {
  return (terminalTypes as readonly string[]).includes(event.type);
}

/** The status of the answer of an ended search, or the code of its failure; neither if it was cancelled. */
export function outcomeOf(terminal: TerminalEvent): { readonly status?: AnswerStatus; readonly error_code?: string } {
  if (terminal.type === 'search.completed') return { status: terminal.status };
  return terminal.type === 'search.failed' ? { error_code: terminal.error.code } : {};
}

/**
 * What a transport adds to an event. `first_seq` is set only if one frame covers the entries from `first_seq` to `seq`.
 */
export const LogPosition = z.object({
  search_id: z.string(),
  first_seq: z.int().positive().optional(),
  seq: z.int().positive(),
  at: Timestamp,
});
export type LogPosition = z.infer<typeof LogPosition>;

export type SearchFrame = SearchEvent & LogPosition;
