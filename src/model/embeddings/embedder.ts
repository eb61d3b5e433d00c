/**
 * The vectors of texts from any endpoint that speaks OpenAI's `/v1/embeddings`. Questions have a small budget of time: a vector
 * that comes later is kept for the next time the question is asked. Passages are embedded in the background, by calls of their
 * own.
 */
import { LRUCache } from 'lru-cache';
import { timeLimit, untilAborted } from '../../base/abort.ts';
import { urlBelow } from '../../base/upstream/base-url.ts';
import type { Embedder, FinderMeter } from '../../engine/ports/embedder.ts';
import { ModelError } from '../model-error.ts';
import { cutToContext, estimateTokens } from './cut-text.ts';
import { answeredLate, createGuardedPost, failedRecently, type GuardedPost, isAboutText } from './guarded-post.ts';
import { prefixesFor } from './known-prefixes.ts';
import { readEmbeddings } from './read-vectors.ts';

export interface EmbedderOptions {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** Sent with each call, for models that can shorten their vectors. */
  readonly dimensions?: number | undefined;
  readonly batch?: number | undefined;
  /** Tokens that the model reads of a text. */
  readonly context?: number | undefined;
  /** Instead of those that the model is known to want. */
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
  /** Milliseconds that a search waits for the vector of its question. */
  readonly budgetMs?: number | undefined;
  /** Milliseconds after which a call is given up. */
  readonly timeoutMs?: number | undefined;
  readonly onFailure?: ((error: ModelError) => void) | undefined;
  /** Tokens of the input of each call: counted by the endpoint, else estimated. */
  readonly onTokens?: ((tokens: number) => void) | undefined;
}

/** Questions whose vectors are kept; set by hand: follow-ups and pages that ask again. */
const maxKept = 256;
/** Calls for questions at the same time: beyond, a search continues with words alone. Set by hand. */
const maxInFlight = 16;

/** A call for the vector of a question. */
interface QuestionCall {
  readonly vector: Promise<Float32Array>;
  /** Whether a search has continued without it. */
  isLate: boolean;
}

/** Loads nothing and calls nobody before the first text. */
export function createEmbedder(options: EmbedderOptions): Embedder {
  const { model, dimensions, batch = 16, context = 512, budgetMs = 300, timeoutMs = 30_000 } = options;
  const known = prefixesFor(model);
  const { queryPrefix = known.query, documentPrefix = known.document } = options;
  const url = urlBelow(options.baseUrl, '/embeddings');
  const { fetch, apiKey, onFailure } = options;
  const guard = { fetch, url, apiKey, model, timeoutMs, onFailure };
  // A slow question must not keep passages from being embedded, nor the other way round.
  const questions = createGuardedPost(guard);
  const passages = createGuardedPost(guard);
  const kept = new LRUCache<string, Float32Array>({ max: maxKept });
  const inFlight = new Map<string, QuestionCall>();
  let length: number | undefined;

  async function embed(
    guarded: GuardedPost,
    inputs: readonly string[],
    signal: AbortSignal,
    { meter, isLate }: { readonly meter?: FinderMeter | undefined; readonly isLate?: () => boolean } = {},
  ) {
    const body = {
      model,
      input: inputs,
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    };
    const { vectors, tokens } = await guarded.post(
      body,
      (answer) => readEmbeddings(answer, inputs.length),
      signal,
      isLate,
    );
    const counted = tokens ?? estimateTokens(inputs);
    options.onTokens?.(counted);
    meter?.tokens('embeddings', counted);
    // The model has changed under its name: what is kept cannot be compared with new vectors.
    if (vectors[0]?.length !== length) kept.clear();
    length = vectors[0]?.length;
    return vectors;
  }

  /** Rejects, and counts a failure, if the endpoint refuses a harmless text, too: what it refused before was not about the text. */
  async function askSample(guarded: GuardedPost, signal: AbortSignal): Promise<void> {
    try {
      await embed(guarded, [sample], signal);
    } catch (error) {
      if (isAboutText(error)) guarded.failed(error as ModelError);
      throw error;
    }
  }

  /** The call for a question, or why there is none. A call that another search began counts as that one's. */
  function ask(text: string, meter: FinderMeter | undefined): QuestionCall | string {
    const running = inFlight.get(text);
    if (running !== undefined) return running;
    if (!questions.isOpen()) return failedRecently;
    if (inFlight.size >= maxInFlight) return 'too many of its answers are being waited for.';
    meter?.called('embeddings');
    // Not ended with the search: another one may ask the same.
    const isLate = () => call.isLate;
    const vector = embed(questions, [text], timeLimit(timeoutMs + 1_000), { meter, isLate })
      .then(([vector]) => {
        kept.set(text, vector!);
        return vector!;
      })
      .catch(async (error: unknown) => {
        if (isAboutText(error)) await askSample(questions, timeLimit(timeoutMs + 1_000));
        throw error;
      })
      .finally(() => inFlight.delete(text));
    const call: QuestionCall = { vector, isLate: false };
    inFlight.set(text, call);
    return call;
  }

  return {
    model,
    space: JSON.stringify([model, dimensions ?? null, documentPrefix]),
    batch,
    async query(question, signal, meter) {
      const text = cutToContext(withPrefix(queryPrefix, question), context);
      const vector = kept.get(text);
      if (vector !== undefined) return vector;
      const call = ask(text, meter);
      const missed = (reason: string) => {
        meter?.missed('embeddings', reason);
        return undefined;
      };
      if (typeof call === 'string') return missed(call);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          // One failure, however many searches wait for it.
          if (!call.isLate) questions.failed(new ModelError(answeredLate));
          call.isLate = true;
          resolve(missed(answeredLate));
        }, budgetMs);
      });
      try {
        const vector = call.vector.catch(({ message }: Error) => missed(message));
        return await untilAborted(Promise.race([vector, late]), signal);
      } finally {
        clearTimeout(timer);
      }
    },
    async documents(texts, signal) {
      const inputs = texts.map((text) => cutToContext(withPrefix(documentPrefix, text), context));
      let asked: Promise<void> | undefined;
      // Once is enough for a batch.
      return embedAll(inputs, signal, () => (asked ??= askSample(passages, signal)));
    },
  };

  /** Of a batch that is refused, each half is tried, until a single text is. `verify` rejects if any text would be. */
  async function embedAll(
    inputs: readonly string[],
    signal: AbortSignal,
    verify: () => Promise<void>,
  ): Promise<readonly (Float32Array | undefined)[]> {
    try {
      return await embed(passages, inputs, signal);
    } catch (error) {
      if (!isAboutText(error)) throw error;
      const [only, ...more] = inputs;
      if (more.length > 0) {
        const middle = Math.ceil(inputs.length / 2);
        const first = await embedAll(inputs.slice(0, middle), signal, verify);
        return [...first, ...(await embedAll(inputs.slice(middle), signal, verify))];
      }
      if (only!.length > minText) {
        return embedAll([only!.slice(0, only!.length / 2).toWellFormed()], signal, verify);
      }
      await verify();
      return [undefined];
    }
  }
}

/** A refused text is halved down to this many characters, since its tokens are only estimated; set by hand. */
const minText = 200;
/**
 * Sent after a refusal of a short text. Endpoints answer 400 to all texts, too: for a spent budget, an unknown model, or dimensions that
 * the model does not have.
 */
const sample = 'How long is a vector?';

function withPrefix(prefix: string, text: string): string {
  return prefix === '' ? text : `${prefix} ${text}`;
}
