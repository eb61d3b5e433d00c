/** A response of OpenAI as a search. */
import type { InputItem, ResponseRequest, Turn } from '../../../../protocol/index.ts';
import { preview } from '../../../../protocol/preview.ts';
import { invalid } from '../../../base/errors.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { domainLists } from '../../domain-lists.ts';
import { withInstructions } from '../../json-schema.ts';
import { readConversation } from '../conversation.ts';
import { checkNoFunction, forcedFunction, isWebSearch, shapeOfFunction } from '../forced-function.ts';
import { chooseModel } from '../models.ts';
import { readShape } from '../prompted-schema.ts';
import {
  checkNoCollections,
  checkNoDomains,
  checkNoImage,
  collectionsOf,
  effortOf,
  expectedOfApi,
} from '../search-options.ts';
import { checkSelfContained, checkSupported, refused } from '../unsupported.ts';
import { searchIdOf } from './response.ts';

/** An earlier search of the caller. */
export interface Earlier {
  readonly prompt: string;
  /** Absent if it has not answered. */
  readonly answer?: string | undefined;
}

/** Looks up an earlier search of the caller; undefined if there is none. */
export type ReadEarlier = (search_id: string) => Promise<Earlier | undefined>;

/** The search that is asked for; `models` are the language models to choose from. Rejects with a 400 for what a search cannot express. */
export async function searchOf(
  request: ResponseRequest,
  readEarlier: ReadEarlier,
  models: readonly string[],
): Promise<SearchInput> {
  const { input, instructions: own, previous_response_id: previous_id } = request;
  const calledBack = {
    ...(request.background === true ? { background: true } : {}),
    ...(request.webhook == null ? {} : { webhook: request.webhook }),
  };
  checkSupported(request);
  checkSelfContained(request);
  const forced = forcedFunction(request);
  const choice = chooseModel(request.model, models);
  const given =
    typeof input === 'string' ? [asUser(input)] : await turnsOf(input, previous_id ?? undefined, readEarlier);
  const collections = collectionsOf(request.citewire);
  const format = request.text?.format;
  const at = { format: ['text', 'format'], schema: ['text', 'format', 'schema'] };
  const tool = readTool(request.tools ?? []);
  if ('api_stub' in choice) {
    const { prompt, image } = readConversation(given, 'input');
    checkNoImage(image, 'input');
    checkNoCollections(collections);
    checkNoFunction(forced);
    checkNoDomains(tool.options, 'tools');
    checkNoPrevious(previous_id);
    const expected = expectedOfApi(format, format?.schema, at.schema);
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt, ...expected, ...calledBack };
  }
  const said = own == null || own === '' ? given : [{ role: 'system', content: own }, ...given];
  // A call of a function takes the place of the text, and so of its format.
  const { turns, shape } =
    forced === undefined
      ? readShape(said, format, format?.schema, at)
      : { turns: said, shape: shapeOfFunction(forced) };
  const { prompt, previous, image, instructions } = readConversation(turns, 'input');
  return {
    request: {
      prompt,
      ...calledBack,
      ...tool.options,
      ...collections,
      ...choice.options,
      ...(image === undefined ? {} : { image }),
      ...(shape === undefined ? {} : { output_format: shape.template }),
      ...(previous_id == null ? {} : { previous_search_id: previousSearchId(previous_id) }),
    },
    previous,
    ...tool.foreign,
    ...withInstructions(shape, instructions),
  };
}

/**
 * The messages among the items. A reference to an earlier answer stands for it; other items are passed over. Of the answers
 * only the last one before the question matters, so that is the one looked up: a request may have a thousand references.
 */
async function turnsOf(
  items: readonly InputItem[],
  previous_id: string | undefined,
  readEarlier: ReadEarlier,
): Promise<Turn[]> {
  if (previous_id !== undefined && !items.some(isMessage) && items.some(isOutput)) {
    // A tool's result without a question: the question of the response that called the tool is answered again.
    const called = await readEarlier(previousSearchId(previous_id));
    if (called === undefined) throw unknownResponse(previous_id);
    return [asUser(called.prompt)];
  }
  const asked = items.findLastIndex((item) => isMessage(item) && item.role === 'user');
  const isAnswer = (item: InputItem) => isReference(item) || (isMessage(item) && item.role === 'assistant');
  const answers = items.flatMap((item, at) => (at < asked && isAnswer(item) ? [at] : [])).reverse();
  let referred: { readonly at: number; readonly answer: string } | undefined;
  for (const at of answers.slice(0, maxReferences)) {
    const item = items[at]!;
    if (!isReference(item)) break;
    const answer = (await readEarlier(item.id!.slice(messagePrefix.length)))?.answer;
    if (answer === undefined) continue;
    referred = { at, answer };
    break;
  }
  return items.flatMap((item, at): Turn[] => {
    if (at === referred?.at) return [{ role: 'assistant', content: referred.answer }];
    return isMessage(item) ? [{ role: item.role, content: item.content }] : [];
  });
}

function isMessage(item: InputItem): item is InputItem & { readonly role: string } {
  return typeof item.role === 'string' && (item.type == null || item.type === 'message');
}

/** Throws a 400 for what is not the id of a response: as for that of an unknown one, the request is wrong. */
function previousSearchId(response_id: string): string {
  try {
    return searchIdOf(response_id);
  } catch {
    throw unknownResponse(response_id);
  }
}

function checkNoPrevious(previous_id: string | null | undefined): void {
  if (previous_id == null) return;
  throw refused(
    'previous_response_id',
    'expected none with the model of a published API, whose runs do not follow up on anything',
  );
}

function unknownResponse(response_id: string) {
  const msg = `expected the id of one of your responses; got ${preview(response_id)}`;
  return invalid(['body', 'previous_response_id'], msg, 'value_error');
}

function isOutput({ type }: InputItem): boolean {
  return type === 'function_call_output';
}

function asUser(content: string): Turn {
  return { role: 'user', content };
}

function isReference({ type, id }: InputItem): boolean {
  return type === 'item_reference' && id?.startsWith(messagePrefix) === true;
}

/** References that are looked up for the last answer, since some may be to unknown ones; set by hand. */
const maxReferences = 10;
const messagePrefix = 'msg_';

/** What the tool of web searches says; the last one, if there are several. */
function readTool(tools: NonNullable<ResponseRequest['tools']>) {
  const tool = tools.findLast(isWebSearch);
  const { lists, foreign } = domainLists(tool?.filters?.allowed_domains, tool?.filters?.blocked_domains);
  return { options: { ...lists, ...effortOf(tool?.search_context_size) }, foreign };
}
