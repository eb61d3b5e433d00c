/** `citewire ask`: asks a running server, or answers by itself from the index in DATA_DIR. */
import { SearchRequest } from '../../protocol/index.ts';
import type { Config } from '../base/config.ts';
import { parse } from '../base/errors.ts';
import { readJsonFile } from './json-file.ts';
import { searchAlone } from './search-local.ts';
import { searchServer } from './search-remote.ts';
import { showSearch } from './show-search.ts';

export interface AskOptions {
  readonly json?: boolean;
  readonly schema?: string;
  readonly only?: string[];
  readonly never?: string[];
  readonly server?: string;
  readonly key?: string;
}

export async function ask(prompt: string, options: AskOptions, config: Config): Promise<number> {
  const request = {
    prompt,
    ...(options.schema === undefined ? {} : { output_format: await readJsonFile(options.schema) }),
    ...(options.only === undefined ? {} : { source_whitelist: options.only }),
    ...(options.never === undefined ? {} : { source_blacklist: options.never }),
  };
  const parsed = parse(SearchRequest, request);
  const events =
    options.server === undefined
      ? searchAlone({ request: parsed }, config)
      : searchServer(parsed, options.server, options.key);
  return showSearch(events, options.json === true);
}
