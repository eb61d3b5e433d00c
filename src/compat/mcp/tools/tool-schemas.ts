/**
 * What the tools take and return, as JSON Schema (draft 2020-12). The zod schemas are those of the protocol wherever it has
 * them, so a tool accepts exactly what the native call does.
 */
import * as z from 'zod';
import {
  Citation,
  ContentsPassage,
  ContentsRequest,
  LeafEvidence,
  leafTypes,
  OutputFormat,
  outputFormatSchema,
  PageRequest,
  SearchRequest,
  Source,
  StructuredResult,
  TextResult,
} from '../../../../protocol/index.ts';

/** Fields of a search request that an agent has a use for. An image is named by its URL: no model writes out base64. */
export const AskInput = z.strictObject({
  prompt: SearchRequest.shape.prompt,
  image: ContentsRequest.shape.url.optional().describe('The URL of an image that the prompt is about.'),
  effort: SearchRequest.shape.effort,
  source_whitelist: SearchRequest.shape.source_whitelist,
  source_blacklist: SearchRequest.shape.source_blacklist,
  collections: SearchRequest.shape.collections,
  from: SearchRequest.shape.from,
  to: SearchRequest.shape.to,
  language: SearchRequest.shape.language,
  output_format: SearchRequest.shape.output_format,
  previous_search_id: SearchRequest.shape.previous_search_id,
});

export const FindInput = z.strictObject({
  query: SearchRequest.shape.prompt.describe('What to look for, in natural language.'),
  collections: SearchRequest.shape.collections,
});

export const FetchInput = z.strictObject({
  id: z.string().min(1).max(8192).describe('The id of a result of `search`, a snapshot id, or a URL.'),
});

/** Set by hand: about 10,000 tokens, which agents still take whole. */
const defaultCharacters = 40_000;

export const ReadPageInput = z.strictObject({
  url: PageRequest.shape.url.describe('An http or https URL, or the URL of a source that a search has returned.'),
  query: PageRequest.shape.query.describe('Return only the passages that answer this.'),
  start: z.int().nonnegative().default(0).describe('Where to begin in the text, in UTF-16 code units.'),
  max_characters: z.int().min(1).max(400_000).default(defaultCharacters).describe('The most text to return.'),
});

export const ResearchResultInput = z.strictObject({
  search_id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'expected the id of a search, such as s_…')
    .describe('As returned by `research_start`.'),
  wait_seconds: z.number().min(0).max(45).default(45).describe('How long to wait for the end of the search.'),
});

export const FindOutput = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
});
export type FindOutput = z.infer<typeof FindOutput>;

export const FetchOutput = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
});
export type FetchOutput = z.infer<typeof FetchOutput>;

export const ReadPageOutput = z.object({
  url: z.string().describe('The URL after all redirects.'),
  title: z.string(),
  snapshot: z.string().describe('The id of this text; `fetch` returns it again.'),
  published_at: z.string().optional(),
  length: z.int().nonnegative().describe('Of the whole text, in UTF-16 code units.'),
  text: z.string().optional().describe('A part of the page as Markdown; absent with a query.'),
  next_start: z.int().positive().optional().describe('Where the text goes on; absent at its end.'),
  passages: z.array(ContentsPassage).optional().describe('With a query: what answers it, best first.'),
});
export type ReadPageOutput = z.infer<typeof ReadPageOutput>;

export const ResearchStartOutput = z.object({
  search_id: z.string().describe('Pass it to `research_result`.'),
  state: z.literal('running'),
});
export type ResearchStartOutput = z.infer<typeof ResearchStartOutput>;

export const AnswerOutput = z.object({
  search_id: z.string().describe('Names the search in `research_result` and `previous_search_id`.'),
  state: z.enum(['running', 'completed']).describe('While `running`, call `research_result` with the search_id.'),
  status: TextResult.shape.status.optional(),
  answer: TextResult.shape.answer.optional(),
  output: StructuredResult.optional().describe('With `output_format`: the answer in its shape.'),
  evidence: z.array(LeafEvidence).optional().describe('With `output_format`: what supports each value.'),
  message: TextResult.shape.message,
  nearest: TextResult.shape.nearest,
  uncited_share: TextResult.shape.uncited_share,
  uncited: TextResult.shape.uncited,
  citations: z.array(Citation).optional(),
  sources: z.array(Source).optional(),
  warnings: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .optional()
    .describe('What went wrong while the search went on, such as an image that no model could look at.'),
});
export type AnswerOutput = z.infer<typeof AnswerOutput>;

/**
 * A template refers to itself and has choices, and many clients can follow neither: some models' APIs refuse a reference, and LangChain
 * takes it, or a choice that contains an object, for an object alone, so that no type passes. Therefore only what its values may be is
 * described here; all of it is checked when it arrives.
 */
const templateSchema = {
  type: 'object',
  minProperties: 1,
  description: outputFormatSchema.description,
  additionalProperties: {
    type: ['string', 'object', 'array'],
    description: `A type (${leafTypes.join(', ')}), an object of the same kind, or a list of one such object, of "string" or of "number".`,
  },
};

/**
 * The JSON Schema of what a tool takes or returns, open to further fields; with its parts inlined instead of referenced by name,
 * and without what does not help a reader.
 */
export function plainSchema(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: z.registry(),
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === (OutputFormat as z.core.$ZodType)) Object.assign(jsonSchema, templateSchema);
      // An empty registry inlines the parts, but it has no descriptions either.
      const { description } = z.globalRegistry.get(zodSchema) ?? {};
      if (description !== undefined) jsonSchema.description = description;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return plain;
}
