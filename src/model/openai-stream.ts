/**
 * The lean reader of a streamed completion: bytes of Server-Sent Events in, text out, with as little as possible made for
 * each token. Lines of the usual form are read without parsing their JSON whole. While many streams run in this process,
 * text is handed on every 40 ms instead of token by token: what comes after costs the same for one token as for three.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
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
  /** More text than this is a failure. */
  readonly mostCharacters: number;
  /** Called once, when the stream is over or left; `characters` is how much text came. */
  readonly onEnd: (end: StreamEnd, characters: number) => void;
}

const rollUpMs = 40;
/** Up to so many streams at once, the process is idle enough to hand on each token as it comes. */
const fewStreams = 8;
const longestLine = 1024 * 1024;

/** Streams that have text to hand on at the next beat; one timer for all of them. */
const beating = new Set<() => void>();
let open = 0;

/**
 * The text of the completion, in pieces; rejects with a ModelError, or with the signal's reason. An iterator by hand: a
 * generator here would cost every token two more turns of the loop.
 */
export function readCompletion(body: Readable, options: StreamOptions): AsyncIterableIterator<string> {
  const { signal, idleMs, mostCharacters, onEnd } = options;
  const parser = createParser();
  let text = '';
  let characters = 0;
  let over = false;
  let closed = false;
  let failure: unknown;
  let waiting: { resolve(result: IteratorResult<string>): void; reject(error: unknown): void } | undefined;
  let heard = true;

  function hand(): void {
    if (waiting === undefined || (text === '' && !over)) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (text !== '') {
      const value = text;
      text = '';
      resolve({ value, done: false });
    } else {
      close();
      if (failure === undefined) resolve({ value: undefined, done: true });
      else reject(failure);
    }
  }

  function settle(error?: unknown): void {
    if (over) return;
    over = true;
    failure = error;
    hand();
  }

  function onData(chunk: Buffer): void {
    heard = true;
    try {
      const came = parser.push(chunk);
      text += came;
      characters += came.length;
    } catch (error) {
      return settle(error);
    }
    if (parser.done) settle(faultOf(parser));
    else if (characters > mostCharacters) settle(new ModelError('it does not stop writing.'));
    else if (text === '') return;
    else if (open <= fewStreams) hand();
    else onBeat(hand);
  }

  const onBroken = () => settle(parser.finish === undefined ? brokenOff() : faultOf(parser));
  const onAbort = () => {
    settle(signal.reason);
    close();
  };
  const silence = setInterval(
    () => {
      if (!heard) settle(new ModelError('it stopped in the middle of its answer.'));
      heard = false;
    },
    Math.max(5, idleMs),
  );

  function close(): void {
    if (closed) return;
    closed = true;
    over = true;
    open -= 1;
    beating.delete(hand);
    clearInterval(silence);
    signal.removeEventListener('abort', onAbort);
    body.off('data', onData);
    if (parser.done) leaveToEnd(body);
    else body.destroy();
    onEnd({ usage: parser.usage, finish: parser.finish, refused: parser.refused }, characters);
  }

  open += 1;
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  body.on('data', onData);
  body.on('end', onBroken);
  body.on('error', onBroken);
  body.on('close', onBroken);

  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (over) hand();
        else if (text !== '' && open <= fewStreams) hand();
      }),
    async return() {
      close();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What is wrong with an answer that came to its end. */
function faultOf({ refused, finish }: { refused: boolean; finish: string | undefined }): ModelError | undefined {
  if (refused || finish === 'content_filter') return new ModelError('it refused.');
  return finish === 'length' ? new ModelError('its answer grew too long and was cut.') : undefined;
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
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const state = {
    done: false,
    finish: undefined as string | undefined,
    usage: undefined as StreamEnd['usage'],
    refused: false,

    /** The text in the lines that are whole by now. */
    push(bytes: Buffer): string {
      const received = rest + decoder.write(bytes);
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
