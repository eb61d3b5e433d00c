/** A chat completion as a search. */
import type { ChatCompletionRequest } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { readConversation } from '../conversation.ts';
import { readFormat, withInstructions } from '../json-schema.ts';
import { chooseModel } from '../models.ts';
import { checkNoCollections, collectionsOf, searchOptions } from '../search-options.ts';
import { checkSupported } from '../unsupported.ts';

/** The search that is asked for. Throws a 400 for what a search cannot express. */
export function searchOf(request: ChatCompletionRequest): SearchInput {
  checkSupported(request);
  const choice = chooseModel(request.model);
  const { prompt, previous, image, instructions } = readConversation(request.messages, 'messages');
  if ('api_stub' in choice) {
    checkNoCollections(collectionsOf(request.citewire));
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt };
  }
  const format = request.response_format;
  const isBeside = format?.json_schema == null && format?.schema != null;
  const schema = isBeside ? format.schema : format?.json_schema?.schema;
  const path = ['response_format', ...(isBeside ? [] : ['json_schema']), 'schema'];
  const shape = readFormat(format, schema, { format: ['response_format'], schema: path });
  const options = searchOptions(request);
  return {
    request: {
      prompt,
      ...options,
      ...choice.options,
      ...(image === undefined ? {} : { image }),
      ...(shape === undefined ? {} : { output_format: shape.template }),
    },
    previous,
    ...withInstructions(shape, instructions),
  };
}
