/** The calls of Exa's API, as its clients send and read them. Fields that are not listed are ignored. */
import * as z from 'zod';
import { Whole } from './common-fields.ts';
import { Collections, Domains } from './door-fields.ts';
import { Prompt, requestLimits } from './requests.ts';

/** Of one call. Exa's own limit of results, of which a search has fewer; the limit of pages is ours. */
export const exaLimits = { results: 100, urls: 20 } as const;

const DateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).nullish();
const Query = z.string().min(1).max(requestLimits.prompt_characters).nullish();

/** Which texts of a page are returned. */
export const ExaTexts = z
  .object({
    text: z
      .union([z.boolean(), z.object({ maxCharacters: Whole.positive().nullish() })])
      .nullish()
      .describe('The text of the page, as Markdown, or its first characters.'),
    highlights: z
      .union([z.boolean(), z.object({ query: Query })])
      .nullish()
      .describe('What the page says about the question, word for word.'),
    summary: z
      .union([z.boolean(), z.object({ query: Query })])
      .nullish()
      .describe('The same as one text: nothing is written that the page does not say.'),
  })
  .meta({ id: 'ExaTexts' });
export type ExaTexts = z.infer<typeof ExaTexts>;

/** Body of POST /exa/search. */
export const ExaSearchRequest = z
  .object({
    query: Prompt,
    type: z
      .string()
      .nullish()
      .describe('`deep` and what begins with it is the effort `balanced`, anything else `fast`.'),
    numResults: Whole.min(1).max(exaLimits.results).nullish().describe('10 by default.'),
    includeDomains: Domains,
    excludeDomains: Domains,
    startPublishedDate: DateOrTime,
    endPublishedDate: DateOrTime,
    contents: z.union([z.literal(false), ExaTexts]).nullish(),
    collections: Collections,
    stream: z
      .literal(false, { error: 'expected false: POST /exa/answer streams, with an answer' })
      .nullish()
      .describe('Only answers are streamed.'),
  })
  .meta({ id: 'ExaSearchRequest' });
export type ExaSearchRequest = z.infer<typeof ExaSearchRequest>;

export const ExaResult = z
  .object({
    id: z.string().describe('The URL, which POST /exa/contents takes.'),
    url: z.string(),
    title: z.string(),
    author: z.null(),
    publishedDate: z.string().optional(),
    score: z.number().min(0).max(1).optional().describe('By rank: 1 for the first, and more than 0.5 for the last.'),
    text: z.string().optional(),
    highlights: z.array(z.string()).optional(),
    highlightScores: z.array(z.number()).optional(),
    summary: z.string().optional(),
  })
  .meta({ id: 'ExaResult' });
export type ExaResult = z.infer<typeof ExaResult>;

/** Body of the answer of POST /exa/search. */
export const ExaSearchResponse = z
  .object({
    requestId: z.string(),
    resolvedSearchType: z.literal('auto'),
    results: z.array(ExaResult),
    searchTime: z.number().describe('Milliseconds.'),
  })
  .meta({ id: 'ExaSearchResponse' });
export type ExaSearchResponse = z.infer<typeof ExaSearchResponse>;

const Urls = z.array(z.string().min(1).max(8192)).min(1).max(exaLimits.urls).nullish();

/** Body of POST /exa/contents. */
export const ExaContentsRequest = ExaTexts.extend({
  urls: Urls,
  ids: Urls.describe('The same, as older clients send them.'),
})
  .refine(({ urls, ids }) => urls != null || ids != null, {
    path: ['urls'],
    error: 'expected a list of URLs; got none',
  })
  .meta({ id: 'ExaContentsRequest' });
export type ExaContentsRequest = z.infer<typeof ExaContentsRequest>;

/** Body of the answer of POST /exa/contents. */
export const ExaContentsResponse = z
  .object({
    requestId: z.string(),
    results: z.array(ExaResult),
    statuses: z.array(
      z.object({
        id: z.string(),
        status: z.enum(['success', 'error']),
        error: z.object({ tag: z.string(), httpStatusCode: z.int(), message: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: 'ExaContentsResponse' });
export type ExaContentsResponse = z.infer<typeof ExaContentsResponse>;

/** Body of POST /exa/answer. */
export const ExaAnswerRequest = z
  .object({
    query: Prompt,
    stream: z.boolean().nullish(),
    text: z.boolean().nullish().describe('Each citation has what its page says about the question.'),
    systemPrompt: z.string().nullish().describe('How to answer; shown to the model, never searched for.'),
    outputSchema: z.record(z.string(), z.unknown()).nullish().describe('A JSON Schema; the answer then is an object.'),
    collections: Collections,
  })
  .meta({ id: 'ExaAnswerRequest' });
export type ExaAnswerRequest = z.infer<typeof ExaAnswerRequest>;

/** Body of the answer of POST /exa/answer. */
export const ExaAnswerResponse = z
  .object({
    requestId: z.string(),
    answer: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .describe('Markdown with markers `[n]`, where `[n]` is `citations[n - 1]`; with `outputSchema` an object.'),
    citations: z.array(ExaResult).describe('All sources, in the order of their numbers.'),
  })
  .meta({ id: 'ExaAnswerResponse' });
export type ExaAnswerResponse = z.infer<typeof ExaAnswerResponse>;

/** Body of every error of these calls. */
export const ExaError = z
  .object({
    error: z.string(),
    tag: z
      .string()
      .describe('The code of the error table in upper case, or `INVALID_API_KEY`, `INVALID_REQUEST_BODY`.'),
  })
  .meta({ id: 'ExaError' });
export type ExaError = z.infer<typeof ExaError>;
