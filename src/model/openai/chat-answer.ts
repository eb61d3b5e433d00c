/** Chat completions as endpoints answer them: what whole answers and streamed chunks have in common. */
import { type Completion, countOf, type Finish, reasoningTokens, type WireUsage } from '../endpoint/wire.ts';

export interface ChatUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}

interface ChatAnswer {
  readonly choices?: readonly {
    readonly message?: {
      readonly content?: unknown;
      readonly refusal?: unknown;
      readonly reasoning_content?: unknown;
      readonly reasoning?: unknown;
    } | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: ChatUsage | null;
}

/** The `finish_reason` of a choice; unknown ones are a normal end. */
export function finishOf(reason: string): Finish {
  if (reason === 'content_filter') return 'refused';
  return reason === 'length' ? 'length' : 'stop';
}

/** Tokens as the endpoint reported them. */
export function readUsage({ prompt_tokens, completion_tokens }: ChatUsage): WireUsage {
  return { in: countOf(prompt_tokens), out: countOf(completion_tokens) };
}

/** A whole completion. */
export function readCompletion(answer: unknown): Completion {
  const { choices, usage } = answer as ChatAnswer;
  const choice = choices?.[0];
  const { content, refusal, reasoning_content, reasoning } = choice?.message ?? {};
  const thought = reasoning_content ?? reasoning;
  return {
    text: typeof content === 'string' ? content : '',
    finish: typeof refusal === 'string' && refusal !== '' ? 'refused' : finishOf(choice?.finish_reason ?? 'stop'),
    usage: usage ? readUsage(usage) : undefined,
    reasoning:
      countOf(usage?.completion_tokens_details?.reasoning_tokens) ||
      reasoningTokens(typeof thought === 'string' ? thought.length : 0),
  };
}
