/** What clients of OpenAI send and read, as far as it is checked. Fields that are not named here are ignored, never refused. */
import { z } from 'zod';

export const Model = z
  .object({
    id: z.string().describe('`citewire`, `citewire-fast`, `citewire-deep`, or `api/<stub>` for a published API.'),
    object: z.literal('model'),
    created: z.int().describe('Seconds since 1970.'),
    owned_by: z.string(),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof Model>;

/** Body of GET /v1/models. */
export const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) }).meta({ id: 'ModelList' });
export type ModelList = z.infer<typeof ModelList>;
