/** Errors as Exa's clients read them. */
import { type ErrorCode, type ExaContentsResponse, type ExaError, statusAt } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { errorText } from '../error-text.ts';

type PageError = ExaContentsResponse['statuses'][number]['error'];

/** The tags that Exa documents; other errors have the code of the error table. */
const tags: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthorized: 'INVALID_API_KEY',
  validation_error: 'INVALID_REQUEST_BODY',
};
const pageTags: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'CRAWL_NOT_FOUND',
  http_status: 'CRAWL_NOT_FOUND',
  timeout: 'CRAWL_TIMEOUT',
  robots_denied: 'SOURCE_NOT_AVAILABLE',
  blocked_address: 'SOURCE_NOT_AVAILABLE',
  unsupported_type: 'UNSUPPORTED_URL',
};

/** The status and the body of an error. */
export function exaError(error: AppError): { readonly status: number; readonly body: ExaError } {
  const { code } = error;
  return { status: statusAt('exa', code), body: { error: errorText(error), tag: tags[code] ?? code.toUpperCase() } };
}

/** Why a page could not be read. */
export function pageError({ code, message, status }: AppError): PageError {
  return { tag: pageTags[code] ?? 'CRAWL_UNKNOWN_ERROR', httpStatusCode: status, message };
}
