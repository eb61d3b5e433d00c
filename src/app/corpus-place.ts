/** Where the settings put the corpus. */
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import type { CorpusOptions } from '../corpus/corpus.ts';

/** The options of `openCorpus`. */
export function corpusPlace({ dataDir, databaseUrl, corpus }: Config): Pick<CorpusOptions, 'file' | 'databaseUrl'> {
  return { file: join(dataDir, 'index.db'), databaseUrl: corpus === 'postgres' ? databaseUrl : undefined };
}
