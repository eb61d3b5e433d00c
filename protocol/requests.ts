/**
 * What callers send. Objects are strict: unknown fields are rejected, never ignored. An empty list is the same as an
 * omitted one; an empty string is an error.
 */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { PageUrl, WebUrl, Whole, WholeText } from './common-fields.ts';
import { SearchChannel } from './doors.ts';
import { answerStatuses } from './events.ts';
import type { IssueType } from './issue-types.ts';
import { OutputFormat } from './output-format.ts';
import { preview } from './preview.ts';
import { parseSourceRule } from './source-rules.ts';
import { Webhook } from './webhooks.ts';

/** Set by hand. */
export const requestLimits = {
  body_bytes: 1024 * 1024,
  body_with_image_bytes: 14 * 1024 * 1024,
  sign_in_bytes: 4 * 1024,
  unknown_caller_bytes: 64 * 1024,
  prompt_characters: 40_000,
  list_entries: 200,
} as const;

/**
 * What a JSON body or frame may hold in total, counted on its text before it is parsed; an `image` does not count. Above what
 * any request needs: 200 leaves below eight levels are 1,600 keys and, in lists, 3,000 values. A design also has 50 inputs of
 * seven fields, 5,000 values of `enum`, and five examples. Clients of other protocols send whole conversations and their tools.
 */
export const jsonLimits = {
  depth: 64,
  string_characters: requestLimits.prompt_characters,
  keys: 2_000,
  values: 4_000,
  design_keys: 3_000,
  design_values: 10_000,
  door_keys: 10_000,
  door_values: 20_000,
  chat_keys: 50_000,
  chat_values: 100_000,
} as const;

export const efforts = ['fast', 'balanced', 'deep'] as const;

/** An entry of `source_whitelist` or `source_blacklist`. */
export const SourceEntry = z
  .string()
  .min(1, 'expected a URL, a host or host/path; got an empty string')
  .max(2048)
  .refine((entry) => parseSourceRule(entry) !== undefined, {
    error: (issue) => `expected a URL, a host or host/path; got ${preview(issue.input)}`,
  })
  .meta({
    id: 'SourceEntry',
    description:
      'A URL, a host (includes its subdomains; `*.` before it changes nothing), the end of hosts such as `.gov`, or host/path (includes everything below it).',
  });

export const SourceList = z.array(SourceEntry).max(requestLimits.list_entries);
const IsoDate = z.union([z.iso.date(), z.iso.datetime({ offset: true }).max(40)], {
  error: 'expected an ISO 8601 date or date-time, such as 2026-01-31',
});

/**
 * The maximum that a search may spend. Each field can only lower what the effort allows; the bounds are set by hand.
 */
export const Budget = z
  .strictObject({
    seconds: z.number().positive().max(1_800).optional(),
    searches: Whole.positive().max(100).optional(),
    pages: Whole.positive().max(200).optional(),
    tokens: Whole.positive().max(2_000_000).optional(),
  })
  .meta({ id: 'Budget' });
export type Budget = z.infer<typeof Budget>;

export const Prompt = z
  .string()
  .max(requestLimits.prompt_characters)
  .refine((prompt) => prompt.trim() !== '', {
    error: 'expected a question or statement; got an empty string',
    params: { type: 'string_too_short' satisfies IssueType },
  });

/** The name of a model, as `GET /v1/capabilities` lists them. */
export const ModelName = z.string().min(1).max(200);

