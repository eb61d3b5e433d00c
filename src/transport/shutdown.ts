/** What the server sends to clients while it shuts down. */
import { errorTable } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { Closing } from './websocket/closings.ts';

const reconnectAfterMs = 1_000;

/** The 503 that answers new work. */
export function shutdownError(): AppError {
  const message = 'The server is shutting down; try again in a moment.';
  return new AppError('server_shutdown', message, { retry_after_ms: reconnectAfterMs });
}

/** How open WebSockets are closed. */
export const shutdownClosing: Closing = {
  code: errorTable.server_shutdown.close,
  reason: 'The server is shutting down; reconnect.',
  resume: true,
  reconnect_after_ms: reconnectAfterMs,
};
