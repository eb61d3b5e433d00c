/** Several pages in one call, for clients that ask for a list. Each costs what it costs alone; a failure is one page's own. */
import type { Contents } from '../../protocol/index.ts';
import { type AppError, asAppError } from '../base/errors.ts';
import type { BodyCall } from '../service/calls.ts';
import type { Service } from '../service/service.ts';

/** A page as it was asked for, with its contents or why there are none. */
export type ReadPage =
  | { readonly url: string; readonly contents: Contents; readonly error?: undefined }
  | { readonly url: string; readonly contents?: undefined; readonly error: AppError };

/** Pages of one call that are read simultaneously; set by hand. */
const simultaneous = 5;
/** What is wrong with the call, not with a page. */
const ofCall = [401, 403, 429, 503];

/** In the order of `urls`. Rejects with the first error if the caller may not read any of them now. */
export async function readPages(
  service: Service,
  call: BodyCall,
  urls: readonly string[],
  query?: string | null,
): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  for (let at = 0; at < urls.length && !call.signal.aborted; at += simultaneous) {
    pages.push(...(await Promise.all(urls.slice(at, at + simultaneous).map(read))));
    const [first] = pages;
    if (pages.every(({ error }) => error !== undefined && ofCall.includes(error.status))) throw first?.error;
  }
  return pages;

  async function read(url: string): Promise<ReadPage> {
    const body = async () => (query == null ? { url } : { url, query });
    try {
      return { url, contents: await service.contents({ ...call, body }) };
    } catch (error) {
      const shown = asAppError(error);
      if (shown.code === 'internal') throw error;
      return { url, error: shown };
    }
  }
}
