/** Errors as OpenAI's clients read them. Their class follows from the status, so an invalid request is a 400 here. */
import { type OpenAIError, type PerplexityError, statusAt } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { type FieldNames, renamed, type SearchNames } from '../error-text.ts';

/** The types that clients compare, by status; every other one is a fault of the request, or of the server from 500. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** What fields of a search are made from, by their names there: errors of the search name these. */
const chatFields: FieldNames = {
  prompt: 'messages',
  image: 'messages',
  output_format: 'response_format',
  source_whitelist: 'search_domain_filter',
  source_blacklist: 'search_domain_filter',
  from: 'search_after_date_filter',
  to: 'search_before_date_filter',
  collections: 'citewire.collections',
};
const responseFields: FieldNames = {
  prompt: 'input',
  image: 'input',
  output_format: 'text',
  source_whitelist: 'tools',
  source_blacklist: 'tools',
  collections: 'citewire.collections',
  previous_search_id: 'previous_response_id',
};

const responses: SearchNames = { what: 'responses', prefix: 'resp_' };

interface Refusal {
  readonly status: number;
  readonly body: OpenAIError;
}

/** The status and the body of an error. `param` is the first field that is wrong, as a path such as `messages.0.content`. */
export function openaiError(error: AppError): Refusal {
  return refusalOf(error, chatFields);
}

/** The same for a response, whose fields have other names. */
export function responseError(error: AppError): Refusal {
  return refusalOf(error, responseFields, responses);
}

/** The same at the door of Perplexity, whose codes are numbers: the AI SDK shows no message of an error without one. */
export function perplexityError(error: AppError): { readonly status: number; readonly body: PerplexityError } {
  const { body } = refusalOf(error, chatFields);
  const status = statusAt('perplexity', error.code);
  return { status, body: { error: { ...body.error, type: error.code, code: status } } };
}

function refusalOf(error: AppError, fields: FieldNames, searches?: SearchNames): Refusal {
  const status = statusAt('openai', error.code);
  const [issue] = renamed(error.details.issues ?? [], fields, searches);
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const param = issue?.loc.slice(1).join('.') || null;
  const message = issue === undefined ? error.message : `${param ?? issue.loc.join('.')}: ${issue.msg}`;
  return { status, body: { error: { message, type, param, code: error.code } } };
}
