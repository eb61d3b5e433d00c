/**
 * Why a model did not do its work. `message` is one sentence that is safe to show: it never holds a key, an address or what
 * the endpoint wrote, for endpoints repeat keys and prompts in their errors.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the next call will fail too: a refused key, no such host, no such model. */
  readonly permanent: boolean;
  /** HTTP status, where the endpoint gave one. */
  readonly status: number | undefined;
  /** Milliseconds that the endpoint asks to wait. */
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
