/** Response bodies of the other calls: pages, stored searches, tickets, usage, and the health of the process. */
import * as z from 'zod';
import { UsageCounts, usageExtras } from './account.ts';
import { Door, SearchChannel } from './doors.ts';
import { ErrorObject } from './errors.ts';
import { Attempt, answerStatuses, searchEvents } from './events.ts';
import { RateLimit, RunState } from './frames.ts';

/** A passage of a page that answers the query; offsets are UTF-16 code units of `response`. */
export const ContentsPassage = z
  .object({
    start: z.int().nonnegative(),
    end: z.int().positive(),
    text: z.string().describe('Equal to `response.slice(start, end)`.'),
    headings: z
      .string()
      .describe(
        'The headings above the passage, outermost first, joined by " › "; (+) after them the columns of a table that it begins within, "| Name | City |".',
      ),
    score: z.number().describe('Higher is better; comparable only within this response.'),
  })
  .meta({ id: 'ContentsPassage' });
export type ContentsPassage = z.infer<typeof ContentsPassage>;

/** Body of POST /v1/contents. */
export const Contents = z
  .object({
    response: z.string().describe('The complete page as Markdown.'),
    info: z.object({
      snapshot: z.string().describe('GET /v1/contents/{snapshot} returns this text again.'),
      final_url: z.string().describe('The URL after all redirects.'),
      status: z.int(),
      content_type: z.string(),
      title: z.string(),
      byline: z.string().optional(),
      site_name: z.string().optional(),
      published_at: z.string().optional(),
      modified_at: z.string().optional(),
      language: z.string().optional(),
      words: z.int().nonnegative(),
      hash: z.string().describe('SHA-256 of `response` in UTF-8, as hex.'),
      fetched_at: z.iso.datetime(),
      from_cache: z.boolean(),
      extractor: z.string(),
      truncated: z.boolean(),
      links: z.array(z.object({ url: z.string(), text: z.string() })),
      warnings: z.array(z.string()),
      passages: z
        .array(ContentsPassage)
        .optional()
        .describe('Only with `query`: the passages that answer it, best first.'),
    }),
  })
  .meta({ id: 'Contents' });
export type Contents = z.infer<typeof Contents>;

/** Body of GET /v1/contents/{snapshot}. Citations point into `response`. */
export const PageContents = z
  .object({
    response: z.string().describe('Markdown. The quote of a citation is `response.slice(source_start, source_end)`.'),
    info: Contents.shape.info.pick({ snapshot: true, final_url: true, title: true, published_at: true }),
  })
  .meta({ id: 'PageContents' });
export type PageContents = z.infer<typeof PageContents>;

/** Body of GET /v1/search/{search_id}: the content of `search.completed`, or the state so far. */
export const SearchCost = z
  .object({ amount: z.number().nonnegative(), currency: z.string().describe('ISO 4217.') })
  .meta({ id: 'SearchCost' });
export type SearchCost = z.infer<typeof SearchCost>;

export const SearchRecord = z
  .object({
    search_id: z.string(),
    state: RunState,
    prompt: z.string(),
    created_at: z.iso.datetime(),
    attempt: Attempt.optional(),
    progress: z.string().optional().describe('What a background search is doing, in words.'),
    head_seq: z.int().nonnegative().optional().describe('The newest `seq`, as long as the events are kept.'),
    ...searchEvents['search.completed'].omit({ type: true }).partial().shape,
    error: ErrorObject.optional().describe('Why the search failed.'),
    cost: SearchCost.optional().describe('What the tokens cost, if the server knows their prices.'),
  })
  .meta({ id: 'SearchRecord' });
export type SearchRecord = z.infer<typeof SearchRecord>;