/** Body of POST /v1/search, and `request` of the frame `search.start`. */
export const SearchRequest = z
  .strictObject({
    prompt: Prompt.describe(
      'The question or statement, in natural language. It may also ask for a type of answer, a timeframe or sources.',
    ),
    image: z.string().min(1).optional().describe('A base64-encoded image, or the URL of one.'),
    source_whitelist: SourceList.optional().describe(
      'Use only these sources. Cannot be combined with `source_blacklist`.',
    ),
    source_blacklist: SourceList.optional().describe(
      'Never use these sources. Cannot be combined with `source_whitelist`.',
    ),
    collections: CollectionNames.optional().describe(
      '(+) Names or ids of collections: search only their sources, and not the web.',
    ),
    output_format: OutputFormat.optional(),
    answer: z
      .boolean()
      .optional()
      .describe(
        '`false` ends the search once its sources are ranked: no answer is written. Cannot be combined with `output_format`.',
      ),
    model: ModelName.optional().describe(
      '(+) One of the `models` of `GET /v1/capabilities`; without it, the first of them answers.',
    ),
    effort: z.enum(efforts).default('balanced'),
    max: Budget.optional(),
    from: IsoDate.optional().describe('Ignore sources published before this.'),
    to: IsoDate.optional().describe('Ignore sources published after this.'),
    language: z
      .string()
      .max(35, { abort: true })
      .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'expected a BCP 47 language tag, such as en or pt-BR')
      .optional(),
    background: z
      .boolean()
      .optional()
      .describe(
        '`true` answers 202 with the id at once: the search needs no reader, may take longer, and survives a restart of the server.',
      ),
    thread: z
      .union([z.literal(true), z.string().min(1).max(64)], {
        error: 'expected true, which begins a thread, or the id of one of your threads',
      })
      .optional()
      .describe(
        '(+) `true` begins a thread, a conversation that `GET /v1/threads` lists; its id is that of this search. The id of a thread adds to it.',
      ),
    webhook: Webhook.optional().describe('Where to send an event when the search has ended.'),
    previous_search_id: z.string().min(1).max(64).optional().describe('The search that this one follows up on.'),
    include: z
      .array(z.literal('evidence'))
      .max(1)
      .optional()
      .describe('`evidence` wraps a structured answer together with its evidence.'),
  })
  .superRefine((request, context) => {
    const { from, to } = request;
    const lists = sourceListsIssue(request);
    if (lists !== undefined) {
      const { message, type } = lists;
      context.addIssue({ code: 'custom', path: [], message, params: { type }, input: request });
    }
    if (request.answer === false && request.output_format !== undefined) {
      const message = 'expected output_format or answer: false; got both';
      const params = { type: 'mutually_exclusive' satisfies IssueType };
      context.addIssue({ code: 'custom', path: ['answer'], message, params, input: request });
    }
    if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
      const message = `expected the start to be no later than the end; got ${from} and ${to}`;
      context.addIssue({ code: 'custom', path: ['from'], message, input: request });
    }
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.infer<typeof SearchRequest>;

/** Returns the issue if both source lists have entries; an empty list does not count. */
export function sourceListsIssue(lists: {
  readonly source_whitelist?: readonly string[] | undefined;
  readonly source_blacklist?: readonly string[] | undefined;
}): { message: string; type: IssueType } | undefined {
  if (!lists.source_whitelist?.length || !lists.source_blacklist?.length) return undefined;
  return { message: 'expected source_whitelist or source_blacklist; got both', type: 'mutually_exclusive' };
}

/** Body of POST /v1/contents. */
export const ContentsRequest = z
  .strictObject({
    url: WebUrl.max(8192),
    query: z.string().min(1).max(requestLimits.prompt_characters).optional(),
  })
  .meta({ id: 'ContentsRequest' });
export type ContentsRequest = z.infer<typeof ContentsRequest>;

/** A page as the doors of other protocols ask for it: also by the address at which a search has found it in the index. */
export const PageRequest = ContentsRequest.extend({
  url: PageUrl.max(8192),
});
export type PageRequest = z.infer<typeof PageRequest>;

/** Body of POST /v1/ws/tickets. */
export const TicketRequest = z
  .strictObject({
    ttl_s: Whole.min(1).max(300).default(60),
    origin: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .describe('The only origin whose pages may use the ticket.'),
    max_searches: Whole.min(1)
      .max(1000)
      .optional()
      .describe('Maximum number of searches that the connection may start.'),
    locked: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Fields of `request` in `search.start` that are fixed, whatever the page sends.'),
  })
  .meta({ id: 'TicketRequest' });
export type TicketRequest = z.infer<typeof TicketRequest>;

/** Query of the calls that return lists. */
export const PageQuery = z
  .strictObject({
    cursor: z.string().min(1).max(200).optional().describe('The cursor of the previous page.'),
    limit: WholeText.min(1).max(100).default(20),
  })
  .meta({ id: 'PageQuery' });
export type PageQuery = z.infer<typeof PageQuery>;

/** A time in a query, in any time zone. In UTC it is before the year 10000: a longer year would sort before all others. */
const Time = z.iso.datetime({ offset: true }).refine((time) => !(new Date(time).getUTCFullYear() > 9999), {
  message: 'expected a time before the year 10000 in UTC',
  params: { type: 'datetime_parsing' satisfies IssueType },
});

/** How a search ended: the status of its answer, or that there is none. */
export const searchOutcomes = [...answerStatuses, 'failed', 'cancelled'] as const;
export const SearchOutcome = z.enum(searchOutcomes);
export type SearchOutcome = z.infer<typeof SearchOutcome>;

/** Query of GET /v1/search. */
export const SearchListQuery = PageQuery.extend({
  state: z
    .literal('running')
    .optional()
    .describe('`running` lists background searches that have not ended, on one page.'),
  outcome: SearchOutcome.optional().describe('Only searches that ended so; `cancelled` are those that were stopped.'),
  key_id: z.string().min(1).max(64).optional().describe('Only searches of this key; `browser` for those of browsers.'),
  channel: SearchChannel.optional().describe('Only searches that came this way.'),
  since: Time.optional().describe('Only searches that ended at this time or later.'),
  until: Time.optional().describe('Only searches that ended before this time.'),
  q: z.string().trim().max(200).optional().describe('Words that must all occur in the prompt.'),
});
export type SearchListQuery = z.infer<typeof SearchListQuery>;
