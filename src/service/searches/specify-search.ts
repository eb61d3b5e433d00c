/** What to research: a request as it is, or for the run of an API, its design filled with the inputs. */
import type { Caller } from '../../access/identity.ts';
import type { ApiRun } from '../../designs/api-run.ts';
import type { Designs } from '../../designs/designs.ts';
import type { ForeignRequestFields } from '../calls.ts';
import type { Reach } from '../sources/reach.ts';
import type { ParsedSearch } from './parse-search.ts';

/** What to research. `parts` and `api` are set for the run of an API. */
export type SearchSpec = Pick<ApiRun, 'request'> &
  Partial<ApiRun> &
  ForeignRequestFields & {
    /** What it may reach, as it was when the search was stored. */
    readonly reach?: Reach | undefined;
  };

/** Rejects with 404 for an API that the caller cannot run, and with 422 for inputs that do not match it. */
export async function specify(
  search: ParsedSearch,
  { account_id }: Caller,
  designs: Pick<Designs, 'buildRun' | 'buildRunOfText'>,
): Promise<SearchSpec> {
  if ('request' in search) return search;
  const { name, inputs, isText, background, webhook, at } = search.run;
  const run = isText
    ? await designs.buildRunOfText(account_id, name, (inputs as { text: string }).text, at)
    : await designs.buildRun(account_id, name, inputs, at);
  const options = { ...(background === true ? { background } : {}), ...(webhook === undefined ? {} : { webhook }) };
  return { ...run, request: { ...run.request, ...options } };
}
