/** Searches on a running server. */
import { type ErrorCode, errorTable, type SearchEvent } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { CitewireError, createClient, type SearchInput } from '../../client/client.ts';

/** `server` is a base URL. Yields the events up to the terminal one. Throws an AppError with the server's message. */
export async function* searchRemote(request: SearchInput, server: string, key?: string): AsyncGenerator<SearchEvent> {
  const client = createClient({ baseUrl: server, apiKey: key, maxRetries: 3 });
  try {
    yield* client.search(request);
  } catch (error) {
    throw toAppError(error);
  } finally {
    client.close();
  }
}

/**
 * Converts a CitewireError to an AppError with its message, issues and wait; returns other errors unchanged. A refused key is
 * explained by what the command line takes instead of the headers that it sends.
 */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof CitewireError)) return error;
  const { code, issues, retry_after_ms } = error;
  const message =
    code === 'unauthorized' ? 'Expected a valid key of that server in --key or CITEWIRE_KEY.' : error.message;
  return new AppError(isProtocolCode(code) ? code : 'upstream_error', message, {
    ...(issues.length === 0 ? {} : { issues }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  });
}

/** Some codes exist only in the client. */
function isProtocolCode(code: CitewireError['code']): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
