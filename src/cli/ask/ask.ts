/** `citewire ask`: asks a running server, or searches the index in DATA_DIR without one. */
import { SearchRequest } from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { parse } from '../../base/errors.ts';
import { readJsonFile } from '../given-file.ts';
import { searchRemote } from './search-remote.ts';
import { showSearch } from './show-search.ts';

export interface AskOptions {
  readonly json?: boolean;
  readonly schema?: string;
  readonly only?: string[];
  readonly never?: string[];
  readonly effort?: string;
  readonly from?: string;
  readonly to?: string;
  readonly model?: string;
  readonly collection?: string[];
  readonly server?: string;
  readonly key?: string;
}

/**
 * Resolves with the exit code. Throws `validation_error` for an invalid request or schema file, and the error of a failed search.
 */
export async function ask(prompt: string, options: AskOptions, config: Config): Promise<number> {
  const { schema, only, never, effort, from, to, model, collection } = options;
  const request = {
    prompt,
    output_format: schema === undefined ? undefined : await readJsonFile(schema),
    source_whitelist: only,
    source_blacklist: never,
    collections: collection,
    effort,
    from,
    to,
    model,
  };
  const parsed = parse(SearchRequest, request);
  const events =
    options.server === undefined
      ? (await import('./search-local.ts')).searchLocal({ request: parsed }, config)
      : searchRemote(parsed, options.server, options.key);
  await showSearch(events, options.json === true);
  return 0;
}
