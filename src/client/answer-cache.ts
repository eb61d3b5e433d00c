/**
 * Answers that were given before, in memory: the least recently used goes first, and none is older than its time. What
 * was asked is told apart by its JSON with the keys in order, so that two ways to write one request are one.
 */
export interface AnswerCache {
  get<Answer>(asked: unknown): Answer | undefined;
  set(asked: unknown, answer: unknown): void;
}

export interface CacheOptions {
  /** Most answers that are kept; 100 unless given. */
  readonly entries?: number;
  /** How long each one is. */
  readonly ttlMs: number;
}

export function createAnswerCache({ entries = 100, ttlMs }: CacheOptions): AnswerCache {
  const kept = new Map<string, { readonly answer: unknown; readonly until: number }>();
  return {
    get<Answer>(asked: unknown) {
      const key = keyOf(asked);
      const found = kept.get(key);
      kept.delete(key);
      if (found === undefined || found.until <= Date.now()) return undefined;
      kept.set(key, found);
      return found.answer as Answer;
    },
    set(asked, answer) {
      const key = keyOf(asked);
      kept.delete(key);
      kept.set(key, { answer, until: Date.now() + ttlMs });
      const oldest = kept.keys().next().value;
      if (kept.size > entries && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** The order of an `output_format`'s fields is the answer's, so within it nothing is put in order. */
function keyOf(asked: unknown): string {
  return JSON.stringify(Object.entries(asked as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
