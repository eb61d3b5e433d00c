/** Pauses between tries of one request. */

/**
 * The pause after `retries` earlier ones, ms: doubled each time, and half to one and a half as long, so that clients that failed at the
 * same time do not come back at the same time.
 */
export function backoffMs(firstMs: number, retries: number): number {
  return firstMs * 2 ** retries * (0.5 + Math.random());
}
