/** `citewire ask`: asks a running server, or searches the index in DATA_DIR without one. */
import { SearchRequest } from '../../../protocol/index.ts';
import type { Config } from '../../base/config.ts';
import { parse } from '../../base/errors.ts';
import { readJsonFile } from '../json-file.ts';
import { searchLocal } from './search-local.ts';
import { searchRemote } from './search-remote.ts';
import { showSearch } from './show-search.ts';

export interface AskOptions {
  readonly json?: boolean;
  readonly schema?: string;
  readonly only?: string[];
  readonly never?: string[];
  readonly model?: string;
  readonly collection?: string[];
  readonly server?: string;
  readonly key?: string;
}

/**
 * Resolves with the exit code. Throws `validation_error` for an invalid request or schema file, and the error of a failed search.
 */
export async function ask(prompt: string, options: AskOptions, config: Config): Promise<number> {
  const request = {
    prompt,
    ...(options.schema === undefined ? {} : { output_format: await readJsonFile(options.schema) }),
    ...(options.only === undefined ? {} : { source_whitelist: options.only }),
    ...(options.never === undefined ? {} : { source_blacklist: options.never }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.collection === undefined ? {} : { collections: options.collection }),
  };
  const parsed = parse(SearchRequest, request);
  const events =
    options.server === undefined
      ? searchLocal({ request: parsed }, config)
      : searchRemote(parsed, options.server, options.key);
  return showSearch(events, options.json === true);
}
