/** Errors as OpenAI's clients read them. Their class follows from the status, so an invalid request is a 400 here. */
import { type OpenAIError, statusAt } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';

/** The types that clients compare, by status; every other one is a fault of the request, or of the server from 500. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** The status and the body of an error. `param` is the first field that is wrong, as a path such as `messages.0.content`. */
export function openaiError(error: AppError): { readonly status: number; readonly body: OpenAIError } {
  const status = statusAt('openai', error.code);
  const [issue] = error.details.issues ?? [];
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const param = issue === undefined || issue.loc.length < 2 ? null : issue.loc.slice(1).join('.');
  const message = issue === undefined ? error.message : `${issue.loc.join('.')}: ${issue.msg}`;
  return { status, body: { error: { message, type, param, code: error.code } } };
}
