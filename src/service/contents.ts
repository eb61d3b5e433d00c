/** Pages as searches read them: POST /v1/contents, and the snapshots that citations point into. */
import { type Contents, ContentsRequest, everySource, type PageContents } from '../../protocol/index.ts';
import { checkUnrestricted } from '../access/restriction.ts';
import { checkScope } from '../access/scopes.ts';
import { neverAborted } from '../base/abort.ts';
import { AppError, parse } from '../base/errors.ts';
import { mayReadAddress } from '../base/source-names.ts';
import type { Corpus } from '../engine/ports/corpus.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { PageReader } from '../engine/ports/web.ts';
import type { BodyCall, Call, CallAccess, Charge } from './calls.ts';
import type { LargeRead } from './large-reads.ts';
import type { Reaches } from './sources/reach.ts';

export interface ContentsCalls {
  /** A page, fetched or cached; with a query, also its passages that answer the query. Costs one unit. */
  contents(call: BodyCall): Promise<Contents>;
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

/** Passages returned for a query; set by hand. */
const maxPassages = 10;

/** `contents` needs the scope `search`; a snapshot is for every caller. */
export function createContents({ access, charge, reader, corpus, largeRead, reaches }: Parts): ContentsCalls {
  return {
    async contents(call) {
      const caller = await access.identify(call.from);
      checkScope(caller, 'search');
      checkUnrestricted(caller, 'read pages of the web');
      await charge(caller, call);
      access.usage.count(caller.key_id, 'contents');
      const { url, query } = parse(ContentsRequest, await call.body());
      const options = { rules: everySource, owner: caller.account_id };
      const { snapshot, info } = await reader.read(url, options, call.signal).catch((error) => {
        throw atUrl(error);
      });
      const { links, warnings } = info;
      const response: Contents = {
        response: snapshot.text,
        info: { snapshot: snapshot.id, ...info, links: [...links], warnings: [...warnings] },
      };
      if (query === undefined) return response;
      const ranked = await corpus.rank({ text: query, limit: maxPassages, pages: [snapshot] }, call.signal);
      const passages = ranked.map(({ start, end, text, headings, score }) => ({ start, end, text, headings, score }));
      return { ...response, info: { ...response.info, passages } };
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

/** A page that this server may not or cannot read is reported as an error of the field `url`. */
function atUrl(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status !== 422) return error;
  const { code, message } = error;
  return new AppError(code, message, { issues: [{ loc: ['body', 'url'], msg: message, type: code }], cause: error });
}
