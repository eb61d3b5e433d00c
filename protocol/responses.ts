/** What the calls beside the search answer with: stored text, and whether the process runs and accepts searches. */
import { z } from 'zod';

/** Body of GET /v1/contents/{snapshot}. Citations point into `text`. */
export const StoredPage = z
  .object({
    id: z.string(),
    url: z.string(),
    title: z.string(),
    text: z.string().describe('Markdown. `text.slice(source_start, source_end)` is the quote of a citation.'),
    published_at: z.string().optional(),
  })
  .meta({ id: 'StoredPage' });
export type StoredPage = z.infer<typeof StoredPage>;

/** Body of GET /healthz. */
export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

/** Body of GET /readyz while new searches are accepted. */
export const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });
export type Ready = z.infer<typeof Ready>;
