/**
 * Collections: named groups of sources of an account, to search only those. A request, a design or a key names them; nothing else
 * is searched then, not the web either. All of it goes beyond the interface (+).
 */
import * as z from 'zod';
import { Timestamp } from './timestamp.ts';

/** Set by hand. */
export const collectionLimits = {
  per_account: 100,
  name_characters: 100,
  sources: 1_000,
  per_request: 20,
} as const;

/** A name as it is kept: an id is never a name, because requests may use either. */
export const CollectionName = z
  .string()
  .trim()
  .min(1)
  .max(collectionLimits.name_characters)
  .regex(/^[^\p{Cc}]+$/u, 'expected a name on one line')
  .refine((name) => !name.startsWith('col_'), { error: 'expected a name that does not begin with "col_", as ids do' });

const SourceIds = z
  .array(z.string().min(1).max(64))
  .max(collectionLimits.sources)
  .describe('Ids of sources, as `GET /v1/sources` lists them.');

/** A collection. */
export const Collection = z
  .object({
    collection_id: z.string(),
    name: z.string(),
    sources: z.array(z.string()).describe('The ids of its sources, sorted.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Collection' });
export type Collection = z.infer<typeof Collection>;

/** Body of GET /v1/collections. */
export const CollectionList = z
  .object({
    items: z
      .array(Collection)
      .describe('Those of the account, or of them those that the key is restricted to, by name.'),
    max_collections: z.int().positive(),
    max_sources: z.int().positive().describe('Of one collection.'),
  })
  .meta({ id: 'CollectionList' });
export type CollectionList = z.infer<typeof CollectionList>;

/** Body of POST /v1/collections. */
export const CollectionRequest = z
  .strictObject({
    name: CollectionName.describe('Unique in the account, whatever the case.'),
    sources: SourceIds.optional(),
  })
  .meta({ id: 'CollectionRequest' });
export type CollectionRequest = z.infer<typeof CollectionRequest>;

/** Body of PATCH /v1/collections/{collection_id}. */
export const CollectionChange = z
  .strictObject({
    name: CollectionName.optional(),
    sources: SourceIds.optional().describe('Replaces its sources.'),
    add: SourceIds.optional(),
    remove: SourceIds.optional(),
  })
  .refine(({ sources, add, remove }) => sources === undefined || (add === undefined && remove === undefined), {
    error: 'expected either sources, or add and remove',
  })
  .meta({ id: 'CollectionChange' });
export type CollectionChange = z.infer<typeof CollectionChange>;

/** Body of DELETE /v1/collections/{collection_id}. */
export const CollectionRemoved = z
  .object({ collection_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'CollectionRemoved' });
export type CollectionRemoved = z.infer<typeof CollectionRemoved>;

/** `collections` of a search request, a design or a key: names, or ids. */
export const CollectionNames = z
  .array(z.string().trim().min(1).max(collectionLimits.name_characters))
  .max(collectionLimits.per_request);
