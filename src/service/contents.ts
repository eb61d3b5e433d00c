/** Pages as searches read them: POST /v1/contents, and the snapshots that citations point into. */
import { type Contents, ContentsRequest, everySource, type PageContents, PageRequest } from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { checkUnrestricted } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import { neverAborted } from '../base/abort.ts';
import { AppError, parse } from '../base/errors.ts';
import { mayReadAddress } from '../base/source-names.ts';
import type { Corpus } from '../engine/ports/corpus.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { PageInfo, PageReader } from '../engine/ports/web.ts';
import type { BodyCall, Call, CallAccess, Charge } from './calls.ts';
import type { LargeRead } from './large-reads.ts';
import type { Reaches } from './sources/reach.ts';

/** A page of the web, or one of the index, of which less is known. */
export interface ReadablePage {
  readonly response: string;
  readonly info: PageContents['info'] &
    Pick<Contents['info'], 'language' | 'passages'> &
    Partial<Pick<PageInfo, 'links' | 'other_links'>>;
}

export interface ContentsCalls {
  /** A page, fetched or cached; with a query, also its passages that answer the query. Costs one unit. */
  contents(call: BodyCall): Promise<Contents>;
  /**
   * The same by the address that a search of the caller has returned: a page of the index at a `file:` address, and at another one where
   * the page cannot be fetched. Only what a search with the caller's key may find is returned, and nothing else is opened.
   */
  page(call: BodyCall): Promise<ReadablePage>;
  /**
   * Rejects with 404 for an unknown snapshot id, for that of a file that another account uploaded, and for what is not of the
   * collections that the key is restricted to.
   */
  snapshot(call: Call, id: string): Promise<PageContents>;
}

interface Parts {
  readonly access: CallAccess;
  readonly charge: Charge;
  readonly reader: PageReader;
  readonly corpus: Corpus;
  readonly largeRead: LargeRead;
  readonly reaches: Pick<Reaches, 'ofKey'>;
}

/** For the error message: what a key that is restricted to collections may not do. */
const webPages = 'read pages of the web';
/** Passages returned for a query; set by hand. */
const maxPassages = 10;

/** `contents` needs the scope `search`; a snapshot is for every caller. */
export function createContents({ access, charge, reader, corpus, largeRead, reaches }: Parts): ContentsCalls {
  const fetchPage = (caller: Caller, url: string, signal: AbortSignal) =>
    reader.read(url, { rules: everySource, owner: caller.account_id }, signal).catch((error) => {
      throw atUrl(error);
    });

  /** The page of the index at an address, if a search with the caller's key may find it. */
  async function indexed(caller: Caller, url: string, call: Call) {
    if (!mayReadAddress(url, caller.account_id)) return undefined;
    const reach = (await reaches.ofKey(caller)) ?? { owner: caller.account_id };
    // A link to a part of a page is one to the page, unless the index has that part as one.
    const page = withoutFragment(url);
    const id = (await corpus.pageAt(url, reach)) ?? (page === url ? undefined : await corpus.pageAt(page, reach));
    const snapshot =
      id === undefined ? undefined : await largeRead(caller, call, () => corpus.snapshot(id, neverAborted));
    return snapshot === undefined ? undefined : { snapshot, info: showSnapshot(snapshot.id, snapshot).info };
  }

  async function fetchedOrIndexed(caller: Caller, url: string, call: Call) {
    if (isFile(url)) {
      const page = await indexed(caller, url, call);
      if (page === undefined) throw new AppError('not_found', `There is no page at ${url.slice(0, 200)} in the index.`);
      return page;
    }
    try {
      checkUnrestricted(caller, webPages);
      return await fetchPage(caller, url, call.signal);
    } catch (error) {
      const isRefused = error instanceof AppError && !call.signal.aborted;
      const page = isRefused ? await indexed(caller, url, call) : undefined;
      if (page === undefined) throw error;
      return page;
    }
  }

  /** The caller, if the key may read and the call is paid. */
  async function admit(call: BodyCall, check: (caller: Caller) => void = () => {}): Promise<Caller> {
    const caller = await access.identify(call.from);
    checkScope(caller, 'search');
    check(caller);
    await charge(caller, call);
    access.usage.count(caller.key_id, 'contents');
    return caller;
  }

  async function passagesOf(page: Snapshot, text: string, signal: AbortSignal) {
    const ranked = await corpus.rank({ text, limit: maxPassages, pages: [page] }, signal);
    return ranked.map(({ start, end, text, headings, score }) => ({ start, end, text, headings, score }));
  }

  return {
    async page(call) {
      const caller = await admit(call);
      const { url, query } = parse(PageRequest, await call.body());
      const { snapshot, info } = await fetchedOrIndexed(caller, url, call);
      const page = { response: snapshot.text, info: { ...info, snapshot: snapshot.id } };
      if (query === undefined) return page;
      return { ...page, info: { ...page.info, passages: await passagesOf(snapshot, query, call.signal) } };
    },

    async contents(call) {
      const caller = await admit(call, (each) => checkUnrestricted(each, webPages));
      const { url, query } = parse(ContentsRequest, await call.body());
      const { snapshot, info } = await fetchPage(caller, url, call.signal);
      const { links, warnings, other_links: _, ...shown } = info;
      const response: Contents = {
        response: snapshot.text,
        info: { snapshot: snapshot.id, ...shown, links: [...links], warnings: [...warnings] },
      };
      if (query === undefined) return response;
      return { ...response, info: { ...response.info, passages: await passagesOf(snapshot, query, call.signal) } };
    },

    async snapshot(call, id) {
      const caller = await access.identify(call.from);
      await access.takeFrom(caller, 'reads');
      const snapshot = await largeRead(caller, call, () => corpus.snapshot(id, neverAborted));
      const reach = await reaches.ofKey(caller);
      const isWithin = async (url: string) => reach === undefined || corpus.hasPage(url, reach.sources);
      const mayRead = snapshot !== undefined && mayReadAddress(snapshot.url, caller.account_id);
      if (!mayRead || !(await isWithin(snapshot.url))) {
        throw new AppError('not_found', `There is no snapshot ${JSON.stringify(id.slice(0, 64))}.`);
      }
      return showSnapshot(id, snapshot);
    },
  };
}

/** A stored page as `GET /v1/contents/{snapshot}` returns it. */
export function showSnapshot(id: string, { url, title, text, published_at }: Snapshot): PageContents {
  const date = published_at === undefined ? {} : { published_at };
  return { response: text, info: { snapshot: id, final_url: url, title, ...date } };
}

function withoutFragment(url: string): string {
  const page = new URL(url);
  page.hash = '';
  return page.href;
}

function isFile(url: string): boolean {
  return new URL(url).protocol === 'file:';
}

/** A page that this server may not or cannot read is reported as an error of the field `url`. */
function atUrl(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status !== 422) return error;
  const { code, message } = error;
  return new AppError(code, message, { issues: [{ loc: ['body', 'url'], msg: message, type: code }], cause: error });
}
