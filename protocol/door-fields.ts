/** Fields that several of the other services' APIs have, in their own names. */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';
import { requestLimits } from './requests.ts';

/** Hosts whose pages a search is restricted to, or leaves out. */
export const Domains = z.array(z.string().min(1).max(2048)).max(requestLimits.list_entries).nullish();

/** A field of this server that none of these APIs has. */
export const Collections = CollectionNames.nullish().describe(
  '(+) Names or ids of collections: search only their sources, and not the web.',
);
