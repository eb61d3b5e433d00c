/** A search on a running server. */
import { type ErrorCode, errorTable, type SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import { CitewireError, createClient, type SearchInput } from '../client/client.ts';

/** Throws an AppError with the server's own words when it refuses. */
export async function* searchServer(request: SearchInput, server: string, key?: string): AsyncGenerator<SearchEvent> {
  const client = createClient({ baseUrl: server, apiKey: key, maxRetries: 3 });
  try {
    yield* client.search(request);
  } catch (error) {
    throw asRefused(error);
  } finally {
    client.close();
  }
}

/** What the client threw, in the words of the server: each place that it names. */
export function asRefused(error: unknown): unknown {
  if (!(error instanceof CitewireError)) return error;
  const { code, message, issues } = error;
  return new AppError(isOurs(code) ? code : 'upstream_error', message, issues.length === 0 ? {} : { issues });
}

/** The client has a few codes of its own. */
function isOurs(code: CitewireError['code']): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
