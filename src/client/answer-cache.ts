/**
 * An in-memory LRU cache of answers with a time to live. The key is the request's JSON with its top-level fields sorted, so
 * their order does not matter. Callers get copies: what they change is not what others get.
 */
export interface AnswerCache {
  get<Answer>(request: unknown): Answer | undefined;
  set(request: unknown, answer: unknown): void;
}

export interface CacheOptions {
  /** Maximum number of answers; default 100. */
  readonly entries?: number;
  /** How long an answer is served, in milliseconds. */
  readonly ttlMs: number;
}

/** An empty cache. */
export function createAnswerCache({ entries = 100, ttlMs }: CacheOptions): AnswerCache {
  const answers = new Map<string, { readonly answer: unknown; readonly until: number }>();
  return {
    get<Answer>(request: unknown) {
      const key = keyOf(request);
      if (key === undefined) return undefined;
      const found = answers.get(key);
      answers.delete(key);
      if (found === undefined || found.until <= Date.now()) return undefined;
      answers.set(key, found);
      return structuredClone(found.answer) as Answer;
    },
    set(request, answer) {
      const key = keyOf(request);
      if (key === undefined) return;
      answers.delete(key);
      answers.set(key, { answer: structuredClone(answer), until: Date.now() + ttlMs });
      const oldest = answers.keys().next().value;
      if (answers.size > entries && oldest !== undefined) answers.delete(oldest);
    },
  };
}

/**
 * Nested fields keep their order: that of an `output_format` is the order of the answer. Undefined for what JSON cannot hold, which has
 * no answer.
 */
function keyOf(request: unknown): string | undefined {
  try {
    return JSON.stringify(Object.entries(request as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch {
    return undefined;
  }
}
