/** What everyone is told while the server drains. */
import { errorTable } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import type { Closing } from './websocket/session.ts';

const reconnectAfterMs = 1_000;

export function goingDown(): AppError {
  const message = 'The server is going down; try again in a moment.';
  return new AppError('server_shutdown', message, { retry_after_ms: reconnectAfterMs });
}

export const closingDown: Closing = {
  code: errorTable.server_shutdown.close,
  reason: 'The server is going down; connect again.',
  resume: true,
  reconnect_after_ms: reconnectAfterMs,
};
