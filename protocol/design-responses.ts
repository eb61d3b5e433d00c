/** Response bodies of the calls that manage designs and published APIs. */
import * as z from 'zod';
import { ApiId, ApiStub, Design, DesignExample, DesignInput } from './designs.ts';
import { answerStatuses } from './events.ts';
import { OutputFormat } from './output-format.ts';

const Time = z.iso.datetime();
const Cursor = z.string().optional().describe('Pass it as `?cursor=` to get the next page; absent on the last one.');
const VersionNumber = z.int().positive();

const { name, api_stub, description } = Design.shape;

const ownFields = {
  api_id: ApiId,
  created_at: Time,
  updated_at: Time,
  published_version: VersionNumber.optional().describe(
    'The newest version that the account has published under this stub.',
  ),
};

/** Body of POST, GET and PATCH /v1/design-api[/{api_id}]: the design with defaults filled in, its id and its times. */
export const DesignRecord = z.object({ ...ownFields, ...Design.shape }).meta({ id: 'DesignRecord' });
export type DesignRecord = z.infer<typeof DesignRecord>;

/** Body of GET /v1/design-api: the account's own designs, newest first. */
export const DesignList = z
  .object({
    items: z.array(z.object({ ...ownFields, name, api_stub, description })),
    cursor: Cursor,
  })
  .meta({ id: 'DesignList' });
export type DesignList = z.infer<typeof DesignList>;

/** Body of DELETE /v1/design-api/{api_id}. */
export const DesignDeleted = z.object({ api_id: ApiId, deleted: z.literal(true) }).meta({ id: 'DesignDeleted' });
export type DesignDeleted = z.infer<typeof DesignDeleted>;

const frozen = {
  api_stub: ApiStub,
  version: VersionNumber,
  content_hash: z
    .string()
    .describe('SHA-256 of the published design, in hex; versions with the same hash are identical.'),
  published_at: Time,
};

const listing = {
  retired_at: Time.optional().describe('Since when its account no longer offers it; absent while it is offered.'),
};

/** Body of PATCH /v1/published-service/{api_stub}/v{version}. */
export const VersionListing = z
  .object({ api_stub: ApiStub, version: VersionNumber, ...listing })
  .meta({ id: 'VersionListing' });
export type VersionListing = z.infer<typeof VersionListing>;

/** Body of POST /v1/design-api/{api_id}/publish. */
export const VersionPublished = z
  .object({
    ...frozen,
    examples: z
      .array(
        z.object({
          inputs: DesignExample.shape.inputs,
          search_id: z.string().describe('GET /v1/search/{search_id} returns its answer.'),
          status: z.enum(answerStatuses),
        }),
      )
      .describe('The runs of the examples; all of them matched the template.'),
  })
  .meta({ id: 'VersionPublished' });
export type VersionPublished = z.infer<typeof VersionPublished>;

/** Body of GET /v1/design-api/{api_id}/versions: complete designs, for their owner only. Newest first. */
export const DesignVersions = z
  .object({ items: z.array(z.object({ ...frozen, ...listing, design: Design })), cursor: Cursor })
  .meta({ id: 'DesignVersions' });
export type DesignVersions = z.infer<typeof DesignVersions>;

const described = {
  api_stub: ApiStub,
  version: VersionNumber.describe('The newest version that is offered.'),
  name: z.string(),
  description: z.string().optional(),
  owner: z.string().describe('The name of the account that published it.'),
  published_at: Time.describe('When the newest version was published.'),
};

/** Body of GET /v1/published-service: the newest version of each API, most recently published first. */
export const PublishedList = z
  .object({ items: z.array(z.object(described)), cursor: Cursor })
  .meta({ id: 'PublishedList' });
export type PublishedList = z.infer<typeof PublishedList>;

/** One difference between a version and the one before it. */
export const VersionChange = z
  .object({
    path: z.string().describe('JSON Pointer into the design: `/inputs/topic`, `/output_format/price`, `/prompt`.'),
    change: z.enum(['added', 'removed', 'changed']),
  })
  .meta({ id: 'VersionChange' });
export type VersionChange = z.infer<typeof VersionChange>;

const callable = {
  inputs: z.record(z.string(), DesignInput),
  output_format: OutputFormat.optional().describe('If absent, the response is a `TextResult`.'),
};

/** Body of GET /v1/published-service/{api_stub}. */
export const PublishedApi = z
  .object({
    ...described,
    retired_at: Time.optional().describe(
      'Present where every version is retired: since when the newest one is. Then calls without a version are a 404.',
    ),
    ...callable,
    versions: z
      .array(
        z.object({
          ...frozen,
          ...listing,
          ...callable,
          example: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('The inputs of its first example; absent if it has none.'),
          changes: z.array(VersionChange).describe('Changes since the previous version.'),
        }),
      )
      .describe('Newest first.'),
    cursor: Cursor,
    openapi: z.string().describe("Path of the API's own OpenAPI document."),
    samples: z
      .object({ curl: z.string(), typescript: z.string(), python: z.string() })
      .describe('A sample call of the newest version, ready to paste.'),
  })
  .meta({ id: 'PublishedApi' });
export type PublishedApi = z.infer<typeof PublishedApi>;
