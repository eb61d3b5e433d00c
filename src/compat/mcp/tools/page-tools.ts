/** The tools that read one page: a stored one by its snapshot, or one of the web by its URL. */
import type { z } from 'zod';
import { type PageContents, PageRequest } from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import { namedBy } from '../../error-text.ts';
import type { Backend } from '../backend.ts';
import type { FetchOutput, ReadPageInput, ReadPageOutput } from './tool-schemas.ts';

/**
 * Maximum characters of a text that are returned (UTF-16 code units). Set by hand, as connectors put all of it into the context of
 * a model.
 */
const maxFetchedCharacters = 400_000;

/** The whole page. `id` is a snapshot id, or a URL of the web or of the index. Rejects with 404 for an unknown snapshot. */
export async function fetchPage(backend: Backend, id: string, signal: AbortSignal): Promise<FetchOutput> {
  const { response, info } = await readById(backend, id, signal);
  const { snapshot, final_url: url, title, published_at } = info;
  const isCut = response.length > maxFetchedCharacters;
  const metadata = {
    snapshot,
    ...(published_at === undefined ? {} : { published_at }),
    ...(isCut ? { truncated: `to ${maxFetchedCharacters} of ${response.length} characters` } : {}),
  };
  return { id, title: title || url, text: response.slice(0, maxFetchedCharacters), url, metadata };
}

/** A part of a page, or the passages of it that answer a query. Rejects as POST /v1/contents does. */
export async function readPage(
  backend: Backend,
  { url, query, start, max_characters }: z.output<typeof ReadPageInput>,
  signal: AbortSignal,
): Promise<ReadPageOutput> {
  const { response, info } = await backend.page({ url, ...(query === undefined ? {} : { query }) }, signal);
  const { final_url, title, snapshot, published_at, passages = [] } = info;
  const page = {
    url: final_url,
    title,
    snapshot,
    ...(published_at === undefined ? {} : { published_at }),
    length: response.length,
  };
  if (query !== undefined) return { ...page, passages };
  const end = start + max_characters;
  const rest = end < response.length ? { next_start: end } : {};
  return { ...page, text: response.slice(start, end), ...rest };
}

async function readById(backend: Backend, id: string, signal: AbortSignal): Promise<PageContents> {
  if (/^[\w-]{1,128}$/.test(id)) return backend.snapshot(id, signal);
  const page = async () => backend.page(parse(PageRequest, { url: id }), signal);
  return namedBy({ url: 'id' }, page());
}
