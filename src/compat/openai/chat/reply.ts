/** The answer to a side prompt as a chat completion: text without sources. */
import type { ChatCompletion } from '../../../../protocol/index.ts';
import { type About, headOf } from './answer.ts';

const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The completion. */
export function replyOf(about: About, { model }: { readonly model: string }, content: string): ChatCompletion {
  const message = { role: 'assistant', content, refusal: null, annotations: [] } satisfies Reply;
  return {
    ...headOf(about, { model }),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: none,
    citations: [],
    search_results: [],
  };
}

type Reply = ChatCompletion['choices'][number]['message'];

/** The same as a stream, complete. */
export function replyChunks(about: About, { model }: { readonly model: string }, content: string): string {
  const head = { ...headOf(about, { model }), object: 'chat.completion.chunk' };
  const chunk = (delta: object, finish_reason: 'stop' | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return `${chunk({ role: 'assistant', content }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
}