/** Body of GET /v1/search: searches that have ended, newest first; with `state=running`, background searches that have not. */
export const SearchList = z
  .object({
    items: z.array(
      z.object({
        search_id: z.string(),
        state: RunState,
        mode: z.enum(['text', 'structured']),
        door: Door.describe('The protocol through which the search came.'),
        channel: SearchChannel.optional().describe('The same, more closely; absent where it was not recorded.'),
        key_id: z
          .string()
          .optional()
          .describe('The key that asked, `browser` for a signed-in one; absent where it was not recorded.'),
        status: z.enum(answerStatuses).optional().describe('That of the answer, if the search completed.'),
        error_code: z.string().optional().describe('Why the search failed.'),
        prompt: z.string(),
        created_at: z.iso.datetime(),
        ended_at: z.iso.datetime().optional().describe('Absent while it runs.'),
        attempt: Attempt.optional(),
        progress: z.string().optional().describe('What a background search is doing, in words.'),
      }),
    ),
    cursor: z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.'),
  })
  .meta({ id: 'SearchList' });
export type SearchList = z.infer<typeof SearchList>;

/** Body of DELETE /v1/search/{search_id}. */
export const Cancelling = z.object({ search_id: z.string(), state: RunState }).meta({ id: 'Cancelling' });
export type Cancelling = z.infer<typeof Cancelling>;

/** Body of DELETE /v1/search/{search_id}/record. */
export const SearchRemoved = z
  .object({ search_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'SearchRemoved' });
export type SearchRemoved = z.infer<typeof SearchRemoved>;

/** Body of POST /v1/ws/tickets. */
export const Ticket = z
  .object({
    ticket: z.string().describe('43 characters; pass it as the subprotocol `ticket.<ticket>`.'),
    expires_at: z.iso.datetime(),
    ws_url: z.string(),
  })
  .meta({ id: 'Ticket' });
export type Ticket = z.infer<typeof Ticket>;

/** Body of GET /v1/usage. */
export const KeyUsage = z
  .object({
    plan: z.enum(['starter', 'pro']),
    used: z.int().nonnegative().describe('Calls counted in the last minute.'),
    rate_limit: RateLimit,
    days: z.array(UsageCounts.extend({ day: z.iso.date().describe('In UTC.') })),
    ...usageExtras,
  })
  .meta({ id: 'KeyUsage' });
export type KeyUsage = z.infer<typeof KeyUsage>;

/** Body of GET /v1/suggestions. */
export const Suggestions = z
  .object({
    questions: z.array(z.string()).describe('Up to three questions that the index answers.'),
    indexing: z
      .object({ done: z.int().nonnegative(), total: z.int().nonnegative() })
      .optional()
      .describe('While a new server fills its index: pages so far, and in all; `total` is 0 until it is known.'),
    has_model: z
      .boolean()
      .optional()
      .describe('Whether a language model is connected; without one, answers are quotes.'),
  })
  .meta({ id: 'Suggestions' });
export type Suggestions = z.infer<typeof Suggestions>;

/** Body of GET /v1/search/{search_id}/follow-ups. */
export const FollowUps = z
  .object({
    questions: z
      .array(z.string())
      .describe(
        'Up to three questions that the pages cited by the answer answer, with something that it does not say.',
      ),
  })
  .meta({ id: 'FollowUps' });
export type FollowUps = z.infer<typeof FollowUps>;

/** Body of GET /v1/capabilities. */
export const Capabilities = z
  .object({
    models: z
      .array(
        z.object({
          name: z.string().describe('What a request names as its `model`.'),
          kind: z
            .enum(['language', 'extractive'])
            .describe('`extractive`: no language model, so that answers are quotes.'),
          images: z.boolean().describe('Whether it can use the `image` of a request, as far as is known.'),
        }),
      )
      .min(1)
      .describe('The models that can write an answer, first the one that does where a request names none.'),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.infer<typeof Capabilities>;

/** Body of GET /healthz. */
export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

/** Body of GET /readyz while new searches are accepted and stored. */
export const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });
export type Ready = z.infer<typeof Ready>;
