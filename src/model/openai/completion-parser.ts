/** The chunks of a streamed completion, as Server-Sent Events: bytes in, text out. Lines of the usual form skip JSON.parse. */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { createEnding } from '../endpoint/ending.ts';
import { ReportedError } from '../endpoint/errors.ts';
import { createLineReader, readJsonLines } from '../endpoint/line-reader.ts';
import { type CompletionParser, countOf, tokensIn } from '../endpoint/wire.ts';
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
  const ending = createEnding();
  let isRefused = false;
  let reasoned = 0;
  let reported = 0;
  /** Whether the data that comes next was announced as an error. */
  let isError = false;
  const state = {
    done: false,
    usage: undefined as TokenCounts | undefined,
    get finish() {
      return ending.finish !== undefined && isRefused ? 'refused' : ending.finish;
    },
    get isEndDoubtful() {
      return ending.isEndDoubtful;
    },
    get reasoning() {
      return reported || tokensIn(reasoned);
    },
    push: createLineReader((received, from, end) => {
      if (state.done) return '';
      if (!received.startsWith('data:', from)) return readOther(received, from, end);
      const head = received.indexOf(usualHead, from);
      if (head !== -1 && head < end) {
        const start = head + usualHead.length;
        const close = received.indexOf('"', start);
        if (close < end) {
          const text = received.slice(start, close);
          if (!text.includes('\\') && usualTail.test(received.slice(close, Math.min(end, close + 80))))
            return ending.take(text);
        }
      }
      return readData(received, from, end);
    }),
  };

  /** Errors have an event of their own, or, of llama.cpp, a field. */
  function readOther(received: string, from: number, end: number): string {
    if (received.startsWith('event:', from)) isError = received.slice(from + 6, end).trim() === 'error';
    return readErrorLine(received, from, end);
  }

  const readErrorLine = readJsonLines('error:', (value) => {
    if (value === null) return '';
    throw reportedIn(value);
  });

  const readData = readJsonLines(
    'data:',
    (value) => {
      const chunk = value as Chunk;
      const choice = chunk.choices?.[0];
      if (isError) throw reportedIn(chunk);
      throwReported(chunk, choice);
      if (chunk.usage) {
        state.usage = readUsage(chunk.usage);
        reported = countOf(chunk.usage.completion_tokens_details?.reasoning_tokens);
      }
      if (choice === undefined) return '';
      const { content, refusal, reasoning_content, reasoning } = choice.delta ?? {};
      if (typeof refusal === 'string' && refusal !== '') isRefused = true;
      const { text, thought: inContent } = readContent(content);
      const thought = reasoning_content ?? reasoning;
      const thoughts = inContent + (typeof thought === 'string' ? thought.length : 0);
      reasoned += thoughts;
      // SGLang and Ollama have sent "" where others send null.
      return ending.take(text, choice.finish_reason ? finishOf(choice.finish_reason) : undefined, thoughts > 0);
    },
    () => {
      state.done = true;
      ending.close();
    },
  );

  return state;
}

function reportedIn(value: unknown): ReportedError {
  return new ReportedError((value as { readonly error?: unknown } | null)?.error ?? value);
}
