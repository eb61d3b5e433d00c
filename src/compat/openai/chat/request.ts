/** A chat completion as a search. */
import type { ChatCompletionRequest } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { withInstructions } from '../../json-schema.ts';
import { readConversation } from '../conversation.ts';
import { checkNoFunction, type ForcedFunction, forcedFunction, shapeOfFunction } from '../forced-function.ts';
import { chooseModel } from '../models.ts';
import { readShape, type ShapedTurns } from '../prompted-schema.ts';
import { checkNoCollections, checkNoDomains, checkNoImage, collectionsOf, searchOptions } from '../search-options.ts';
import { checkSupported } from '../unsupported.ts';

/** The search that is asked for. Throws a 400 for what a search cannot express. */
export function searchOf(request: ChatCompletionRequest): SearchInput {
  checkSupported(request);
  const forced = forcedFunction(request);
  const choice = chooseModel(request.model);
  if ('api_stub' in choice) {
    const { prompt, image } = readConversation(request.messages, 'messages');
    checkNoImage(image, 'messages');
    checkNoCollections(collectionsOf(request.citewire));
    checkNoFunction(forced);
    checkNoDomains(searchOptions(request), 'search_domain_filter');
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt };
  }
  const { turns, shape } = shapedTurns(request, forced);
  const { prompt, previous, image, instructions } = readConversation(turns, 'messages');
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

/**
 * The shape of the answer by its format or, where that has no schema, by the words of the turns. A call of a function takes the
 * place of both.
 */
function shapedTurns(
  { response_format: format, messages: turns }: ChatCompletionRequest,
  forced: ForcedFunction | undefined,
): ShapedTurns {
  if (forced !== undefined) return { turns, shape: shapeOfFunction(forced) };
  const isBeside = format?.json_schema == null && format?.schema != null;
  const schema = isBeside ? format.schema : format?.json_schema?.schema;
  const path = ['response_format', ...(isBeside ? [] : ['json_schema']), 'schema'];
  return readShape(turns, format, schema, { format: ['response_format'], schema: path });
}
