/** What a task run of Parallel is searched for. */
import { describe, expect, it } from 'vitest';
import { ParallelTaskRequest } from '../../../protocol/index.ts';
import { taskSearchOf } from '../../../src/compat/parallel/tasks/request.ts';

const properties = { founded_in: { type: 'integer' }, chief_engineer: { type: 'string' } };
const form = { type: 'json', json_schema: { type: 'object', properties } };
const searchOf = (input: unknown, output_schema?: unknown, processor?: string) =>
  taskSearchOf(ParallelTaskRequest.parse({ input, processor, task_spec: output_schema && { output_schema } })).request;

describe('a task run is searched for', () => {
  it.each([
    ['its input', 'Who built the pier?', undefined, 'Who built the pier?'],
    ['its input and what is to be found out', 'Pier One', 'Its age', 'Pier One\n\nIts age'],
    ['the same as a text schema', 'Pier One', { type: 'text', description: 'Its age' }, 'Pier One\n\nIts age'],
    ['a question in any form', 'Who built the pier?', form, 'Who built the pier?'],
    ['the fields of a subject', 'Pier One', form, 'Pier One\n\nfounded in, chief engineer'],
    [
      'the fields of an input of several values',
      { pier_name: 'Pier One', built: 1931 },
      form,
      'pier name: Pier One\nbuilt: 1931\n\nfounded in, chief engineer',
    ],
  ])('by %s', (_, input, schema, prompt) => {
    expect(searchOf(input, schema).prompt).toBe(prompt);
  });

  it.each([
    ['lite', 'fast'],
    ['base-fast', 'fast'],
    ['core', 'balanced'],
    ['pro', 'deep'],
    ['ultra8x', 'deep'],
    [undefined, 'balanced'],
  ])('with the effort of its processor: %s', (processor, effort) => {
    expect(searchOf('Pier One', undefined, processor).effort).toBe(effort);
  });
});
