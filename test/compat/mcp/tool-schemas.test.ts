/** The schemas of the tools, as clients that know less of JSON Schema than the protocol allows read them. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  AnswerOutput,
  AskInput,
  FetchInput,
  FindInput,
  plainSchema,
  ReadPageInput,
  ResearchResultInput,
} from '../../../src/compat/mcp/tools/tool-schemas.ts';

const inputs = { AskInput, FindInput, FetchInput, ReadPageInput, ResearchResultInput };

describe('the schema of a tool', () => {
  it.each(Object.entries(inputs))('has no references, which some clients cannot follow: %s', (_, schema) => {
    expect(JSON.stringify(plainSchema(schema))).not.toContain('"$ref"');
  });

  it('has none of its answer either', () => {
    expect(JSON.stringify(plainSchema(AnswerOutput))).not.toContain('"$ref"');
  });

  it.each([
    { designer: 'string', year: 'number' },
    { people: [{ name: 'string' }], tags: ['string'], home: { town: { name: 'string' } } },
  ])('fits the template %j', (output_format) => {
    const schema = z.fromJSONSchema(plainSchema(AskInput) as Parameters<typeof z.fromJSONSchema>[0]);
    expect(schema.safeParse({ prompt: 'Who?', output_format }).success).toBe(true);
    expect(schema.safeParse({ prompt: 'Who?', output_format: {} }).success).toBe(false);
  });

  it('has no choices in a template: LangChain takes one with an object for an object alone', () => {
    const { properties } = plainSchema(AskInput) as { properties: { output_format: object } };
    expect(JSON.stringify(properties.output_format)).not.toMatch(/anyOf|oneOf/);
  });
});
