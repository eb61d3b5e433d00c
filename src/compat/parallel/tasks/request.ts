/** A task run as Parallel's clients ask for it, as a search in the background. Not yet validated. */
import { type ParallelTaskRequest, parallelLimits, type SearchRequest } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import { isObject } from '../../../base/values/is-object.ts';
import type { ForeignSearch } from '../../../service/calls.ts';
import { readFormat, type Shape, withInstructions } from '../../json-schema.ts';
import { narrow } from '../source-policy.ts';
import { defaultProcessor, type Given, searchIdOf } from './task-run.ts';

/** Words of a text that only names a subject; set by hand. */
const maxSubjectWords = 6;

type OutputSchema = NonNullable<ParallelTaskRequest['task_spec']>['output_schema'];

/** Throws a 422 for a schema that no template can express. */
export function taskSearchOf(asked: ParallelTaskRequest) {
  const schema = asked.task_spec?.output_schema ?? '';
  const shape = shapeOf(schema);
  const { previous_interaction_id, collections, processor } = asked;
  const sources = narrow(asked.source_policy);
  const request: Partial<SearchRequest> = {
    prompt: promptOf(asked.input, demandOf(schema, asked.input)),
    background: true,
    effort: effortOf(processor),
    ...(shape === undefined ? {} : { output_format: shape.template }),
    ...sources.request,
    ...(previous_interaction_id == null ? {} : { previous_search_id: searchIdOf(previous_interaction_id) }),
    ...(collections == null ? {} : { collections }),
  };
  const foreign: Omit<ForeignSearch, 'request'> = { ...withInstructions(shape), ...sources.foreign };
  return { request, ...foreign };
}

/** What the run repeats of its request. Throws a 422 for metadata beyond the limits of Parallel. */
export function givenOf({ processor, metadata }: ParallelTaskRequest): Given {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > parallelLimits.metadata_pairs) {
    const msg = `expected at most ${parallelLimits.metadata_pairs} pairs; got ${pairs.length}`;
    throw invalid(['body', 'metadata'], msg, 'too_long');
  }
  for (const [key, value] of pairs) {
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

/** What is to be found out: what a schema says in words or, beside an input that only names a subject, its fields. */
function demandOf(schema: OutputSchema, input: ParallelTaskRequest['input']): string {
  if (typeof schema === 'string') return schema;
  if (!('json_schema' in schema)) return schema.description ?? '';
  const isSubject =
    typeof input !== 'string' || (!input.includes('?') && input.trim().split(/\s+/).length <= maxSubjectWords);
  const { properties } = schema.json_schema;
  return isSubject && isObject(properties) ? Object.keys(properties).map(inWords).join(', ') : '';
}

/** What it is about, and below it what is to be found out. */
function promptOf(input: ParallelTaskRequest['input'], words: string): string {
  const subject = typeof input === 'string' ? input : Object.entries(input).map(lineOf).join('\n');
  return words.trim() === '' ? subject : `${subject}\n\n${words.trim()}`;
}

/** `company_name: "Example"` as "company name: Example". */
function lineOf([name, value]: [string, unknown]): string {
  return `${inWords(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

function effortOf(processor: string | null | undefined): SearchRequest['effort'] {
  if (/^(?:lite|base)\b/.test(processor ?? '')) return 'fast';
  return /^(?:pro|ultra)/.test(processor ?? '') ? 'deep' : 'balanced';
}
