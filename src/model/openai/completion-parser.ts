/** The chunks of a streamed completion, as Server-Sent Events: bytes in, text out. Lines of the usual form skip JSON.parse. */
import { StringDecoder } from 'node:string_decoder';
import { ModelError } from '../model-error.ts';

export interface CompletionParser {
  /** Returns the text of the lines that are now complete. Throws a `ModelError` if they are not those of a completion. */
  push(bytes: Buffer): string;
  /** Whether `[DONE]` was received. */
  readonly done: boolean;
  /** The finish reason: `stop`, `length`, `content_filter`, …; undefined until it is received. */
  readonly finish: string | undefined;
  /** Tokens, if the endpoint reports them. */
  readonly usage: { readonly in: number; readonly out: number } | undefined;
  /** Whether the model refused to answer. */
  readonly refused: boolean;
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown; readonly refusal?: unknown } | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: unknown;
}

/** `data: {…"delta":{"content":"…"}…"finish_reason":null…`, without escapes in the text and without other information. */
const usualHead = '"delta":{"content":"';
const usualTail = /^"\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?/;

const lineFeed = 10;
/** Characters; set by hand, far above any real chunk. */
const longestLine = 1024 * 1024;

/** A parser for one response. */
export function createCompletionParser(): CompletionParser {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const state = {
    done: false,
    finish: undefined as string | undefined,
    usage: undefined as CompletionParser['usage'],
    refused: false,

    push(bytes: Buffer): string {
      // Whole lines contain whole characters; only cut ones need the stateful decoder.
      const isWhole = rest === '' && bytes.at(-1) === lineFeed;
      const received = isWhole ? bytes.toString('utf8') : rest + decoder.write(bytes);
      let text = '';
      let from = 0;
      for (let end = received.indexOf('\n', from); end !== -1; end = received.indexOf('\n', from)) {
        if (received.charCodeAt(from) === 100 && !state.done) text += readLine(received, from, end);
        from = end + 1;
      }
      rest = from === 0 ? received : received.slice(from);
      if (rest.length > longestLine) throw new ModelError('it sent a line of more than 1 MB.');
      return text;
    },
  };

  function readLine(received: string, from: number, end: number): string {
    if (!received.startsWith('data:', from)) return '';
    const head = received.indexOf(usualHead, from);
    if (head !== -1 && head < end) {
      const start = head + usualHead.length;
      const close = received.indexOf('"', start);
      if (close < end) {
        const text = received.slice(start, close);
        if (!text.includes('\\') && usualTail.test(received.slice(close, Math.min(end, close + 80)))) return text;
      }
    }
    return parseLine(received.slice(from + 5, end).trim());
  }

  function parseLine(data: string): string {
    if (data === '') return '';
    if (data === '[DONE]') {
      state.done = true;
      state.finish ??= 'stop';
      return '';
    }
    let chunk: Chunk;
    try {
      chunk = JSON.parse(data) as Chunk;
    } catch {
      throw new ModelError('it sent invalid JSON.');
    }
    if (chunk.error !== undefined && chunk.error !== null)
      throw new ModelError('it reported an error in the middle of its answer.');
    if (chunk.usage) {
      state.usage = { in: count(chunk.usage.prompt_tokens), out: count(chunk.usage.completion_tokens) };
    }
    const choice = chunk.choices?.[0];
    if (choice === undefined) return '';
    if (typeof choice.finish_reason === 'string') state.finish = choice.finish_reason;
    if (typeof choice.delta?.refusal === 'string' && choice.delta.refusal !== '') state.refused = true;
    return typeof choice.delta?.content === 'string' ? choice.delta.content : '';
  }

  return state;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}
