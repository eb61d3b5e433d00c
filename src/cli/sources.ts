/** `citewire sources`: what is in the index, and out of it again. Works on the index itself, whether or not a server runs on it. */
import { join } from 'node:path';
import type { Config } from '../base/config.ts';
import { type OpenCorpus, openCorpus } from '../corpus/corpus.ts';
import { parseIndexSource, sourceName } from '../corpus/ingest/ingest.ts';

export async function listSources(config: Config): Promise<number> {
  return withCorpus(config, async (corpus) => {
    for (const { source, pages } of await corpus.sources()) process.stdout.write(`${source}\t${pages} pages\n`);
    return 0;
  });
}

/** `source` is one that `list` prints, or what `citewire index` was given. */
export async function removeSource(source: string, config: Config): Promise<number> {
  return withCorpus(config, async (corpus) => {
    const named = [source, sourceName(parseIndexSource(source))];
    const known = (await corpus.sources()).find((each) => named.includes(each.source));
    if (known === undefined) {
      throw new Error(
        `Nothing in the index came from ${JSON.stringify(source)}; \`citewire sources list\` says what did.`,
      );
    }
    const pages = await corpus.forget(known.source);
    process.stderr.write(`${known.source} is removed: ${pages} pages.\n`);
    return 0;
  });
}

async function withCorpus(config: Config, use: (corpus: OpenCorpus) => Promise<number>): Promise<number> {
  const corpus = await openCorpus({ file: join(config.dataDir, 'index.db') });
  try {
    return await use(corpus);
  } finally {
    await corpus.close();
  }
}
