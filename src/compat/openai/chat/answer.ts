/** An ended search as a chat completion, and the parts of it that the chunks of a stream share. */
import type { ChatCompletion, CompletedEvent, Source, Usage } from '../../../../protocol/index.ts';
import { answerText, sourcesBlock } from '../../answer-text.ts';
import { type NamedRun, unixTime } from '../../unix-time.ts';
import { annotationsOf } from '../annotations.ts';
import { type AskedCall, finishOf, messageOf } from './function-call.ts';

/** What a completion repeats of its request. */
export interface Asked {
  /** As the client named it. */
  readonly model: string;
  /** Whether the text ends with a list of its sources. */
  readonly sources: boolean;
  /** The function that the answer is the call of, if one is forced. */
  readonly call?: AskedCall | undefined;
}

/** What the search warned of, where that is known. */
type Warned = Pick<ChatCompletion, 'warnings'>;

/** The fields that a completion and all its chunks begin with. */
export function headOf({ search_id, created_at }: NamedRun, { model }: Pick<Asked, 'model'>) {
  return { id: `chatcmpl-${search_id}`, created: unixTime(created_at), model };
}

/** The completion. The annotations are those of the stream of the same search. */
export function completionOf(about: NamedRun, asked: Asked, ended: CompletedEvent, said: Warned = {}): ChatCompletion {
  const text = answerText(ended);
  const { sources } = ended;
  const content = asked.sources && asked.call === undefined ? text + sourcesBlock(text, sources) : text;
  const message = { ...messageOf(about, asked.call, content), annotations: chatAnnotations(text, ended) };
  return {
    ...headOf(about, asked),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(asked.call) }],
    usage: usageOf(ended.usage),
    citations: sources.map(({ url }) => url),
    search_results: sources.map(searchResultOf),
    ...said,
  };
}

/** The annotations of a message. */
export function chatAnnotations(text: string, { citations, sources, evidence }: CompletedEvent) {
  if (evidence !== undefined) return [];
  return annotationsOf(text, citations, sources).map((url_citation) => ({
    type: 'url_citation' as const,
    url_citation,
  }));
}

/** Tokens of the models, none where none was used. */
export function usageOf({ tokens_in, tokens_out }: Pick<Usage, 'tokens_in' | 'tokens_out'>): ChatCompletion['usage'] {
  return { prompt_tokens: tokens_in, completion_tokens: tokens_out, total_tokens: tokens_in + tokens_out };
}

/** A source as Perplexity shows it. */
export function searchResultOf({
  title,
  url,
  published_at,
  snippet,
}: Source): ChatCompletion['search_results'][number] {
  return {
    title: title || url,
    url,
    date: published_at ?? null,
    last_updated: null,
    snippet: snippet ?? '',
    source: 'web',
  };
}
