/** The HTTP calls for feedback: what people think of answers and citations. */
import type { Route } from './route.ts';

export const feedbackRoutes = {
  give_feedback: {
    method: 'POST',
    path: '/v1/search/{search_id}/feedback',
    summary: 'Rates the answer of an ended search, or one of its citations',
    key: true,
    counted: false,
    ours: true,
    body: 'FeedbackRequest',
    success: { status: 200, means: 'The rating; an earlier one of the same was replaced.', bodies: ['FeedbackGiven'] },
    errors: ['validation_error', 'unsupported_media_type', 'rate_limited', 'overloaded'],
  },
  list_feedback: {
    method: 'GET',
    path: '/v1/feedback',
    summary: 'Lists the ratings of the account with what was rated, newest first',
    key: true,
    counted: false,
    ours: true,
    query: ['cursor', 'limit', 'search_id'],
    success: { status: 200, means: 'One page of ratings.', bodies: ['FeedbackList'] },
    errors: ['validation_error', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
