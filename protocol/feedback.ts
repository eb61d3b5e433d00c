/** What people think of an answer, or of one of its citations: a thumb up or down. All of it goes beyond the interface (+). */
import * as z from 'zod';
import { answerStatuses, Citation } from './events.ts';
import { PageQuery } from './requests.ts';
import { Timestamp } from './timestamp.ts';

/** Set by hand. */
export const feedbackLimits = { comment_characters: 1_000 } as const;

const ratings = ['up', 'down'] as const;

/** Body of POST /v1/search/{search_id}/feedback. */
export const FeedbackRequest = z
  .strictObject({
    rating: z
      .enum([...ratings, 'none'])
      .describe('`up`: the answer is right, or the quote says what the text says; `none` takes a rating back.'),
    citation_id: z.string().min(1).max(64).optional().describe('The citation that is rated; without it, the answer.'),
    comment: z.string().trim().max(feedbackLimits.comment_characters).optional(),
  })
  .meta({ id: 'FeedbackRequest' });
export type FeedbackRequest = z.infer<typeof FeedbackRequest>;

/** A rating with what was rated, so that it can be used without the search. */
export const Feedback = z
  .object({
    search_id: z.string(),
    citation_id: z.string().optional().describe('The citation that is rated; absent for the answer.'),
    rating: z.enum(ratings),
    comment: z.string().optional(),
    rated_at: Timestamp,
    question: z.string(),
    models: z.array(z.string()).describe('The models that worked on it.'),
    status: z.enum(answerStatuses).optional().describe('Outcome of the search, if it completed.'),
    text: z
      .string()
      .describe(
        'What the citation supports; of an answer its Markdown, or a structured one as JSON. Cut after 20,000 characters.',
      ),
    quote: Citation.shape.quote.optional(),
    url: z.string().optional(),
    snapshot: z.string().optional(),
    source_start: Citation.shape.source_start.optional(),
    source_end: Citation.shape.source_end.optional(),
    verdict: Citation.shape.verdict,
  })
  .meta({ id: 'Feedback' });
export type Feedback = z.infer<typeof Feedback>;

/** Body of POST /v1/search/{search_id}/feedback. */
export const FeedbackGiven = z
  .object({ search_id: z.string(), citation_id: z.string().optional(), rating: z.enum([...ratings, 'none']) })
  .meta({ id: 'FeedbackGiven' });
export type FeedbackGiven = z.infer<typeof FeedbackGiven>;

/** Body of GET /v1/feedback. */
export const FeedbackList = z
  .object({
    items: z.array(Feedback).describe('The newest rating first.'),
    cursor: z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.'),
  })
  .meta({ id: 'FeedbackList' });
export type FeedbackList = z.infer<typeof FeedbackList>;

/** Query of GET /v1/feedback. */
export const FeedbackListQuery = PageQuery.extend({
  search_id: z.string().min(1).max(64).optional().describe('Only the ratings of this search.'),
});
export type FeedbackListQuery = z.infer<typeof FeedbackListQuery>;
