/**
 * The lean reader of a streamed completion: bytes of Server-Sent Events in, text out, with as little as possible made for
 * each token. Lines of the usual form are read without parsing their JSON whole. While many streams run in this process,
 * text is handed on every 40 ms instead of token by token: what comes after costs the same for one token as for three.
 */
import type { Readable } from 'node:stream';
import { ModelError } from './model-error.ts';

export interface StreamEnd {
  /** What the endpoint says the call came to, where it says so. */
  readonly usage: { readonly in: number; readonly out: number } | undefined;
  /** `stop`, `length`, `content_filter`, …; undefined where the stream ended without one. */
  readonly finish: string | undefined;
  readonly refused: boolean;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Longest silence between two chunks, ms. */
  readonly idleMs: number;
  /** Called once, after the last piece. */
  readonly onEnd: (end: StreamEnd) => void;
}

const rollUpMs = 40;
/** Up to so many streams at once, the process is idle enough to hand on each token as it comes. */
const fewStreams = 8;
const longestLine = 1024 * 1024;

/** Streams that have text to hand on at the next beat; one timer for all of them. */
const beating = new Set<() => void>();
let open = 0;

/** The text of the completion, in pieces. Rejects with a ModelError, or with the signal's reason. */
export async function* readCompletion(body: Readable, options: StreamOptions): AsyncGenerator<string, void> {
  const { signal, idleMs, onEnd } = options;
  const parser = createParser();
  let text = '';
  let ended = false;
  let failure: unknown;
  let wake: (() => void) | undefined;
  let heard = performance.now();

  const flush = () => {
    const resume = wake;
    wake = undefined;
    resume?.();
  };
  const settle = (error?: unknown) => {
    failure ??= error;
    ended = true;
    flush();
  };
  const onData = (chunk: Buffer) => {
    heard = performance.now();
    try {
      text += parser.push(chunk);
    } catch (error) {
      settle(error);
      return;
    }
    if (parser.done) settle();
    else if (text === '') return;
    else if (open <= fewStreams) flush();
    else onBeat(flush);
  };
  const onAbort = () => settle(signal.reason);
  const silence = setInterval(
    () => {
      if (performance.now() - heard > idleMs) settle(new ModelError('it stopped in the middle of its answer.'));
    },
    Math.max(5, idleMs / 4),
  );

  open += 1;
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    body.on('data', onData);
    body.on('end', () => settle(parser.finish === undefined ? brokenOff() : undefined));
    body.on('error', () => settle(brokenOff()));
    body.on('close', () => settle(brokenOff()));
    for (;;) {
      while (text === '' && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const piece = text;
      text = '';
      if (piece !== '') yield piece;
      if (ended && text === '') break;
    }
    if (failure !== undefined && !parser.done) throw failure;
  } finally {
    open -= 1;
    beating.delete(flush);
    clearInterval(silence);
    signal.removeEventListener('abort', onAbort);
    body.off('data', onData);
    if (parser.done) leaveToEnd(body);
    else body.destroy();
    onEnd({ usage: parser.usage, finish: parser.finish, refused: parser.refused });
  }
}

/** After the last word only the end of the body is missing; reading it keeps the connection for the next call. */
function leaveToEnd(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), 1_000).unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

function brokenOff(): ModelError {
  return new ModelError('its connection broke off in the middle of the answer.');
}

function onBeat(flush: () => void): void {
  if (beating.size === 0) setTimeout(flushAll, rollUpMs);
  beating.add(flush);
}

function flushAll(): void {
  const due = [...beating];
  beating.clear();
  for (const flush of due) flush();
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown; readonly refusal?: unknown } | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: unknown;
}

/** `data: {…"delta":{"content":"…"}…"finish_reason":null…` with no escape in the text and nothing else to know. */
const usualHead = '"delta":{"content":"';
const usualTail = /^"\},(?:"logprobs":null,)?"finish_reason":null\}\](?:,"usage":null)?/;

function createParser() {
  const decoder = new TextDecoder();
  let rest = '';
  const state = {
    done: false,
    finish: undefined as string | undefined,
    usage: undefined as StreamEnd['usage'],
    refused: false,

    /** The text in the lines that are whole by now. */
    push(bytes: Buffer): string {
      const received = rest + decoder.decode(bytes, { stream: true });
      let text = '';
      let from = 0;
      for (let end = received.indexOf('\n', from); end !== -1; end = received.indexOf('\n', from)) {
        if (received.charCodeAt(from) === 100 && !state.done) text += line(received, from, end);
        from = end + 1;
      }
      rest = from === 0 ? received : received.slice(from);
      if (rest.length > longestLine) throw new ModelError('it sent a line that has no end.');
      return text;
    },
  };

  function line(received: string, from: number, end: number): string {
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
    return unusual(received.slice(from + 5, end).trim());
  }

  function unusual(data: string): string {
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
      throw new ModelError('it sent what is no JSON.');
    }
    if (chunk.error !== undefined && chunk.error !== null) throw new ModelError('it reported an error in its answer.');
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
