/** The chunks of a streamed completion, as Server-Sent Events: bytes in, text out. Lines of the usual form skip JSON.parse. */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { createLineReader, readJsonLines } from '../endpoint/line-reader.ts';
import { type CompletionParser, countOf, type Finish, tokensIn } from '../endpoint/wire.ts';
import { type ChatUsage, finishOf, readContent, readUsage, throwReported } from './chat-answer.ts';

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly refusal?: unknown;
      /** Reasoning, by DeepSeek and vLLM, and by Ollama and OpenRouter. */
      readonly reasoning_content?: unknown;
      readonly reasoning?: unknown;
    } | null;
    readonly finish_reason?: string | null;
    readonly error?: unknown;
  }[];
  readonly usage?: ChatUsage | null;
  readonly error?: unknown;
}

/** `data: {…"delta":{"content":"…"}…"finish_reason":null…`, without escapes in the text and without other information. */
const usualHead = '"delta":{"content":"';
const usualTail = /^"\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?/;

/** A parser for one response. */
export function createCompletionParser(): CompletionParser {
  let finish: Finish | undefined;
  let isRefused = false;
  let reasoned = 0;
  let reported = 0;
  const state = {
    done: false,
    usage: undefined as TokenCounts | undefined,
    get finish() {
      return finish !== undefined && isRefused ? 'refused' : finish;
    },
    get reasoning() {
      return reported || tokensIn(reasoned);
    },
    push: createLineReader((received, from, end) => {
      if (state.done || !received.startsWith('data:', from)) return '';
      const head = received.indexOf(usualHead, from);
      if (head !== -1 && head < end) {
        const start = head + usualHead.length;
        const close = received.indexOf('"', start);
        if (close < end) {
          const text = received.slice(start, close);
          if (!text.includes('\\') && usualTail.test(received.slice(close, Math.min(end, close + 80)))) return text;
        }
      }
      if (/^data:\s*\[DONE\]\s*$/.test(received.slice(from, Math.min(end, from + 20)))) {
        state.done = true;
        finish ??= 'stop';
        return '';
      }
      return parseLine(received, from, end);
    }),
  };

  const parseLine = readJsonLines('data:', (value) => {
    const chunk = value as Chunk;
    const choice = chunk.choices?.[0];
    throwReported(chunk, choice);
    if (chunk.usage) {
      state.usage = readUsage(chunk.usage);
      reported = countOf(chunk.usage.completion_tokens_details?.reasoning_tokens);
    }
    if (choice === undefined) return '';
    if (typeof choice.finish_reason === 'string') finish = finishOf(choice.finish_reason);
    const { content, refusal, reasoning_content, reasoning } = choice.delta ?? {};
    if (typeof refusal === 'string' && refusal !== '') isRefused = true;
    const thought = reasoning_content ?? reasoning;
    if (typeof thought === 'string') reasoned += thought.length;
    const { text, thought: inContent } = readContent(content);
    reasoned += inContent;
    return text;
  });

  return state;
}
