/** The ports to the endpoints that help to find passages: one turns texts into vectors, the other puts passages in order. */

/** Which endpoint: the one for vectors, or the one that puts passages in order. */
export type FinderKind = 'embeddings' | 'rerank';

/** Notified of what one search asks of these endpoints. */
export interface FinderMeter {
  /** A request is sent. */
  called(kind: FinderKind): void;
  /** Tokens of the input of a request that was answered: counted by the endpoint, else estimated. */
  tokens(kind: FinderKind, count: number): void;
  /** The search continues without the endpoint; `reason` is a sentence that may be shown. */
  missed(kind: FinderKind, reason: string): void;
}

/** A result that is too late or failed is undefined: the search then continues with words alone. */
export interface Embedder {
  /** The name of the model. */
  readonly model: string;
  /** Identifies the vector space: vectors of different spaces cannot be compared. */
  readonly space: string;
  /** Max. texts of one call of `documents`. */
  readonly batch: number;
  /**
   * The vector of a question, or undefined when there is none within its budget of time. Rejects only with the signal's reason.
   */
  query(text: string, signal: AbortSignal, meter?: FinderMeter): Promise<Float32Array | undefined>;
  /**
   * The vectors of up to `batch` texts in the same order, all of one length; undefined for a text that the endpoint
   * refuses while it accepts others. Rejects with an Error whose message may be shown, or with the signal's reason.
   */
  documents(texts: readonly string[], signal: AbortSignal): Promise<readonly (Float32Array | undefined)[]>;
}

export interface Reranker {
  /**
   * The positions of the texts, the one that answers the question best first, or undefined when there is no answer within the
   * budget of time. Rejects only with the signal's reason.
   */
  rank(
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
    meter?: FinderMeter,
  ): Promise<readonly number[] | undefined>;
}
