/** Errors of POST /mcp as JSON-RPC has them: those of this server's own table, before a message reaches the protocol. */
import { type McpError, statusAt } from '../../../protocol/index.ts';
import { type AppError, errorObject } from '../../base/errors.ts';

/** The codes of JSON-RPC 2.0, 5.1; -32000 is the first of those that servers define. */
const codes = { parse: -32_700, request: -32_600, params: -32_602, internal: -32_603, server: -32_000 } as const;

/** The status and the body of an error. No request is named: the message was not read, or belongs to no one who may send it. */
export function mcpError(error: AppError, requestId: string): { readonly status: number; readonly body: McpError } {
  const data = errorObject(error, requestId);
  const body = { jsonrpc: '2.0', id: null, error: { code: codeOf(error), message: error.message, data } } as const;
  return { status: statusAt('mcp', error.code), body };
}

function codeOf({ code, status, details: { issues = [] } }: AppError): number {
  if (code === 'internal') return codes.internal;
  if (status !== 422) return codes.server;
  return issues.some(({ type }) => type === 'json_invalid') ? codes.parse : codes.request;
}
