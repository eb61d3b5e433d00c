/**
 * A failure of a model. `message` is one sentence, to follow "the model failed: ", and safe to show: it never contains a
 * key, an address or text from the endpoint, since endpoints repeat keys and prompts in their errors.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the next call will fail, too: a refused key, an unknown host, an unknown model. */
  readonly permanent: boolean;
  /** HTTP status, if the endpoint returned one. */
  readonly status: number | undefined;
  /** The endpoint's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: {
      cause?: unknown;
      permanent?: boolean;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent ?? false;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
