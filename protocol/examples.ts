/**
 * One sample of every message for the generated documents, following a single search from start to end. Offsets are
 * computed from the texts, so the samples keep the promise they illustrate. Tests parse each sample with its schema.
 */
import type { z } from 'zod';
import type { HTTPError, HTTPValidationError } from './errors.ts';
import type {
  Citation,
  LogPosition,
  SearchEventOf,
  SearchEventType,
  Source,
  TextResult,
  Timings,
  Usage,
} from './events.ts';
import type { ClientFrameType, clientFrames, ServerFrameType, serverFrames } from './frames.ts';
import type { SearchRequest } from './requests.ts';
import type { PageContents } from './responses.ts';

const searchId = 's_3vQy7mJx0c9TqkL2ZpW8aB';
const connectionId = 'c_5tGh1nRw8eKd4sYu7iXo2f';
const requestId = 'r_9bNc6vXz3mLk1jHg';
const snapshotId = '4f1d2c9ab07e6358';
const at = '2026-03-02T09:30:00.250Z';

const quote = 'The timeout is 300 seconds by default.';
const page: PageContents = {
  response: `# Timeouts\n\nA request waits for the headers of its response. ${quote}\n`,
  info: {
    snapshot: snapshotId,
    final_url: 'https://example.org/client/timeouts',
    title: 'Timeouts',
    published_at: '2026-01-31T00:00:00.000Z',
  },
};

const sentence = 'A request waits 300 seconds for headers by default';
const answer = `${sentence} [1].`;

const source = {
  id: 'src_1',
  n: 1,
  url: page.info.final_url,
  title: page.info.title,
  domain: 'example.org',
  snippet: quote,
  published_at: '2026-01-31T00:00:00.000Z',
  snapshot: snapshotId,
} satisfies Source;

const quoted = {
  source_id: source.id,
  n: source.n,
  url: source.url,
  quote,
  source_start: page.response.indexOf(quote),
  source_end: page.response.indexOf(quote) + quote.length,
  snapshot: snapshotId,
  support: 'exact',
} as const;

/** As it is once the search is complete. */
const readSource: Source = {
  ...source,
  excerpt: { text: quote, source_start: quoted.source_start, source_end: quoted.source_end },
};

const citation: Citation = { id: 'cit_1', block: 'b1', start: 0, end: sentence.length, ...quoted, score: 0.93 };

const usage: Usage = {
  searches: 1,
  pages: 1,
  passages: 8,
  model_calls: 2,
  tokens_in: 1840,
  tokens_out: 21,
  cache_hits: 0,
  dropped_citations: 0,
  models: ['extractive'],
  providers: ['corpus'],
};
const timings: Timings = { total_ms: 38.4, stages: { plan: 0.6, search: 4.1, rank: 6.2, write: 20.3, verify: 3.1 } };

const textResult: TextResult = {
  search_id: searchId,
  status: 'answered',
  answer,
  uncited_share: 0,
  citations: [citation],
  sources: [readSource],
  usage,
  timings,
};

export const requestExamples: Record<string, z.input<typeof SearchRequest>> = {
  text: { prompt: 'How long does a request wait for headers by default?', source_whitelist: ['example.org/client'] },
  structured: {
    prompt: 'How long does a request wait for headers by default?',
    output_format: {
      option: 'string',
      default_s: 'number',
      mentioned_in: [{ page: 'string', recommended: 'boolean' }],
    },
    include: ['evidence'],
  },
};

export const resultExamples = {
  TextResult: textResult,
  StructuredResult: { option: 'headersTimeout', default_s: 300, mentioned_in: [] },
  StructuredResultWithEvidence: {
    search_id: searchId,
    status: 'partial',
    output: { option: null, default_s: 300, mentioned_in: [] },
    evidence: [
      { path: '/option', status: 'not_found', citations: [], confidence: 0 },
      { path: '/default_s', status: 'found', citations: ['cit_1'], confidence: 0.93 },
    ],
    citations: [{ id: 'cit_1', path: '/default_s', start: 0, end: 3, ...quoted, score: 0.93 }],
    sources: [readSource],
    usage,
    timings,
  },
  Contents: {
    response: page.response,
    info: {
      ...page.info,
      status: 200,
      content_type: 'text/html; charset=utf-8',
      words: 12,
      hash: 'a61fe73a9a54bd5cef5d17bbb1c6010c34cd2eeef56c8a0d39d6748badb07ab9',
      fetched_at: '2026-01-31T12:00:00.000Z',
      from_cache: false,
      extractor: 'html/docs',
      truncated: false,
      links: [],
      warnings: [],
    },
  },
  PageContents: page,
  Health: { status: 'ok' },
  Ready: { status: 'ready' },
} as const;

const issue = {
  loc: ['body', 'output_format', 'price'],
  msg: 'expected "string", "number" or "boolean", an object, or an array of one object, "string" or "number"; got "nmber"',
  type: 'literal_error',
};

