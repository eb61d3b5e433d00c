/** Errors as Exa's clients read them. */
import { type ErrorCode, type ExaContentsResponse, type ExaError, statusAt } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { errorText, type FieldNames } from '../error-text.ts';
import { siteStatusOf } from '../read-pages.ts';

type PageError = ExaContentsResponse['statuses'][number]['error'];

/** The tags that Exa documents; other errors have the code of the error table. */
const tags: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthorized: 'INVALID_API_KEY',
  validation_error: 'INVALID_REQUEST_BODY',
};
/** By the status of the page's server. */
const siteTags: Readonly<Record<number, string>> = {
  401: 'SOURCE_NOT_AVAILABLE',
  403: 'SOURCE_NOT_AVAILABLE',
  404: 'CRAWL_NOT_FOUND',
  410: 'CRAWL_NOT_FOUND',
};
const pageTags: Readonly<Partial<Record<ErrorCode, string>>> = {
  not_found: 'CRAWL_NOT_FOUND',
  timeout: 'CRAWL_TIMEOUT',
  robots_denied: 'SOURCE_NOT_AVAILABLE',
  blocked_address: 'SOURCE_NOT_AVAILABLE',
  unsupported_type: 'UNSUPPORTED_URL',
};

/** What fields of a search are made from, by their names there. */
const fields: FieldNames = {
  output_format: 'outputSchema',
  source_whitelist: 'includeDomains',
  source_blacklist: 'excludeDomains',
  from: 'startPublishedDate',
  to: 'endPublishedDate',
};

/** The status and the body of an error. */
export function exaError(error: AppError): { readonly status: number; readonly body: ExaError } {
  const { code } = error;
  return {
    status: statusAt('exa', code),
    body: { error: errorText(error, fields), tag: tags[code] ?? code.toUpperCase() },
  };
}

/** Why a page could not be read. The status is that of its server, if that has answered. */
export function pageError(error: AppError): PageError {
  const { code, message, status } = error;
  const siteStatus = siteStatusOf(error);
  const tag = (siteStatus === undefined ? undefined : siteTags[siteStatus]) ?? pageTags[code] ?? 'CRAWL_UNKNOWN_ERROR';
  return { tag, httpStatusCode: siteStatus ?? status, message };
}
