/**
 * A search as a response of OpenAI: the call of its web search, if its caller gave that tool, and a message. Its ids are made of
 * the id of the search.
 */
import type {
  CompletedEvent,
  OutputItem,
  ResponseObject,
  Source,
  UrlCitation,
  Usage,
} from '../../../../protocol/index.ts';
import { notFound } from '../../../base/errors.ts';
import { answerText } from '../../answer-text.ts';
import { unixTime } from '../../unix-time.ts';
import { annotationsOf } from '../annotations.ts';

/** What every response says about its search. */
export interface About {
  readonly search_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly prompt: string;
  /** As the client named it. */
  readonly model: string;
  /** The response that it follows up on. */
  readonly previous_response_id: string | null;
  /** As the client gave them. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly instructions: string | null;
  readonly text: ResponseObject['text'];
  /** The function that it is the call of, if one is forced. */
  readonly call?: { readonly name: string } & Pick<FunctionTool, 'parameters' | 'strict'>;
  /**
   * How the web search is shown, if the client gave that tool: clients report the call of a tool that they do not have as a
   * failure.
   */
  readonly web_search: ShownSearch | null;
  /** Whether it runs in the background. */
  readonly background: boolean;
}

/** How the call of the web search is shown. */
export interface ShownSearch {
  /** With its sources, which clients ask for by `include`. Some read them instead of the annotations, which have titles. */
  readonly sources: boolean;
}

type FunctionTool = Extract<ResponseObject['tools'][number], { type: 'function' }>;

/** How far a search has come, in the terms of a response. */
export interface Progress {
  readonly status: ResponseObject['status'];
  readonly output: readonly OutputItem[];
  readonly error?: ResponseObject['error'];
  readonly usage?: Usage | undefined;
}

const prefix = 'resp_';

/** The id of a response's search. Throws `not_found` if it is not the id of a response. */
export function searchIdOf(response_id: string): string {
  if (response_id.startsWith(prefix)) return response_id.slice(prefix.length);
  throw notFound('response', response_id);
}

/** The response of a search that has come so far. */
export function responseOf(about: About, { status, output, error = null, usage }: Progress): ResponseObject {
  return {
    id: prefix + about.search_id,
    object: 'response',
    created_at: unixTime(about.created_at),
    status,
    model: about.model,
    output: [...output],
    error,
    usage: usage === undefined ? null : usageOf(usage),
    previous_response_id: about.previous_response_id,
    incomplete_details: null,
    instructions: about.instructions,
    text: about.text,
    metadata: about.metadata,
    parallel_tool_calls: false,
    tool_choice: about.call === undefined ? 'auto' : { type: 'function', name: about.call.name },
    tools: [
      ...(about.web_search === null ? [] : [{ type: 'web_search' as const }]),
      ...(about.call === undefined ? [] : [{ type: 'function' as const, ...about.call }]),
    ],
    temperature: null,
    top_p: null,
    background: about.background,
    store: true,
  };
}

/** The response of a search that has completed. `warned`: what it warned of, where that is known. */
export function completedResponse(
  about: About,
  ended: CompletedEvent,
  warned: Pick<ResponseObject, 'warnings'> = {},
): ResponseObject {
  const text = answerText(ended);
  const answer =
    functionCall(about, 'completed', text) ??
    message(about, 'completed', [outputText(text, annotationsIn(text, ended))]);
  const output = [...searchCalls(about, 'completed', ended.sources), answer];
  return { ...responseOf(about, { status: 'completed', output, usage: ended.usage }), ...warned };
}

/** The annotations of a message. */
export function annotationsIn(text: string, { citations, sources, evidence }: CompletedEvent) {
  const found = evidence === undefined ? annotationsOf(text, citations, sources) : [];
  return found.map((citation) => ({ type: 'url_citation' as const, ...citation }));
}

type SearchCall = Extract<OutputItem, { type: 'web_search_call' }>;
type Message = Extract<OutputItem, { type: 'message' }>;
type FunctionCall = Extract<OutputItem, { type: 'function_call' }>;

/** Characters of a prompt that are shown as the query; set by hand. */
const maxQuery = 400;

/** The item of the web search; none unless it is shown. */
export function searchCalls(about: About, status: SearchCall['status'], sources: readonly Source[]): SearchCall[] {
  const { search_id, web_search } = about;
  if (web_search === null) return [];
  const prompt = about.prompt.slice(0, maxQuery).toWellFormed();
  const urls = sources.map(({ url }) => ({ type: 'url' as const, url }));
  const action: SearchCall['action'] = {
    type: 'search',
    query: prompt,
    queries: [prompt],
    ...(web_search.sources ? { sources: urls } : {}),
  };
  return [{ id: `ws_${search_id}`, type: 'web_search_call', status, action }];
}

/** The item of the answer. */
export function message({ search_id }: About, status: Message['status'], content: Message['content']): Message {
  return { id: `msg_${search_id}`, type: 'message', role: 'assistant', status, content };
}

/** The item of the answer where a function is forced; undefined where none is. */
export function functionCall(
  { search_id, call }: About,
  status: FunctionCall['status'],
  json: string,
): FunctionCall | undefined {
  if (call === undefined) return undefined;
  const ids = { id: `fc_${search_id}`, call_id: `call_${search_id}` };
  return { ...ids, type: 'function_call', status, name: call.name, arguments: json };
}

/** The content of the answer. */
export function outputText(
  text: string,
  annotations: readonly (UrlCitation & { readonly type: 'url_citation' })[],
): Message['content'][number] {
  return { type: 'output_text', text, annotations: [...annotations], logprobs: [] };
}

function usageOf({ tokens_in, tokens_out }: Usage): ResponseObject['usage'] {
  return {
    input_tokens: tokens_in,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: tokens_out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens_in + tokens_out,
  };
}
