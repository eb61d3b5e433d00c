/** What clients of SearXNG's search API send, and what they read. */
import * as z from 'zod';
import { WholeText } from './common-fields.ts';
import { Prompt } from './requests.ts';

const timeRanges = ['day', 'week', 'month', 'year'] as const;

/** Query of GET /searxng/search, and the query or the form of POST /searxng/search. Other parameters of SearXNG are ignored. */
export const SearxngSearchQuery = z
  .object({
    q: Prompt.describe('What is searched; `site:example.org` and `-site:example.org` in it restrict the sources.'),
    format: z.literal('json').default('json'),
    time_range: z
      .enum(['', ...timeRanges])
      .default('')
      .describe('Only sources that were published since then.'),
    pageno: WholeText.min(1).max(100).default(1).describe('The page, of ten results each.'),
  })
  .meta({ id: 'SearxngSearchQuery' });
export type SearxngSearchQuery = z.infer<typeof SearxngSearchQuery>;

export const SearxngResult = z
  .object({
    url: z.string(),
    title: z.string(),
    content: z.string().describe('What the source says about the question, word for word.'),
    publishedDate: z.string().nullable(),
    engine: z.literal('citewire'),
    engines: z.array(z.literal('citewire')),
    category: z.literal('general'),
    score: z.number(),
    positions: z.array(z.int()),
    parsed_url: z.array(z.string()).describe('Scheme, host, path, parameters, query and fragment.'),
    template: z.literal('default.html'),
    thumbnail: z.literal(''),
    img_src: z.literal(''),
  })
  .meta({ id: 'SearxngResult' });
export type SearxngResult = z.infer<typeof SearxngResult>;

export const SearxngResults = z
  .object({
    query: z.string(),
    number_of_results: z.int(),
    results: z.array(SearxngResult),
    answers: z.array(z.never()),
    corrections: z.array(z.never()),
    infoboxes: z.array(z.never()),
    suggestions: z.array(z.never()),
    unresponsive_engines: z.array(z.never()),
  })
  .meta({ id: 'SearxngResults' });
export type SearxngResults = z.infer<typeof SearxngResults>;
