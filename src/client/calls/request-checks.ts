/**
 * What no transport can send is refused before anything is sent: fetch and WebSockets fail with it as if the server could not be
 * reached, and trying again would not help.
 */
import { CitewireError } from '../citewire-error.ts';

/** The text of a request. Throws a `validation_error` for what JSON cannot hold, such as a BigInt. */
export function toJson(request: unknown): string {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    const message = `Expected a request that JSON can hold; got an error: ${(cause as Error).message}`;
    throw new CitewireError('validation_error', message, { status: 422, cause });
  }
}

/** The error for an idempotency key that the server would not take; undefined for a valid one. */
export function idempotencyKeyError(key: string): CitewireError | undefined {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return undefined;
  const msg = `expected 1 to 255 visible ASCII characters; got ${JSON.stringify(key.slice(0, 60))}`;
  const issues = [{ loc: ['header', 'idempotency-key'], msg, type: 'value_error' as const }];
  return new CitewireError('validation_error', msg, { status: 422, issues });
}

/** The error for the id of a search that no search can have; undefined for any other one. */
export function searchIdError(search_id: string): CitewireError | undefined {
  if (/^[\x21-\x7e]+$/.test(search_id)) return undefined;
  const message = `There is no search ${JSON.stringify(search_id.slice(0, 60))} for this account.`;
  return new CitewireError('not_found', message, { status: 404 });
}

/** The error for a file that is larger than the server takes: it would break off the connection while it is sent. */
export function fileSizeError(bytes: number): CitewireError | undefined {
  if (bytes <= maxFileBytes) return undefined;
  const message = `Expected a file of at most ${maxFileBytes} bytes; got ${bytes}.`;
  return new CitewireError('payload_too_large', message, { status: 413 });
}

/** A copy of `sourceLimits.upload_bytes`: importing it would import the schemas of the protocol. */
const maxFileBytes = 20 * 1024 * 1024;
