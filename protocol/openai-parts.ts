/** What both of OpenAI's protocols have in common. */
import * as z from 'zod';
import { CollectionNames } from './collections.ts';

const ContentPart = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  image_url: z
    .union([z.string(), z.looseObject({ url: z.string() })])
    .nullish()
    .describe('Of `image_url` and `input_image`: a data URL or an http(s) URL.'),
});
export type ContentPart = z.infer<typeof ContentPart>;

/** A turn of a conversation, in both of OpenAI's protocols. */
export const Turn = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(ContentPart).max(1_000)]).nullish(),
});
export type Turn = z.infer<typeof Turn>;

const SearchWarning = z.object({ code: z.string(), message: z.string() });
export type SearchWarning = z.infer<typeof SearchWarning>;

/** What both kinds of answers say besides. */
export const SearchWarnings = z
  .array(SearchWarning)
  .describe('(+) What went wrong while the search continued, such as `image_not_used`; absent if nothing did.');

export const ContextSize = z.enum(['low', 'medium', 'high']);

export const Collections = CollectionNames.nullish().describe(
  '(+) Names or ids: search only these collections, and not the web.',
);

export const JsonSchemaFormat = z.record(z.string(), z.unknown());

/** Any value: what is not known in it is ignored, so it is not checked here. */
export const ToolChoice = z
  .unknown()
  .describe(
    '(+) The name of a function, or `required` with one function: the answer is the call of it, and its `parameters` are the template.',
  );

export const Count = z.int().nonnegative();

export const UrlCitation = z.object({
  start_index: Count.describe('Where the marker `[n]` starts in the text, in UTF-16 code units.'),
  end_index: Count,
  url: z.string(),
  title: z.string(),
});
export type UrlCitation = z.infer<typeof UrlCitation>;
