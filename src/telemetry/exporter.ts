/**
 * Posts spans to a collector in batches. Whatever the collector does, the server does not notice: the queue is bounded, what
 * does not fit and what the collector refuses is dropped and counted, and one batch is on its way at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { timeLimit } from '../base/abort.ts';
import { backoffMs } from '../base/upstream/backoff.ts';
import { parseRetryAfter } from '../base/upstream/retry-after.ts';
import { type Attributes, otlpBody, type Span } from './span.ts';

export interface SpanExporter {
  /** Drops the span if the queue is full. */
  add(span: Span): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

export interface SpanExporterOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly version: string;
  readonly fetch: typeof fetch;
  readonly onSpans: (outcome: 'exported' | 'dropped', count: number) => void;
  /** Called with the reason when a batch could not be sent, and with undefined when the next one was. */
  readonly onTrouble: (reason: string | undefined) => void;
  /** Delay of a batch, ms. */
  readonly delayMs: number;
  /** Delay before the first retry, ms, doubled for each further one; 1,000 by default. */
  readonly retryMs?: number;
  /** Timeout of a post, ms; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** The defaults of OpenTelemetry's batch processor and of its exporters. */
const maxQueue = 2_048;
const maxBatch = 512;
const maxTries = 4;
/** A collector that asks for more is not waited for: new spans are worth more than old ones. Set by hand. */
const maxWaitMs = 30_000;
/** Set by hand: a stop waits for more important things. */
const closeMs = 2_000;
/** The answers after which OTLP has a batch sent again. */
const retryable = [429, 502, 503, 504];

/** The outcome of a post. */
interface Outcome {
  /** Why the batch was not taken. */
  readonly reason?: string;
  /** When it may be tried again, if it may. */
  readonly retryAfterMs?: number;
  /** How many spans were not taken; all if there is a reason. */
  readonly rejected?: number;
}

/** Sends nothing until there is a span. */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { url, headers, resource, version, fetch: post, onSpans, onTrouble } = options;
  const { delayMs, retryMs = 1_000, timeoutMs = 10_000 } = options;
  const closing = new AbortController();
  const ending = new AbortController();
  let queue: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isInTrouble = false;

  function report(reason: string | undefined): void {
    if (reason === undefined && !isInTrouble) return;
    if (reason === undefined || !isInTrouble) onTrouble(reason);
    isInTrouble = reason !== undefined;
  }

  async function send(body: string): Promise<Outcome> {
    const signal = AbortSignal.any([timeLimit(timeoutMs), ending.signal]);
    try {
      const all = { 'content-type': 'application/json', ...headers };
      const response = await post(url, { method: 'POST', headers: all, body, signal });
      const text = await response.text();
      if (response.ok) return { rejected: rejectedIn(text) };
      const reason = `the collector answered ${response.status}`;
      if (!retryable.includes(response.status)) return { reason };
      return { reason, retryAfterMs: parseRetryAfter(response.headers.get('retry-after')) ?? 0 };
    } catch {
      return { reason: 'the collector did not answer', retryAfterMs: 0 };
    }
  }

  async function sendBatch(batch: readonly Span[]): Promise<void> {
    const body = otlpBody(batch, resource, version);
    for (let tries = 1; ; tries += 1) {
      const { reason, retryAfterMs, rejected = batch.length } = await send(body);
      report(reason);
      if (reason === undefined || retryAfterMs === undefined || tries >= maxTries || closing.signal.aborted) {
        const dropped = Math.min(rejected, batch.length);
        if (dropped > 0) onSpans('dropped', dropped);
        if (dropped < batch.length) onSpans('exported', batch.length - dropped);
        return;
      }
      const wait = Math.max(retryAfterMs, backoffMs(retryMs, tries - 1));
      await sleep(Math.min(wait, maxWaitMs), undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0 && !ending.signal.aborted) {
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      await sendBatch(batch);
    }
  }

  /** Sends all there is; one batch at a time. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= drain().finally(() => {
      sending = undefined;
      if (queue.length > 0) schedule();
    });
    return sending;
  }

  function schedule(): void {
    if (closing.signal.aborted) return;
    timer ??= setTimeout(() => void flush(), delayMs).unref();
  }

  return {
    add(span) {
      if (queue.length >= maxQueue) return onSpans('dropped', 1);
      queue.push(span);
      if (queue.length >= maxBatch) void flush();
      else schedule();
    },
    async close() {
      closing.abort();
      const over = setTimeout(() => ending.abort(), closeMs);
      await sending;
      await flush();
      clearTimeout(over);
      if (queue.length > 0) onSpans('dropped', queue.length);
      queue = [];
    },
  };
}

/** How many spans of a batch that it took the collector rejected; 0 where it does not say. */
function rejectedIn(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
