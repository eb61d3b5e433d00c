/** A chat completion as a search. */
import type { ChatCompletionRequest } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { readConversation } from '../conversation.ts';
import { type Shape, shapeOf } from '../json-schema.ts';
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
  const shape = formatOf(request.response_format);
  const options = searchOptions(request);
  const said = [instructions, shape?.notes ?? ''].filter((text) => text !== '').join('\n\n');
  return {
    request: {
      prompt,
      ...options,
      ...choice.options,
      ...(image === undefined ? {} : { image }),
      ...(shape === undefined ? {} : { output_format: shape.template }),
    },
    previous,
    ...(said === '' ? {} : { instructions: said }),
  };
}

/** A `json_object` says nothing about its fields, so it gets the one that every answer can fill. */
const anyObject: Shape = { template: { answer: 'string' }, notes: '' };

function formatOf(format: ChatCompletionRequest['response_format']): Shape | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return anyObject;
  const loc = ['body', 'response_format', 'json_schema', 'schema'];
  if (format.type === 'json_schema') return shapeOf(format.json_schema?.schema, loc);
  const got = JSON.stringify(format.type.slice(0, 40));
  throw invalid(
    ['body', 'response_format', 'type'],
    `expected text, json_object or json_schema; got ${got}`,
    'value_error',
  );
}
