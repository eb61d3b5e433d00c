/** A chat completion as a search. */
import type { ChatCompletionRequest } from '../../../../protocol/index.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { withInstructions } from '../../json-schema.ts';
import { readConversation } from '../conversation.ts';
import { checkNoFunction, type ForcedFunction, forcedFunction, shapeOfFunction } from '../forced-function.ts';
import { chooseModel } from '../models.ts';
import { readShape, type ShapedTurns } from '../prompted-schema.ts';
import {
  checkNoCollections,
  checkNoDates,
  checkNoDomains,
  checkNoImage,
  collectionsOf,
  expectedOfApi,
  searchOptions,
} from '../search-options.ts';
import { checkSupported } from '../unsupported.ts';

/** The search that is asked for; `models` are the language models to choose from. Throws a 400 for what a search cannot express. */
export function searchOf(request: ChatCompletionRequest, models: readonly string[]): SearchInput {
  checkSupported(request);
  const forced = forcedFunction(request);
  const choice = chooseModel(request.model, models);
  if ('api_stub' in choice) {
    const { prompt, image } = readConversation(request.messages, 'messages');
    checkNoImage(image, 'messages');
    checkNoCollections(collectionsOf(request.citewire));
    checkNoFunction(forced);
    checkNoDomains(searchOptions(request), 'search_domain_filter');
    checkNoDates(request);
    const { schema, path } = schemaOf(request);
    const expected = expectedOfApi(request.response_format, schema, path);
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt, ...expected };
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
function shapedTurns(request: ChatCompletionRequest, forced: ForcedFunction | undefined): ShapedTurns {
  const { response_format: format, messages: turns } = request;
  if (forced !== undefined) return { turns, shape: shapeOfFunction(forced) };
  const { schema, path } = schemaOf(request);
  return readShape(turns, format, schema, { format: ['response_format'], schema: path });
}

/** The schema of the format and where it is: in its own part, or beside the type, as some clients have it. */
function schemaOf({ response_format: format }: ChatCompletionRequest): { schema: unknown; path: string[] } {
  if (format?.json_schema == null && format?.schema != null)
    return { schema: format.schema, path: ['response_format', 'schema'] };
  return { schema: format?.json_schema?.schema, path: ['response_format', 'json_schema', 'schema'] };
}
