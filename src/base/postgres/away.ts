/** Errors of pg that say that Postgres is unavailable, and the error that callers get then. */
import { AppError } from '../errors.ts';
import { storeUnavailable } from '../store-unavailable.ts';

/** SQLSTATE of a server that takes no more connections. */
export const tooManyConnections = '53300';
/**
 * SQLSTATEs of a server that is shutting down, starting, out of disk or connections, read-only, or that ended a statement or
 * a transaction which waited too long.
 */
const awayStates = ['57P01', '57P02', '57P03', '53100', tooManyConnections, '57014', '40P01', '25006', '25P03'];
const awayMessages = /^(Connection terminated|Query read timeout|timeout exceeded when)|is not queryable$/;

/** Whether the server is unavailable, as opposed to having refused the statement. */
export function isAway(error: unknown): boolean {
  const { code = '', message = '', severity } = error as { code?: string; message?: string; severity?: string };
  if (severity !== undefined) return awayStates.includes(code) || code.startsWith('08');
  return /^E[A-Z_]+$/.test(code) || awayMessages.test(message);
}

/** Whether pg knew that the connection was dead before it sent anything. */
export function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && cause.message.endsWith('is not queryable');
}

/** Why, by SQLSTATE. */
const reasons: Readonly<Record<string, string>> = {
  '53100': 'cannot write to its database: the disk is full',
  [tooManyConnections]: 'gets no more connections to its database at the moment',
};

/** The error that callers get, with pg's error as its cause. */
export function away(cause: unknown): AppError {
  const why =
    reasons[(cause as { code?: string } | undefined)?.code ?? ''] ?? 'cannot reach its database at the moment';
  return storeUnavailable(`The server ${why}.`, cause);
}
