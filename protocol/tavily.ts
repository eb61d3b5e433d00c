/** The calls of Tavily's API, as its clients send and read them. Fields that are not listed are ignored. */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { Whole } from './common-fields.ts';
import { Domains } from './door-fields.ts';
import { Prompt, requestLimits } from './requests.ts';

const Key = z.string().max(200).optional().describe('The API key, as older clients send it; a header comes first.');

/** Of one call; Tavily's own limits. */
export const tavilyLimits = { results: 20, urls: 20 } as const;

/** Of one crawl. The limits of pages, of links and of patterns are ours, and so are the seconds: proxies give up after a minute. */
export const crawlLimits = {
  pages: 100,
  links: 500,
  depth: 5,
  breadth: 500,
  patterns: 10,
  pattern_characters: 100,
  seconds: 50,
} as const;

/** Body of POST /tavily/search. */
export const TavilySearchRequest = z
  .object({
    api_key: Key,
    query: Prompt,
    search_depth: z.string().nullish().describe('`advanced` is the effort `balanced`, anything else `fast`.'),
    max_results: Whole.min(0).max(tavilyLimits.results).nullish().describe('5 by default.'),
    include_answer: z.union([z.boolean(), z.string()]).nullish().describe('The answer as text, without markers.'),
    include_raw_content: z.union([z.boolean(), z.string()]).nullish().describe('The whole text of each page.'),
    include_domains: Domains,
    exclude_domains: Domains,
    collections: CollectionNames.nullish().describe(
      '(+) Names or ids of collections: search only their sources, and not the web.',
    ),
    time_range: z.enum(['day', 'week', 'month', 'year', 'd', 'w', 'm', 'y']).nullish(),
    topic: z.string().nullish().describe('`news` makes `days` count; anything else is ignored.'),
    days: z.number().positive().max(36_500).nullish().describe('Only with the topic `news`, as of Tavily.'),
    start_date: z.iso.date().nullish(),
    end_date: z.iso.date().nullish(),
  })
  .meta({ id: 'TavilySearchRequest' });
export type TavilySearchRequest = z.infer<typeof TavilySearchRequest>;

export const TavilyResult = z
  .object({
    title: z.string(),
    url: z.string(),
    content: z.string().describe('What the page has about the question, word for word.'),
    score: z.number().min(0).max(1).describe('By rank: 1 for the first, and more than 0.5 for the last.'),
    raw_content: z.string().nullable(),
    published_date: z.string().optional(),
  })
  .meta({ id: 'TavilyResult' });
export type TavilyResult = z.infer<typeof TavilyResult>;

/** Body of the answer of POST /tavily/search. */
export const TavilySearchResponse = z
  .object({
    query: z.string(),
    answer: z.string().nullable(),
    images: z.array(z.string()),
    follow_up_questions: z.null(),
    results: z.array(TavilyResult),
    response_time: z.number().describe('Seconds.'),
    request_id: z.string(),
  })
  .meta({ id: 'TavilySearchResponse' });
export type TavilySearchResponse = z.infer<typeof TavilySearchResponse>;

const Url = z.string().min(1).max(8192);

/** Body of POST /tavily/extract. */
export const TavilyExtractRequest = z
  .object({
    api_key: Key,
    urls: z.union([Url, z.array(Url).min(1).max(tavilyLimits.urls)]),
    query: z.string().min(1).max(requestLimits.prompt_characters).nullish().describe('Returns only what answers it.'),
  })
  .meta({ id: 'TavilyExtractRequest' });
export type TavilyExtractRequest = z.infer<typeof TavilyExtractRequest>;

/** Body of the answer of POST /tavily/extract. */
export const TavilyExtractResponse = z
  .object({
    results: z.array(
      z.object({ url: z.string(), title: z.string(), raw_content: z.string(), images: z.array(z.string()) }),
    ),
    failed_results: z.array(z.object({ url: z.string(), error: z.string() })),
    response_time: z.number().describe('Seconds.'),
    request_id: z.string(),
  })
  .meta({ id: 'TavilyExtractResponse' });
export type TavilyExtractResponse = z.infer<typeof TavilyExtractResponse>;

/** Body of every error of these calls. */
export const TavilyError = z.object({ detail: z.object({ error: z.string() }) }).meta({ id: 'TavilyError' });
export type TavilyError = z.infer<typeof TavilyError>;

const Patterns = z.array(z.string().min(1).max(crawlLimits.pattern_characters)).max(crawlLimits.patterns).nullish();

