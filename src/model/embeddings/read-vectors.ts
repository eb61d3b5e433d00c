/** Reads the answer of `/v1/embeddings`. Nothing in it is trusted: a wrong number, length or value of vectors is an error. */
import { ModelError } from '../model-error.ts';

export interface Embeddings {
  readonly vectors: readonly Float32Array[];
  /** Tokens of the input; undefined if the endpoint does not say. */
  readonly tokens: number | undefined;
}

/** The longest vector of the known models is half of it. */
const maxDimensions = 8_192;

/** The vectors of `count` texts in their order. Throws a `ModelError`. */
export function readEmbeddings(answer: unknown, count: number): Embeddings {
  const { data, usage } = (answer ?? {}) as { data?: unknown; usage?: { prompt_tokens?: unknown } };
  if (!Array.isArray(data)) throw new ModelError('its response has no list of vectors.');
  if (data.length !== count)
    throw new ModelError(`it returned ${data.length} vectors; expected ${count}, one for each text.`);
  const vectors: Float32Array[] = [];
  for (const [at, each] of data.entries()) {
    const { index = at, embedding } = (each ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count || vectors[index as number])
      throw new ModelError('its vectors are not numbered like the texts.');
    vectors[index as number] = readVector(embedding);
  }
  const length = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    throw new ModelError('it returned vectors of different lengths.');
  const tokens = usage?.prompt_tokens;
  return { vectors, tokens: typeof tokens === 'number' && tokens >= 0 ? tokens : undefined };
}

function readVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length < 2 || embedding.length > maxDimensions)
    throw new ModelError(`it returned a vector that is not a list of 2 to ${maxDimensions} numbers.`);
  if (!embedding.every((value) => typeof value === 'number'))
    throw new ModelError('it returned a vector with a value that is not a number.');
  const vector = Float32Array.from(embedding as number[]);
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!Number.isFinite(sum) || sum === 0) throw new ModelError('it returned a vector without a direction.');
  return vector;
}
