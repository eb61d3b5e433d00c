/** Parallel's search, whose answer is a list of results, and its extract, the text of pages. */
import {
  ParallelExtractRequest,
  type ParallelExtractResponse,
  ParallelSearchRequest,
  type ParallelSearchResponse,
  type TextResult,
} from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import type { Doors } from '../../transport/http/door.ts';
import { answerAtDoor } from '../../transport/http/searches.ts';
import { type FieldNames, namedBy } from '../error-text.ts';
import { firstCharacters } from '../page-texts.ts';
import { readPages, siteStatusOf } from '../read-pages.ts';
import { searchHits } from '../search-results.ts';
import { fitExcerpts } from './excerpts.ts';
import { questionOf, searchOf } from './request.ts';
import { taskHandlers } from './tasks/handlers.ts';

/** Parallel's own default. */
const defaultResults = 10;
/** Passages of a page that are shown for a question; set by hand. */
const maxPassages = 5;

/** What fields of a search are made from where it is no task, whose fields have other places. */
const searchFields: FieldNames = {
  prompt: 'objective',
  source_whitelist: 'advanced_settings.source_policy.include_domains',
  source_blacklist: 'advanced_settings.source_policy.exclude_domains',
  from: 'advanced_settings.source_policy.after_date',
};

/** The handlers of the routes of Parallel. */
export function parallelHandlers(service: Service) {
  return {
    ...taskHandlers(service),

    parallel_search: (ctx) =>
      namedBy(
        searchFields,
        answerAtDoor(service, ctx, 'parallel', async () => {
          const asked = parse(ParallelSearchRequest, await ctx.call.body());
          const { max_results, excerpt_settings } = asked.advanced_settings ?? {};
          return {
            input: searchOf(asked),
            result({ search_id }, { result }) {
              const hits = searchHits(result as TextResult, max_results ?? defaultResults);
              const results = hits.map(({ url, title, text, published_at }) => ({
                ...headOf(url, title, published_at),
                excerpts: text === '' ? [] : [text],
              }));
              const room = { perResult: excerpt_settings?.max_chars_per_result, total: asked.max_chars_total };
              return {
                search_id,
                session_id: asked.session_id ?? search_id,
                results: fitExcerpts(results, room),
                warnings: null,
                usage: null,
              } satisfies ParallelSearchResponse;
            },
          };
        }),
      ),

    async parallel_extract(ctx) {
      const call = await service.authenticate(ctx.call, 'search');
      const asked = parse(ParallelExtractRequest, await call.body());
      const { full_content, excerpt_settings } = asked.advanced_settings ?? {};
      const query = questionOf(asked);
      const withText = full_content != null && full_content !== false;
      const maxChars = (typeof full_content === 'object' ? full_content?.max_chars_per_result : null) ?? Infinity;
      // Without a question, the excerpt of a page is its text.
      const pages = await readPages(service, call, asked.urls, { query, whole: withText || query === undefined });
      const results = pages.flatMap(({ url, contents }) => {
        if (contents === undefined) return [];
        const { response, info } = contents;
        const said = (info.passages ?? []).slice(0, maxPassages).map(({ text }) => text);
        return [
          {
            ...headOf(url, info.title, info.published_at),
            excerpts: query === undefined ? [response] : said,
            full_content: withText ? firstCharacters(response, maxChars) : null,
          },
        ];
      });
      const room = { perResult: excerpt_settings?.max_chars_per_result, total: asked.max_chars_total };
      ctx.json(200, {
        extract_id: ctx.request.id,
        session_id: asked.session_id ?? ctx.request.id,
        results: fitExcerpts(results, room),
        errors: pages.flatMap(({ url, error }) =>
          error === undefined
            ? []
            : [{ url, error_type: error.code, http_status_code: siteStatusOf(error) ?? null, content: error.message }],
        ),
        warnings: null,
        usage: null,
      } satisfies ParallelExtractResponse);
    },
  } satisfies Partial<Doors['handlers']>;
}

function headOf(url: string, title: string, published_at: string | undefined) {
  return { url, title: title || url, publish_date: published_at?.slice(0, 10) ?? null };
}
