/**
 * Conversations that the account keeps: what `thread` of a search request adds to, how they are listed and changed, and what a
 * share link shows. All of it goes beyond the interface (+).
 */
import * as z from 'zod';
import { Whole } from './common-fields.ts';
import { PageQuery } from './requests.ts';
import { SearchRecord } from './responses.ts';
import { Timestamp } from './timestamp.ts';

/** Set by hand. */
export const threadLimits = {
  title_characters: 120,
  turns: 200,
  share_days: 90,
  share_bytes: 4 * 1024 * 1024,
} as const;

const ThreadShare = z.object({
  created_at: Timestamp,
  expires_at: Timestamp,
});

/** A conversation, as lists show it. */
export const ThreadSummary = z
  .object({
    thread_id: z.string().describe('The id of its first search.'),
    title: z.string().describe('By the model, or the first question, until it is renamed.'),
    pinned: z.boolean(),
    turns: z.int().describe('How many searches it has.'),
    created_at: Timestamp,
    updated_at: Timestamp.describe('When its newest search began.'),
    share: ThreadShare.optional().describe('Its share link, which is shown only when it is made.'),
  })
  .meta({ id: 'ThreadSummary' });
export type ThreadSummary = z.infer<typeof ThreadSummary>;

/** Body of GET /v1/threads. */
export const ThreadList = z
  .object({
    items: z.array(ThreadSummary).describe('The pinned ones first, each part newest first.'),
    cursor: z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.'),
  })
  .meta({ id: 'ThreadList' });
export type ThreadList = z.infer<typeof ThreadList>;

export const ThreadTurn = z
  .object({
    search_id: z.string(),
    previous_search_id: z
      .string()
      .optional()
      .describe('The search it follows up on. Searches that follow up on the same one are versions of one question.'),
    created_at: Timestamp,
    request: z
      .record(z.string(), z.unknown())
      .describe('The fields of its `SearchRequest`, except `thread`, `previous_search_id` and `image`.'),
    has_image: z.boolean(),
  })
  .meta({ id: 'ThreadTurn' });
export type ThreadTurn = z.infer<typeof ThreadTurn>;

/** Body of GET and PATCH /v1/threads/{thread_id}. */
export const Thread = ThreadSummary.omit({ turns: true })
  .extend({ turns: z.array(ThreadTurn).describe('Oldest first; their results are those of their searches.') })
  .meta({ id: 'Thread' });
export type Thread = z.infer<typeof Thread>;

/** Body of PATCH /v1/threads/{thread_id}. */
export const ThreadChange = z
  .strictObject({
    title: z.string().trim().min(1).max(threadLimits.title_characters).optional(),
    pinned: z.boolean().optional(),
  })
  .meta({ id: 'ThreadChange' });
export type ThreadChange = z.infer<typeof ThreadChange>;

/** Body of DELETE /v1/threads/{thread_id}. */
export const ThreadRemoved = z
  .object({ thread_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'ThreadRemoved' });
export type ThreadRemoved = z.infer<typeof ThreadRemoved>;

/** Body of POST /v1/threads/{thread_id}/share. */
export const ThreadShareRequest = z
  .strictObject({
    days: Whole.min(1).max(threadLimits.share_days).default(7).describe('How long the link works.'),
  })
  .meta({ id: 'ThreadShareRequest' });
export type ThreadShareRequest = z.infer<typeof ThreadShareRequest>;

/** Body of its answer. */
export const NewThreadShare = ThreadShare.extend({
  url: z.string().describe('Opens the thread as it is now, without an account. Shown only here.'),
  token: z.string().describe('The secret part of the link, after its `#`.'),
}).meta({ id: 'NewThreadShare' });
export type NewThreadShare = z.infer<typeof NewThreadShare>;

/** Body of DELETE /v1/threads/{thread_id}/share. */
export const ThreadShareRevoked = z
  .object({ thread_id: z.string(), revoked: z.literal(true) })
  .meta({ id: 'ThreadShareRevoked' });
export type ThreadShareRevoked = z.infer<typeof ThreadShareRevoked>;

/** Body of GET /v1/shared: a thread as it was when its link was made. */
export const SharedThread = z
  .object({
    title: z.string(),
    created_at: Timestamp.describe('When the link was made.'),
    expires_at: Timestamp,
    turns: z
      .array(
        z.object({
          ...SearchRecord.shape,
          collections: z
            .array(z.string().nullable())
            .optional()
            .describe(
              'The names of the collections that the question was restricted to, null for one that had been deleted; absent if it was not.',
            ),
          documents: z
            .array(z.string())
            .optional()
            .describe('The names of the uploaded files that the question was restricted to; absent if it was to none.'),
          sites: z
            .array(z.string())
            .optional()
            .describe('The sites and pages that it was restricted to beside those files; absent without files.'),
        }),
      )
      .describe(
        'The newest search and those that it follows up on, oldest first, if they had ended; with only the sources they cite, and without their usage, timings and nearest quotes.',
      ),
  })
  .meta({ id: 'SharedThread' });
export type SharedThread = z.infer<typeof SharedThread>;

/** Query of GET /v1/threads. */
export const ThreadListQuery = PageQuery.extend({
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Words that must all occur in the title or in a question of the thread.'),
});
export type ThreadListQuery = z.infer<typeof ThreadListQuery>;
