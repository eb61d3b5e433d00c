/**
 * What the server's own index holds: sources that everybody's searches find, and those that an account added or uploaded, which
 * only its own searches find. All of it goes beyond the interface (+).
 */
import * as z from 'zod';
import { WebUrl } from './common-fields.ts';
import { Timestamp } from './timestamp.ts';

/** Set by hand: a PDF of the web may have as many bytes. */
export const sourceLimits = { upload_bytes: 20 * 1024 * 1024, name_characters: 200 } as const;

const kinds = ['folder', 'url', 'sitemap', 'file', 'packages', 'installed'] as const;
const states = ['waiting', 'indexing', 'ready', 'failed'] as const;

/** A source of the index. */
export const IndexedSource = z
  .object({
    source_id: z.string(),
    kind: z.enum(kinds).describe('`packages` and `installed` are the documentation of the server and its packages.'),
    name: z.string().describe('A URL, or the name of a folder or of an uploaded file.'),
    address: z
      .string()
      .optional()
      .describe('The URL that the pages of a folder are cited below, or an uploaded file is cited at.'),
    shared: z.boolean().describe('Whether the searches of every account find it; otherwise only those of this one.'),
    state: z
      .enum(states)
      .describe(
        '`waiting` until its turn comes, or, if the server or command that was indexing it died, until a server continues; `failed` if none of its pages could be read, or if the command that was indexing a list of pages or the packages died.',
      ),
    pages: z.int().nonnegative(),
    passages: z.int().nonnegative().optional().describe('Absent until they are counted.'),
    bytes: z
      .int()
      .nonnegative()
      .describe('Of an uploaded file its own, else those of the texts of its pages, in UTF-8.'),
    done: z.int().nonnegative().describe('Pages of the indexing that runs, or ran last.'),
    total: z.int().nonnegative().describe('0 until it is known.'),
    added_at: Timestamp,
    indexed_at: Timestamp.optional().describe('When it was last indexed.'),
    failed: z.int().nonnegative().describe('How many of its pages could not be read.'),
    failures: z
      .array(z.object({ source: z.string().describe('A URL, or a path within the folder.'), reason: z.string() }))
      .describe('The first of them.'),
    truncated: z
      .int()
      .positive()
      .optional()
      .describe('How many of its pages are too long: only their beginning is in the index. Absent if none is.'),
    truncations: z
      .array(z.string())
      .optional()
      .describe('The first of them: URLs, or paths within the folder, or the name of the file.'),
    reason: z.string().optional().describe('Why the source as a whole could not be read.'),
  })
  .meta({ id: 'IndexedSource' });
export type IndexedSource = z.infer<typeof IndexedSource>;

/** How far the vectors of the passages are, by which searches find them by meaning. */
export const IndexVectors = z
  .object({
    model: z.string().describe('The embedding model.'),
    done: z.int().nonnegative().describe('Passages of the whole index that have a vector.'),
    total: z.int().nonnegative(),
    dimensions: z.int().positive().optional().describe('Of each vector; absent until there is one.'),
    reason: z.string().optional().describe('Why the index cannot keep vectors: it is searched by words alone.'),
    last_error: z
      .object({ reason: z.string(), at: Timestamp })
      .optional()
      .describe('The last failure of the model; absent once it has answered again.'),
  })
  .meta({ id: 'IndexVectors' });
export type IndexVectors = z.infer<typeof IndexVectors>;

/** Body of GET /v1/sources. */
export const IndexedSourceList = z
  .object({
    items: z.array(IndexedSource).describe('Those of the account and those of everybody, oldest first.'),
    stored_bytes: z.int().nonnegative().describe('By the sources of the account.'),
    max_bytes: z.int().positive().describe('What the plan allows.'),
    max_sources: z.int().positive().describe('What the plan allows.'),
    may_share: z
      .boolean()
      .describe('Whether the account is an administrator: it may add and remove what everybody finds.'),
    may_add_folders: z.boolean().describe('Whether it may also add folders of the server: see SOURCE_ROOTS.'),
    vectors: IndexVectors.optional().describe('Absent where no embedding model is configured.'),
  })
  .meta({ id: 'IndexedSourceList' });
export type IndexedSourceList = z.infer<typeof IndexedSourceList>;

/** Body of POST /v1/sources. */
export const IndexSourceRequest = z
  .strictObject({
    url: WebUrl.max(2048).optional().describe('A page, or a sitemap or list of pages: .xml or .txt, also with .gz.'),
    folder: z.string().min(1).max(1024).optional().describe('The path of a folder on the server, for administrators.'),
    shared: z
      .boolean()
      .optional()
      .describe('Whether every account’s searches find it; for administrators. A folder always is.'),
  })
  .refine(({ url, folder }) => (url === undefined) !== (folder === undefined), {
    error: 'expected either url or folder',
  })
  .meta({ id: 'IndexSourceRequest' });
export type IndexSourceRequest = z.infer<typeof IndexSourceRequest>;

/** Query of POST /v1/sources/files. */
export const UploadQuery = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(sourceLimits.name_characters)
    .regex(/^[^/\\\p{Cc}]+$/u, 'expected a file name without a path')
    .refine((name) => name !== '.' && name !== '..', { error: 'expected a file name' }),
  shared: z.enum(['true', 'false']).optional(),
});
export type UploadQuery = z.infer<typeof UploadQuery>;

/** Body of DELETE /v1/sources/{source_id}. */
export const IndexedSourceRemoved = z
  .object({ source_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'IndexedSourceRemoved' });
export type IndexedSourceRemoved = z.infer<typeof IndexedSourceRemoved>;