export const errorExamples: { HTTPValidationError: HTTPValidationError; HTTPError: HTTPError } = {
  HTTPValidationError: {
    detail: [issue],
    error: {
      code: 'validation_error',
      message: 'The request does not match its schema.',
      retryable: false,
      issues: [issue],
      request_id: requestId,
    },
  },
  HTTPError: {
    detail: 'The key has reached its limit of 10 requests per minute.',
    error: {
      code: 'rate_limited',
      message: 'The key has reached its limit of 10 requests per minute.',
      retryable: true,
      retry_after_ms: 12_400,
      request_id: requestId,
    },
  },
};

const position = (seq: number): LogPosition => ({ search_id: searchId, seq, at });

export const eventExamples: { [Type in SearchEventType]: SearchEventOf<Type> & LogPosition } = {
  'search.accepted': {
    type: 'search.accepted',
    ...position(1),
    created_at: '2026-03-02T09:30:00.000Z',
    deadline_at: '2026-03-02T09:32:00.000Z',
    mode: 'text',
    engine: 'extractive',
  },
  'search.restarted': { type: 'search.restarted', ...position(1_000_000), attempt: 2 },
  'step.started': {
    type: 'step.started',
    ...position(2),
    step_id: 'st_1',
    kind: 'search',
    title: 'Searching the index',
  },
  'step.progress': { type: 'step.progress', ...position(3), step_id: 'st_1', done: 4, total: 10 },
  'step.finished': {
    type: 'step.finished',
    ...position(4),
    step_id: 'st_1',
    status: 'ok',
    duration_ms: 4.1,
    summary: '10 passages from 6 pages',
  },
  'source.added': { type: 'source.added', ...position(5), source },
  'answer.delta': { type: 'answer.delta', ...position(7), first_seq: 6, block: 'b1', from: 0, text: answer },
  'citation.added': { type: 'citation.added', ...position(8), citation },
  'answer.block.done': {
    type: 'answer.block.done',
    ...position(9),
    block: 'b1',
    kind: 'markdown',
    text: answer,
    citations: [citation.id],
  },
  'result.patch': {
    type: 'result.patch',
    ...position(6),
    ops: [
      { op: 'set', path: '/option', value: 'headers' },
      { op: 'append', path: '/option', value: 'Timeout' },
    ],
  },
  'field.completed': {
    type: 'field.completed',
    ...position(7),
    path: '/default_s',
    value: 300,
    citations: [citation.id],
    status: 'found',
    confidence: 0.93,
  },
  warning: {
    type: 'warning',
    ...position(10),
    code: 'source_unreachable',
    message: 'example.net did not respond in time; its page was skipped.',
  },
  'usage.updated': { type: 'usage.updated', ...position(11), usage },
  'search.completed': {
    type: 'search.completed',
    ...position(12),
    status: 'answered',
    result: textResult,
    sources: [readSource],
    citations: [citation],
    usage,
    timings,
  },
  'search.failed': {
    type: 'search.failed',
    ...position(12),
    error: {
      code: 'deadline_exceeded',
      message: 'The search did not finish within 120 seconds.',
      retryable: true,
      request_id: requestId,
    },
    partial: { answer, citations: [citation] },
    usage,
  },
  'search.cancelled': { type: 'search.cancelled', ...position(6), by: 'client', usage },
};

export const clientFrameExamples: { [Type in ClientFrameType]: z.input<(typeof clientFrames)[Type]> } = {
  'search.start': {
    type: 'search.start',
    ref: '1',
    request: { prompt: 'How long does a request wait for headers by default?' },
    idempotency_key: 'b7e1c0',
  },
  'search.resume': { type: 'search.resume', ref: '2', search_id: searchId, after_seq: 7 },
  'search.cancel': { type: 'search.cancel', ref: '3', search_id: searchId },
  'search.detach': { type: 'search.detach', ref: '4', search_id: searchId },
  ping: { type: 'ping', ref: '5' },
};

const rateLimit = { policy: 'starter', limit: 10, remaining: 9, reset_s: 60, window_s: 60 };

export const serverFrameExamples: { [Type in ServerFrameType]: z.input<(typeof serverFrames)[Type]> } = {
  'session.ready': {
    type: 'session.ready',
    at,
    connection_id: connectionId,
    limits: { frame_bytes: 1_048_576, prompt_characters: 40_000, searches_per_connection: 2 },
    heartbeat_s: 15,
    offset_unit: 'utf-16',
    rate_limit: rateLimit,
  },
  'search.attached': {
    type: 'search.attached',
    at,
    ref: '1',
    search_id: searchId,
    state: 'running',
    after_seq: 0,
    head_seq: 1,
    deduplicated: false,
  },
  'resume.failed': { type: 'resume.failed', at, ref: '2', search_id: searchId, reason: 'expired' },
  rate_limit: { type: 'rate_limit', at, ...rateLimit },
  heartbeat: { type: 'heartbeat', at, searches: [{ search_id: searchId, seq: 7, state: 'running' }] },
  pong: { type: 'pong', at, ref: '5' },
  error: {
    type: 'error',
    at,
    ref: '1',
    error: { code: 'not_found', message: 'No such search exists.', retryable: false, request_id: requestId },
  },
  'session.closing': {
    type: 'session.closing',
    at,
    code: 4503,
    reason: 'The server is shutting down; reconnect.',
    reconnect_after_ms: 800,
    resume: true,
  },
};
