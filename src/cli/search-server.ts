/** A search on a running server. */
import { type ErrorCode, errorTable, type SearchEvent } from '../../protocol/index.ts';
import { CitewireError, createClient, type SearchInput } from '../client/client.ts';
import { AppError } from '../errors.ts';

/** Throws an AppError with the server's own words when it refuses. */
export async function* searchServer(request: SearchInput, server: string, key?: string): AsyncGenerator<SearchEvent> {
  const client = createClient({ baseUrl: server, apiKey: key, maxRetries: 3 });
  try {
    yield* client.search(request);
  } catch (error) {
    if (!(error instanceof CitewireError)) throw error;
    throw new AppError(isOurs(error.code) ? error.code : 'upstream_error', error.message);
  } finally {
    client.close();
  }
}

/** The client has a few codes of its own. */
function isOurs(code: CitewireError['code']): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
