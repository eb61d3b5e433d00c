/** Open WebUI's external search engine and external loader of pages; its chat uses the door of OpenAI. */
import {
  type TextResult,
  type WebuiDocuments,
  WebuiLoadRequest,
  WebuiSearchRequest,
  type WebuiSearchResults,
} from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import type { Doors } from '../../transport/http/door.ts';
import { answerAtDoor } from '../../transport/http/searches.ts';
import { readPages } from '../read-pages.ts';
import { searchHits } from '../search-results.ts';

/** Set by hand; Open WebUI always sends its own. */
const defaultCount = 5;

/** The handlers of the routes of Open WebUI. */
export function openWebuiHandlers(service: Service) {
  return {
    webui_search: (ctx) =>
      answerAtDoor(service, ctx, 'open-webui', async () => {
        const { query, count = defaultCount, ...narrowed } = parse(WebuiSearchRequest, await ctx.call.body());
        return {
          // Its own model reads the results, and a person waits for them.
          input: { request: { prompt: query, answer: false, effort: 'fast', ...narrowed } },
          result(_, { result }) {
            const hits = searchHits(result as TextResult, count);
            return hits.map(({ url, title, text }) => ({
              link: url,
              title,
              snippet: text,
            })) satisfies WebuiSearchResults;
          },
        };
      }),

    async webui_load(ctx) {
      const call = await service.authenticate(ctx.call, 'search');
      const { urls } = parse(WebuiLoadRequest, await call.body());
      const pages = await readPages(service, call, urls);
      // It has no form for a page that could not be read, and would take any text for the page's own.
      const documents = pages.flatMap(({ url, contents }) => {
        if (contents === undefined) return [];
        const { snapshot, title, language, published_at } = contents.info;
        const about = {
          ...(language === undefined ? {} : { language }),
          ...(published_at === undefined ? {} : { published_at }),
        };
        return [{ page_content: contents.response, metadata: { source: url, title, snapshot, ...about } }];
      });
      ctx.json(200, documents satisfies WebuiDocuments);
    },
  } satisfies Partial<Doors['handlers']>;
}
