/** How a client of OpenAI or Perplexity narrows a search, in the words of a search request. */
import type { ChatCompletionRequest, SearchRequest } from '../../../protocol/index.ts';
import { invalid } from '../../base/errors.ts';
import { isObject } from '../../base/values/is-object.ts';
import type { ExpectedTemplate } from '../../service/calls.ts';
import { readFormat } from '../json-schema.ts';
import { dateBefore } from '../time-range.ts';

type Options = Partial<
  Pick<SearchRequest, 'source_whitelist' | 'source_blacklist' | 'collections' | 'from' | 'to' | 'effort'>
>;
/** What narrows a search, in chat completions and in the search of Perplexity. */
type Filters = Pick<
  ChatCompletionRequest,
  | 'search_domain_filter'
  | 'search_recency_filter'
  | 'search_after_date_filter'
  | 'search_before_date_filter'
  | 'web_search_options'
  | 'citewire'
>;
const dateFilters = ['search_recency_filter', 'search_after_date_filter', 'search_before_date_filter'] as const;
type ContextSize = 'low' | 'medium' | 'high';

const efforts: Readonly<Record<ContextSize, SearchRequest['effort']>> = {
  low: 'fast',
  medium: 'balanced',
  high: 'deep',
};
/** Days that each recency reaches back; an hour is the day that it is in. */
const days = { hour: 0, day: 1, week: 7, month: 31, year: 366 } as const;

/** The effort for an amount of search context, if one is given. */
export function effortOf(size: ContextSize | null | undefined): Options {
  return size == null ? {} : { effort: efforts[size] };
}

/** The collections that the fields of this server name, if any. */
export function collectionsOf(
  ours: { readonly collections?: string[] | null | undefined } | null | undefined,
): Options {
  return ours?.collections == null ? {} : { collections: ours.collections };
}

/** Throws a 400 if a request for a published API names collections: the API has its own, and would reach further than asked. */
export function checkNoCollections({ collections = [] }: Options): void {
  if (collections.length === 0) return;
  const msg = 'expected none with the model of a published API, which has its own';
  throw invalid(['body', 'collections'], msg, 'value_error');
}

/** Throws a 400 at `field` if a published API is to use only some domains, or not some: it has source lists of its own. */
export function checkNoDomains({ source_whitelist, source_blacklist }: Options, field: string): void {
  if (!source_whitelist?.length && !source_blacklist?.length) return;
  const msg = 'expected no domains with the model of a published API, which has source lists of its own';
  throw invalid(['body', field], msg, 'value_error');
}

/** Throws a 400 if a published API is to use only sources of some time: its runs have no dates. */
export function checkNoDates(filters: Filters): void {
  const field = dateFilters.find((name) => filters[name] != null);
  if (field === undefined) return;
  throw invalid(
    ['body', field],
    'expected none with the model of a published API, which searches all times',
    'value_error',
  );
}

/**
 * The template that a published API must have to answer in the shape of a schema; none for text and JSON without a schema, which
 * promise nothing that it could break. Throws a 400 that names the part which no template can express.
 */
export function expectedOfApi(
  format: { readonly type: string } | null | undefined,
  schema: unknown,
  at: readonly string[],
): { readonly expected?: ExpectedTemplate } {
  const isRead = format?.type === 'json_schema' ? schema != null : format?.type === 'json_object' && isObject(schema);
  const shape = isRead ? readFormat(format, schema, { format: at, schema: at }) : undefined;
  return shape === undefined ? {} : { expected: { template: shape.template, at: ['body', ...at] } };
}

/** Throws a 400 at `field` if a published API is shown an image: its inputs are texts, numbers and booleans. */
export function checkNoImage(image: string | undefined, field: string): void {
  if (image === undefined) return;
  const msg = 'expected text alone with the model of a published API, which takes no image; got one';
  throw invalid(['body', field], msg, 'value_error');
}

/** The options of a chat completion. Throws a 400 for domains of both kinds, or a date that is none. */
export function searchOptions(request: Filters): Options {
  const { search_recency_filter: recency, search_after_date_filter, search_before_date_filter } = request;
  const since = recency == null ? undefined : dateBefore(Date.now(), days[recency]);
  const from = dayOf(search_after_date_filter, 'search_after_date_filter') ?? since;
  const to = dayOf(search_before_date_filter, 'search_before_date_filter');
  return {
    ...domains(request.search_domain_filter ?? []),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...collectionsOf(request.citewire),
    ...effortOf(request.web_search_options?.search_context_size),
  };
}

function domains(filter: readonly string[]): Options {
  const denied = filter.filter((domain) => domain.startsWith('-')).map((domain) => domain.slice(1));
  const allowed = filter.filter((domain) => !domain.startsWith('-'));
  if (denied.length > 0 && allowed.length > 0) {
    throw invalid(
      ['body', 'search_domain_filter'],
      'expected domains all with "-", or all without; got both',
      'value_error',
    );
  }
  return {
    ...(allowed.length > 0 ? { source_whitelist: allowed } : {}),
    ...(denied.length > 0 ? { source_blacklist: denied } : {}),
  };
}

/** `M/D/YYYY`, as Perplexity has it, as an ISO date. */
function dayOf(text: string | null | undefined, field: string): string | undefined {
  if (text == null) return undefined;
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (year !== '' && !Number.isNaN(Date.parse(iso))) return iso;
  throw invalid(
    ['body', field],
    `expected a date such as 1/31/2026; got ${JSON.stringify(text.slice(0, 40))}`,
    'value_error',
  );
}
