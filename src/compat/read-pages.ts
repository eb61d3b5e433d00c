/** Several pages in one call, for clients that ask for a list. Each costs what it costs alone; a failure is one page's own. */
import { AppError, asAppError } from '../base/errors.ts';
import type { BodyCall } from '../service/calls.ts';
import type { ReadablePage } from '../service/contents.ts';
import type { Service } from '../service/service.ts';

/** A page as it was asked for, with its contents or why there are none. */
export type ReadPage =
  | { readonly url: string; readonly contents: ReadablePage; readonly error?: undefined }
  | { readonly url: string; readonly contents?: undefined; readonly error: AppError };

interface Asked {
  /** With one, each page has the passages that answer it. */
  readonly query?: string | null | undefined;
  /** Whether the whole texts are shown; by default without a query. */
  readonly whole?: boolean;
}

/** Pages of one call that are read simultaneously; set by hand. */
export const simultaneous = 5;
/** Characters of all pages of a call together; set by hand: one answer of 20 pages as large as may be would hold 100 MB. */
const maxCharacters = 4 * 1024 * 1024;
/** What is wrong with the call, not with a page. */
const callStatuses = [401, 403, 429, 503];

/**
 * In the order of `urls`. Pages after the first have the error `too_large` once all together are larger than an answer may be.
 * Rejects with the first error if the caller may not read any of them now.
 */
export async function readPages(
  service: Pick<Service, 'page'>,
  call: BodyCall,
  urls: readonly string[],
  { query, whole = query == null }: Asked = {},
): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  let characters = 0;
  for (let at = 0; at < urls.length && !call.signal.aborted; at += simultaneous) {
    pages.push(...(await Promise.all(urls.slice(at, at + simultaneous).map(read))).map(keepWithin));
    const [first] = pages;
    if (pages.every(({ error }) => error !== undefined && callStatuses.includes(error.status))) throw first?.error;
  }
  return pages;

  function keepWithin(page: ReadPage): ReadPage {
    if (page.contents === undefined || !whole) return page;
    const { length } = page.contents.response;
    if (characters > 0 && characters + length > maxCharacters) return { url: page.url, error: tooLarge() };
    characters += length;
    return page;
  }

  async function read(url: string): Promise<ReadPage> {
    const body = async () => (query == null ? { url } : { url, query });
    try {
      return { url, contents: await service.page({ ...call, body }) };
    } catch (error) {
      const shown = asAppError(error);
      if (shown.code === 'internal') throw error;
      return { url, error: shown };
    }
  }
}

/** The status that the server of a page answered in place of it; undefined where it answered none, or was not asked. */
export function siteStatusOf(error: AppError): number | undefined {
  return (error as AppError & { readonly upstreamStatus?: number | undefined }).upstreamStatus;
}

function tooLarge(): AppError {
  const message = `The pages of this call have more than ${maxCharacters} characters together; ask for this one alone.`;
  return new AppError('too_large', message);
}
