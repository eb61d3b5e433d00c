/**
 * What is sent over GET /v1/ws/search besides the events of a search: text frames, one JSON object each. Clients ignore
 * unknown types and fields; the server answers an unknown `type` with `error{code: "unknown_type"}`.
 */
import * as z from 'zod';
import { Whole } from './common-fields.ts';
import { ApiStub } from './designs.ts';
import { closeCodes, ErrorObject, errorTable } from './errors.ts';
import { SearchRequest } from './requests.ts';
import { Timestamp } from './timestamp.ts';

export const subprotocol = 'citewire.v1';
export const ticketProtocolPrefix = 'ticket.';

/** Limits of every connection, in bytes, seconds and counts; set by hand, and sent in `session.ready`. */
export const sessionLimits = {
  frame_bytes: 1024 * 1024,
  frame_with_image_bytes: 14 * 1024 * 1024,
  heartbeat_s: 15,
  lifetime_s: 3600,
  searches_per_connection: 4,
  bad_messages: 3,
  invalid_frames: 100,
  control_frame_bytes: 4 * 1024,
  frames_burst: 500,
  frames_per_s: 100,
  frames_waiting: 256,
  bytes_burst: 16 * 1024 * 1024,
  bytes_per_s: 4 * 1024 * 1024,
  protocol_pings: 100,
  pongs_waiting: 100,
} as const;

const Ref = z.string().min(1).max(128);
const SearchId = z.string().min(1).max(64);

/** Runs an API instead of a search request of one's own. */
export const RunRequest = z
  .strictObject({
    api_stub: ApiStub,
    version: z
      .union([z.int(), z.literal(['newest', 'draft'])], {
        error: 'expected a version number, "newest" or "draft"',
      })
      .optional()
      .describe("Defaults to the account's own draft of this stub or, if there is none, to the newest version."),
    background: SearchRequest.shape.background,
    webhook: SearchRequest.shape.webhook,
    // Not a record, which would skip `__proto__`. Which inputs are allowed is up to the API.
    inputs: z.unknown().default({}).meta({ type: 'object', description: 'The inputs of the API, by name.' }),
  })
  .meta({ id: 'RunRequest' });
export type RunRequest = z.infer<typeof RunRequest>;

export const clientFrames = {
  'search.start': z
    .strictObject({
      type: z.literal('search.start'),
      ref: Ref.describe('Repeated in `search.attached` or `error`.'),
      request: z.union([SearchRequest, RunRequest]).describe('The body of POST /v1/search, or a run of an API.'),
      idempotency_key: z.string().min(1).max(255).optional(),
      on_disconnect: z.enum(['grace', 'cancel', 'continue']).default('grace'),
      traceparent: z.string().max(200).optional().describe('The span of the caller, as in W3C Trace Context.'),
    })
    .meta({ id: 'search.start', description: 'Starts a search.' }),
  'search.resume': z
    .strictObject({ type: z.literal('search.resume'), ref: Ref, search_id: SearchId, after_seq: Whole.nonnegative() })
    .meta({ id: 'search.resume', description: 'Continues reading a search after `after_seq`; 0 is the start.' }),
  'search.cancel': z
    .strictObject({ type: z.literal('search.cancel'), ref: Ref, search_id: SearchId })
    .meta({ id: 'search.cancel', description: 'Ends a search with `search.cancelled`.' }),
  'search.detach': z
    .strictObject({ type: z.literal('search.detach'), ref: Ref, search_id: SearchId })
    .meta({ id: 'search.detach', description: 'Stops reading a search, which continues.' }),
  ping: z
    .strictObject({ type: z.literal('ping'), ref: Ref })
    .meta({ id: 'ping', description: 'Answered with `pong`.' }),
} as const;
export type ClientFrameType = keyof typeof clientFrames;

/** `search.start` with its request unparsed: the service parses requests, the same way for every transport. */
export const SearchStartEnvelope = clientFrames['search.start'].extend({
  request: z.unknown().nonoptional('expected an object'),
});

export const RateLimit = z.object({
  policy: z.string(),
  limit: z.int().positive(),
  remaining: z.int().nonnegative(),
  reset_s: z.number().nonnegative(),
  window_s: z.int().positive(),
});

const frame = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape, means: string) =>
  z.object({ type: z.literal(type), at: Timestamp, ...shape }).meta({ id: type, description: means });

export const RunState = z.enum(['running', 'completed', 'failed', 'cancelled']);
export type RunState = z.infer<typeof RunState>;

export const serverFrames = {
  'session.ready': frame(
    'session.ready',
    {
      connection_id: z.string(),
      limits: z.record(z.string(), z.number()),
      heartbeat_s: z.number(),
      offset_unit: z.literal('utf-16'),
      rate_limit: RateLimit,
    },
    'The first frame of every connection.',
  ),
  'search.attached': frame(
    'search.attached',
    {
      ref: z.string(),
      search_id: z.string(),
      state: RunState,
      after_seq: z.int().nonnegative(),
      head_seq: z.int().nonnegative(),
      deduplicated: z.boolean(),
    },
    'The events of this search follow, from `after_seq` + 1.',
  ),
  'resume.failed': frame(
    'resume.failed',
    { ref: z.string(), search_id: z.string(), reason: z.enum(['not_found', 'expired', 'seq_ahead', 'lost']) },
    'This search cannot be resumed.',
  ),
  rate_limit: frame('rate_limit', RateLimit.shape, "What is left of the key's limit; sent after each start."),
  heartbeat: frame(
    'heartbeat',
    { searches: z.array(z.object({ search_id: z.string(), seq: z.int().nonnegative(), state: RunState })) },
    'Sent after 15 s of silence.',
  ),
  pong: frame('pong', { ref: z.string() }, 'The answer to `ping`.'),
  error: frame('error', { ref: z.string().optional(), error: ErrorObject }, 'Never closes the connection by itself.'),
  'session.closing': frame(
    'session.closing',
    { code: z.int(), reason: z.string(), reconnect_after_ms: z.int().nonnegative().optional(), resume: z.boolean() },
    'The server is about to close the connection.',
  ),
} as const;
export type ServerFrameType = keyof typeof serverFrames;
type FrameSchemas = typeof serverFrames;
export type ServerFrame = { [Type in ServerFrameType]: Omit<z.infer<FrameSchemas[Type]>, 'at'> }[ServerFrameType];
export type RateLimitState = Omit<z.infer<FrameSchemas['rate_limit']>, 'at' | 'type'>;

/** Every code that the server may close a connection with, in ascending order. */
export const allCloseCodes: readonly number[] = [
  ...new Set([
    ...Object.values(closeCodes),
    ...Object.values(errorTable).flatMap((row) => ('close' in row ? [row.close] : [])),
  ]),
].sort((a, b) => a - b);
