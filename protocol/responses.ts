/** What the calls beside the search answer with: stored text, and whether the process runs and accepts searches. */
import { z } from 'zod';

/** Body of GET /v1/contents/{snapshot}. Citations point into `response`. */
export const PageContents = z
  .object({
    response: z.string().describe('Markdown. `response.slice(source_start, source_end)` is the quote of a citation.'),
    info: z.object({
      snapshot: z.string(),
      final_url: z.string(),
      title: z.string(),
      published_at: z.string().optional(),
    }),
  })
  .meta({ id: 'PageContents' });
export type PageContents = z.infer<typeof PageContents>;

/** Body of GET /healthz. */
export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

/** Body of GET /readyz while new searches are accepted. */
export const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });
export type Ready = z.infer<typeof Ready>;
