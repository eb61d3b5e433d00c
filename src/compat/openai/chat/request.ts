/** A chat completion as a search. */
import type { ChatCompletionRequest, OutputFormat } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { readConversation } from '../conversation.ts';
import { templateOf } from '../json-schema.ts';
import { chooseModel } from '../models.ts';
import { checkNoCollections, collectionsOf, searchOptions } from '../search-options.ts';

/** The search that is asked for. Throws a 400 for what a search cannot express. */
export function searchOf(request: ChatCompletionRequest): SearchInput {
  const choice = chooseModel(request.model);
  const { prompt, previous, image, instructions } = readConversation(request.messages, 'messages');
  if ('api_stub' in choice) {
    checkNoCollections(collectionsOf(request.citewire));
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt };
  }
  const output_format = formatOf(request.response_format);
  const options = searchOptions(request);
  return {
    request: {
      prompt,
      ...options,
      ...choice.options,
      ...(image === undefined ? {} : { image }),
      ...(output_format === undefined ? {} : { output_format }),
    },
    previous,
    ...(instructions === '' ? {} : { instructions }),
  };
}

/** A `json_object` says nothing about its fields, so it gets the one that every answer can fill. */
const anyObject: OutputFormat = { answer: 'string' };

function formatOf(format: ChatCompletionRequest['response_format']): OutputFormat | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return anyObject;
  const loc = ['body', 'response_format', 'json_schema', 'schema'];
  if (format.type === 'json_schema') return templateOf(format.json_schema?.schema, loc);
  const got = JSON.stringify(format.type.slice(0, 40));
  throw invalid(
    ['body', 'response_format', 'type'],
    `expected text, json_object or json_schema; got ${got}`,
    'value_error',
  );
}