/** Body of POST /tavily/map. */
export const TavilyMapRequest = z
  .object({
    api_key: Key,
    url: z.string().min(1).max(8192).describe('Where to begin.'),
    max_depth: Whole.min(1).max(crawlLimits.depth).nullish().describe('Links from the first page; 1 by default.'),
    max_breadth: Whole.min(1).max(crawlLimits.breadth).nullish().describe('Links of a page; 20 by default.'),
    limit: Whole.positive().nullish().describe(`50 by default, and at most ${crawlLimits.links}.`),
    select_paths: Patterns.describe('Regular expressions, of which the path of a link has to match one.'),
    exclude_paths: Patterns,
    select_domains: Patterns.describe('Regular expressions, of which the host of a link has to match one.'),
    exclude_domains: Patterns,
    allow_external: z.boolean().nullish().describe('Whether links to other hosts count, too; `false` by default.'),
    timeout: z
      .number()
      .positive()
      .nullish()
      .describe(`Seconds, at most ${crawlLimits.seconds}: what was found by then is returned.`),
  })
  .meta({ id: 'TavilyMapRequest' });
export type TavilyMapRequest = z.infer<typeof TavilyMapRequest>;

/** Body of POST /tavily/crawl. */
export const TavilyCrawlRequest = TavilyMapRequest.extend({
  limit: Whole.positive().nullish().describe(`Pages; 50 by default, and at most ${crawlLimits.pages}.`),
  instructions: Prompt.nullish().describe('With them, only the passages of each page that answer them are returned.'),
}).meta({ id: 'TavilyCrawlRequest' });
export type TavilyCrawlRequest = z.infer<typeof TavilyCrawlRequest>;

const crawled = { base_url: z.string(), response_time: z.number().describe('Seconds.'), request_id: z.string() };

/** Body of the answer of POST /tavily/map. */
export const TavilyMapResponse = z
  .object({ ...crawled, results: z.array(z.string()) })
  .meta({ id: 'TavilyMapResponse' });
export type TavilyMapResponse = z.infer<typeof TavilyMapResponse>;

/** Body of the answer of POST /tavily/crawl. */
export const TavilyCrawlResponse = z
  .object({
    ...crawled,
    results: z.array(z.object({ url: z.string(), raw_content: z.string(), images: z.array(z.string()) })),
  })
  .meta({ id: 'TavilyCrawlResponse' });
export type TavilyCrawlResponse = z.infer<typeof TavilyCrawlResponse>;

/** Body of POST /tavily/research. */
export const TavilyResearchRequest = z
  .object({
    api_key: Key,
    input: Prompt.describe('The question.'),
    model: z.enum(['mini', 'pro', 'auto']).nullish().describe('`mini` is the effort `balanced`, the others `deep`.'),
    stream: z.boolean().nullish().describe('Whether to return server-sent events instead of a task.'),
    output_schema: z.record(z.string(), z.unknown()).nullish().describe('A JSON Schema, which becomes a template.'),
    citation_format: z
      .enum(['numbered', 'mla', 'apa', 'chicago'])
      .nullish()
      .describe('Citations are numbered, whatever it says.'),
    include_domains: Domains,
    exclude_domains: Domains,
    collections: CollectionNames.nullish().describe(
      '(+) Names or ids of collections: search only their sources, and not the web.',
    ),
  })
  .meta({ id: 'TavilyResearchRequest' });
export type TavilyResearchRequest = z.infer<typeof TavilyResearchRequest>;

const ResearchStatus = z.enum(['pending', 'in_progress', 'completed', 'failed']);
const researchFields = {
  request_id: z.string().describe('The id of the search.'),
  status: ResearchStatus,
  response_time: z.number().describe('Seconds.'),
};

/** Body of the answer of POST /tavily/research without `stream`. */
export const TavilyResearchTask = z
  .object({ ...researchFields, created_at: z.string(), input: z.string(), model: z.string() })
  .meta({ id: 'TavilyResearchTask' });
export type TavilyResearchTask = z.infer<typeof TavilyResearchTask>;

/** Body of the answer of GET /tavily/research/{request_id}. */
export const TavilyResearch = z
  .object({
    ...researchFields,
    created_at: z.string().optional(),
    content: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('The answer with its markers and sources, or the values of the schema.'),
    sources: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
    error: z.string().optional().describe('(+) Why it failed.'),
  })
  .meta({ id: 'TavilyResearch' });
export type TavilyResearch = z.infer<typeof TavilyResearch>;
