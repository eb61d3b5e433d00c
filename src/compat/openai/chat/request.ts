/** A chat completion as a search. */
import type { ChatCompletionRequest } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { readConversation } from '../conversation.ts';
import { checkNoFunction, type ForcedFunction, forcedFunction, shapeOfFunction } from '../forced-function.ts';
import { readFormat, type Shape, withInstructions } from '../json-schema.ts';
import { chooseModel } from '../models.ts';
import { checkNoCollections, collectionsOf, searchOptions } from '../search-options.ts';
import { checkSupported } from '../unsupported.ts';

/** The search that is asked for. Throws a 400 for what a search cannot express. */
export function searchOf(request: ChatCompletionRequest): SearchInput {
  checkSupported(request);
  const forced = forcedFunction(request);
  const choice = chooseModel(request.model);
  const { prompt, previous, image, instructions } = readConversation(request.messages, 'messages');
  if ('api_stub' in choice) {
    checkNoCollections(collectionsOf(request.citewire));
    checkNoFunction(forced);
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt };
  }
  const shape = shapeOf(request, forced);
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

/** A call of a function takes the place of the text, and so of its format. */
function shapeOf(
  { response_format: format }: ChatCompletionRequest,
  forced: ForcedFunction | undefined,
): Shape | undefined {
  if (forced !== undefined) return shapeOfFunction(forced);
  const isBeside = format?.json_schema == null && format?.schema != null;
  const schema = isBeside ? format.schema : format?.json_schema?.schema;
  const path = ['response_format', ...(isBeside ? [] : ['json_schema']), 'schema'];
  return readFormat(format, schema, { format: ['response_format'], schema: path });
}
