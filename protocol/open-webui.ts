/** What Open WebUI sends to an external search engine and to an external loader of pages, and what it reads. */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { Whole } from './common-fields.ts';
import { Prompt } from './requests.ts';

/** Body of POST /open-webui/search. */
export const WebuiSearchRequest = z
  .object({
    query: Prompt,
    count: Whole.min(1).max(100).optional().describe('Maximum number of results; 5 by default.'),
    collections: CollectionNames.optional().describe(
      '(+) Names or ids of collections: search only their sources, and not the web.',
    ),
  })
  .meta({ id: 'WebuiSearchRequest' });
export type WebuiSearchRequest = z.infer<typeof WebuiSearchRequest>;

export const WebuiSearchResults = z
  .array(z.object({ link: z.string(), title: z.string(), snippet: z.string() }))
  .meta({ id: 'WebuiSearchResults' });
export type WebuiSearchResults = z.infer<typeof WebuiSearchResults>;

/** Body of POST /open-webui/load. Open WebUI sends up to 20 at a time. */
export const WebuiLoadRequest = z
  .object({ urls: z.array(z.string().min(1).max(8192)).min(1).max(20) })
  .meta({ id: 'WebuiLoadRequest' });
export type WebuiLoadRequest = z.infer<typeof WebuiLoadRequest>;

export const WebuiDocuments = z
  .array(
    z.object({
      page_content: z.string(),
      metadata: z.object({
        source: z.string(),
        title: z.string(),
        snapshot: z.string(),
        language: z.string().optional(),
        published_at: z.string().optional(),
      }),
    }),
  )
  .meta({ id: 'WebuiDocuments' });
export type WebuiDocuments = z.infer<typeof WebuiDocuments>;
