/** A search on a running server, over Server-Sent Events. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { HTTPError, HTTPValidationError, SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../errors.ts';

/** Throws an AppError with the server's own words when it refuses. */
export async function* searchServer(request: unknown, server: string, key?: string): AsyncGenerator<SearchEvent> {
  const response = await fetch(new URL('/v1/search', server), {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'x-api-key': key }),
    },
    body: JSON.stringify(request),
  }).catch((error: Error) => {
    throw new AppError(
      'upstream_error',
      `${server} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  if (!response.ok) {
    const body = (await response.json().catch(() => undefined)) as HTTPError | HTTPValidationError | undefined;
    const message = body?.error.message ?? `the server answered ${response.status}`;
    throw new AppError(body?.error.code ?? 'upstream_error', message);
  }
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) yield JSON.parse(data) as SearchEvent;
}
