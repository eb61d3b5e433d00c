/** What a response repeats of its request, whenever it is read: it is kept with the search. */
import type { ResponseObject, ResponseRequest } from '../../../../protocol/index.ts';
import { isObject } from '../../../base/values/is-object.ts';
import type { Echoed } from '../../../runs/records/run-records.ts';
import { forcedFunction, isWebSearch } from '../forced-function.ts';
import { metadataOf } from './metadata.ts';
import type { About, ShownSearch } from './response.ts';

/** The part of a response that its request gives. */
export type Given = Omit<About, 'search_id' | 'created_at' | 'prompt' | 'background'>;
type Format = ResponseObject['text']['format'];

/** Characters of instructions, and of a format, that are kept; set by hand. Longer ones would be most of a search's record. */
const maxKept = 8_000;
const maxName = 64;

/**
 * What the response to a request repeats. Throws a 400 for metadata beyond their limits, and for a function that cannot be called.
 */
export function givenOf(request: ResponseRequest): Given {
  const { model, previous_response_id, instructions } = request;
  const call = callOf(request);
  return {
    model,
    previous_response_id: previous_response_id ?? null,
    metadata: metadataOf(request),
    instructions: instructions != null && instructions.length <= maxKept ? instructions : null,
    text: { format: formatOf(request.text?.format) },
    web_search: shownSearch(request),
    ...(call === undefined ? {} : { call }),
  };
}

/** As far as a search has it: those that came through another door, or to an earlier version, have less or nothing. */
export function givenIn(echoed: Echoed = {}): Given {
  const text = { format: { type: 'text' } };
  // Earlier versions always showed the search.
  const web_search = { sources: true };
  return {
    model: 'citewire',
    previous_response_id: null,
    metadata: {},
    instructions: null,
    text,
    web_search,
    ...echoed,
  };
}

/** As at OpenAI, which calls no tool that it was not given, and names the sources of a search where they are asked for. */
function shownSearch({ tools, include }: ResponseRequest): ShownSearch | null {
  if (tools?.some(isWebSearch) !== true) return null;
  return { sources: include?.includes('web_search_call.action.sources') === true };
}

/** The function that the response is the call of. */
function callOf(request: ResponseRequest): Given['call'] {
  const forced = forcedFunction(request);
  if (forced === undefined) return undefined;
  const { name, parameters = null, strict } = forced;
  const isKept = isObject(parameters) && JSON.stringify(parameters).length <= maxKept;
  return { name, parameters: isKept ? parameters : null, strict };
}

/** Clients parse the text by it; LangChain does so in a stream. */
function formatOf(given: NonNullable<ResponseRequest['text']>['format']): Format {
  if (given == null) return { type: 'text' };
  const { type, name, description, strict, schema } = given;
  if (type !== 'json_schema') return { type };
  const whole = {
    type,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    schema: schema ?? {},
  };
  if (JSON.stringify(whole).length <= maxKept) return whole;
  return { type, name: String(name).slice(0, maxName), schema: {} };
}
