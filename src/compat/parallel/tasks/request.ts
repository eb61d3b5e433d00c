/** A task run as Parallel's clients ask for it, as a search in the background. Not yet validated. */
import { type ParallelTaskRequest, parallelLimits, type SearchRequest } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import type { Wishes } from '../../../service/calls.ts';
import { readFormat, type Shape, withInstructions } from '../../json-schema.ts';
import { narrow } from '../source-policy.ts';
import { defaultProcessor, type Given, searchIdOf } from './task-run.ts';

type OutputSchema = NonNullable<ParallelTaskRequest['task_spec']>['output_schema'];

/** Throws a 422 for a schema that no template can express. */
export function taskSearchOf(asked: ParallelTaskRequest) {
  const schema = asked.task_spec?.output_schema ?? '';
  const shape = shapeOf(schema);
  const { previous_interaction_id, collections, processor } = asked;
  const request: Partial<SearchRequest> = {
    prompt: promptOf(asked.input, wordsOf(schema)),
    background: true,
    effort: effortOf(processor),
    ...(shape === undefined ? {} : { output_format: shape.template }),
    ...narrow(asked.source_policy),
    ...(previous_interaction_id == null ? {} : { previous_search_id: searchIdOf(previous_interaction_id) }),
    ...(collections == null ? {} : { collections }),
  };
  const wishes: Wishes = withInstructions(shape);
  return { request, ...wishes };
}

/** What the run repeats of its request. Throws a 422 for metadata beyond the limits of Parallel. */
export function givenOf({ processor, metadata }: ParallelTaskRequest): Given {
  for (const [key, value] of Object.entries(metadata ?? {})) {
    if (key.length > parallelLimits.metadata_key) throw tooLong(key, 'keys', parallelLimits.metadata_key, key.length);
    const { length } = String(value);
    if (length > parallelLimits.metadata_value) throw tooLong(key, 'values', parallelLimits.metadata_value, length);
  }
  return { processor: processor ?? defaultProcessor, metadata: metadata ?? null };
}

function tooLong(key: string, what: string, limit: number, got: number) {
  const msg = `expected ${what} of at most ${limit} characters; got ${got}`;
  return invalid(['body', 'metadata', key], msg, 'string_too_long');
}

function shapeOf(schema: OutputSchema): Shape | undefined {
  if (typeof schema === 'string' || !('json_schema' in schema)) return undefined;
  const loc = ['task_spec', 'output_schema', 'json_schema'];
  return readFormat({ type: 'json_schema' }, schema.json_schema, { format: loc, schema: loc });
}

/** What is to be found out, where it is said in words. */
function wordsOf(schema: OutputSchema): string {
  if (typeof schema === 'string') return schema;
  return 'json_schema' in schema ? '' : (schema.description ?? '');
}

/** The task, and below it what it is about. */
function promptOf(input: ParallelTaskRequest['input'], words: string): string {
  const subject = typeof input === 'string' ? input : Object.entries(input).map(lineOf).join('\n');
  return words.trim() === '' ? subject : `${words.trim()}\n\n${subject}`;
}

/** `company_name: "Example"` as "company name: Example". */
function lineOf([name, value]: [string, unknown]): string {
  return `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function effortOf(processor: string | null | undefined): SearchRequest['effort'] {
  if (/^(?:lite|base)\b/.test(processor ?? '')) return 'fast';
  return /^(?:pro|ultra)/.test(processor ?? '') ? 'deep' : 'balanced';
}
