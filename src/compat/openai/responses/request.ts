/** A response of OpenAI as a search. */
import type { InputItem, OutputFormat, ResponseRequest, Turn } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import type { SearchInput } from '../../../service/calls.ts';
import { readConversation } from '../conversation.ts';
import { templateOf } from '../json-schema.ts';
import { chooseModel } from '../models.ts';
import { effortOf } from '../search-options.ts';
import { searchIdOf } from './response.ts';

/** The answer of an earlier search of the caller; undefined if there is none. */
export type ReadAnswer = (search_id: string) => Promise<string | undefined>;

/** The search that is asked for. Rejects with a 400 for what a search cannot express. */
export async function searchOf(request: ResponseRequest, readAnswer: ReadAnswer): Promise<SearchInput> {
  const { input, instructions: own, previous_response_id: previous_id } = request;
  const calledBack = {
    ...(request.background === true ? { background: true } : {}),
    ...(request.webhook == null ? {} : { webhook: request.webhook }),
  };
  const choice = chooseModel(request.model);
  const turns = typeof input === 'string' ? [{ role: 'user', content: input }] : await turnsOf(input, readAnswer);
  const { prompt, previous, image, instructions } = readConversation(turns, 'input');
  if ('api_stub' in choice)
    return { api: { api_stub: choice.api_stub, version: 'newest' }, text: prompt, ...calledBack };
  const output_format = formatOf(request.text?.format);
  const before = previous_id == null ? undefined : searchIdOf(previous_id);
  const said = [own ?? '', instructions].filter((text) => text !== '').join('\n\n');
  return {
    request: {
      prompt,
      ...calledBack,
      ...toolOptions(request.tools ?? []),
      ...(choice.effort === undefined ? {} : { effort: choice.effort }),
      ...(image === undefined ? {} : { image }),
      ...(output_format === undefined ? {} : { output_format }),
      ...(before === undefined ? {} : { previous_search_id: before }),
    },
    previous,
    ...(said === '' ? {} : { instructions: said }),
  };
}

/** The messages among the items. A reference to an earlier answer stands for it; other items are passed over. */
async function turnsOf(items: readonly InputItem[], readAnswer: ReadAnswer): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const { type, id, role, content } of items) {
    if (type === 'item_reference' && id?.startsWith(messagePrefix)) {
      const answer = await readAnswer(id.slice(messagePrefix.length));
      if (answer !== undefined) turns.push({ role: 'assistant', content: answer });
    } else if (typeof role === 'string' && (type == null || type === 'message')) {
      turns.push({ role, content });
    }
  }
  return turns;
}

const messagePrefix = 'msg_';

/** What the tool of web searches says; the last one, if there are several. */
function toolOptions(tools: NonNullable<ResponseRequest['tools']>): object {
  const tool = tools.findLast(({ type }) => type.startsWith('web_search'));
  const { allowed_domains, blocked_domains } = tool?.filters ?? {};
  return {
    ...(allowed_domains?.length ? { source_whitelist: allowed_domains } : {}),
    ...(blocked_domains?.length ? { source_blacklist: blocked_domains } : {}),
    ...effortOf(tool?.search_context_size),
  };
}

/** A `json_object` says nothing about its fields, so it gets the one that every answer can fill. */
const anyObject: OutputFormat = { answer: 'string' };

function formatOf(format: NonNullable<ResponseRequest['text']>['format']): OutputFormat | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return anyObject;
  if (format.type === 'json_schema') return templateOf(format.schema, ['body', 'text', 'format', 'schema']);
  const got = JSON.stringify(format.type.slice(0, 40));
  throw invalid(
    ['body', 'text', 'format', 'type'],
    `expected text, json_object or json_schema; got ${got}`,
    'value_error',
  );
}
