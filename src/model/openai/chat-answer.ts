/** Chat completions as endpoints answer them: what whole answers and streamed chunks have in common. */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { ReportedError } from '../endpoint/errors.ts';
import { type Completion, countOf, type Finish, tokensIn } from '../endpoint/wire.ts';
import { ModelError } from '../model-error.ts';

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
    readonly error?: unknown;
  }[];
  readonly usage?: ChatUsage | null;
  readonly error?: unknown;
}

/** An answer that was too long, and one that the endpoint broke off, in the words of OpenAI, Mistral, DeepSeek and others. */
const tooLong: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);
const brokenOff: ReadonlySet<string> = new Set(['error', 'abort', 'aborted', 'insufficient_system_resource']);

/** The `finish_reason` of a choice; unknown ones are a normal end. Throws a ModelError if the endpoint broke the answer off. */
export function finishOf(reason: string): Finish {
  if (reason === 'content_filter') return 'refused';
  if (brokenOff.has(reason)) throw new ModelError(`it broke its answer off (${reason}).`);
  return tooLong.has(reason) ? 'length' : 'stop';
}

/**
 * Throws a `ReportedError` if an answer or a chunk has an error. OpenRouter sends its own beside the choices, and that of the provider it
 * calls in the choice; older versions of vLLM and llama.cpp send its fields alone: `{"object":"error","code":500,"message":"…"}`.
 */
export function throwReported(
  answer: { readonly error?: unknown; readonly choices?: unknown },
  choice: { readonly error?: unknown } | undefined,
): void {
  const reported = answer.error ?? choice?.error ?? (isBareError(answer) ? answer : undefined);
  if (reported !== undefined) throw new ReportedError(reported);
}

/** Whether these are the fields of an error; those of a success, such as `{"code":0,"message":"Success"}`, are none. */
function isBareError(answer: {
  readonly choices?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly object?: unknown;
}): boolean {
  const { choices, code, message, object } = answer;
  if (choices !== undefined || typeof message !== 'string') return false;
  return object === 'error' || (typeof code === 'number' && code >= 400);
}

/** Tokens as the endpoint reported them. */
export function readUsage({ prompt_tokens, completion_tokens }: ChatUsage): TokenCounts {
  return { in: countOf(prompt_tokens), out: countOf(completion_tokens) };
}

/**
 * The text of a message or delta, and how many characters of thoughts it has. Content is a string, or, of Mistral's reasoning models,
 * a list of chunks of the types `text` and `thinking`, whose `thinking` is a list of chunks of text.
 */
export function readContent(content: unknown): { readonly text: string; readonly thought: number } {
  if (!Array.isArray(content)) return { text: typeof content === 'string' ? content : '', thought: 0 };
  const chunks = content as readonly {
    readonly type?: unknown;
    readonly text?: unknown;
    readonly thinking?: unknown;
  }[];
  const textOf = (some: readonly { readonly text?: unknown }[]) =>
    some.map((chunk) => (typeof chunk?.text === 'string' ? chunk.text : '')).join('');
  const thoughts = chunks.flatMap(({ type, thinking }) =>
    type === 'thinking' && Array.isArray(thinking) ? thinking : [],
  );
  return { text: textOf(chunks.filter(({ type }) => type === 'text')), thought: textOf(thoughts).length };
}

/** A whole completion. Throws a `ReportedError` if it is an error, and a `ModelError` if it was broken off. */
export function readCompletion(answer: unknown): Completion {
  const { choices, usage } = answer as ChatAnswer;
  const choice = choices?.[0];
  throwReported(answer as ChatAnswer, choice);
  const { content, refusal, reasoning_content, reasoning } = choice?.message ?? {};
  const thought = reasoning_content ?? reasoning;
  const { text, thought: inContent } = readContent(content);
  return {
    text,
    finish: typeof refusal === 'string' && refusal !== '' ? 'refused' : finishOf(choice?.finish_reason ?? 'stop'),
    usage: usage ? readUsage(usage) : undefined,
    reasoning:
      countOf(usage?.completion_tokens_details?.reasoning_tokens) ||
      tokensIn(inContent + (typeof thought === 'string' ? thought.length : 0)),
  };
}
