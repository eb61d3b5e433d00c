/**
 * `citewire sources`: works directly on the index, whether or not a server is running. Each command resolves with its exit code.
 */
import { corpusPlace } from '../../app/corpus-place.ts';
import type { Config } from '../../base/config.ts';
import { isResumed } from '../../base/source-names.ts';
import { counted } from '../../base/text/counted.ts';
import { type OpenCorpus, openCorpus } from '../../corpus/corpus.ts';
import { sourceName } from '../../corpus/ingest/index-source.ts';
import type { StoredSource } from '../../sources/source-index.ts';
import { givenSource } from '../given-file.ts';
import { onOneLine, printRow } from '../print-row.ts';

/**
 * Prints one tab-separated line per source: its name, its number of pages and, for a folder, its address or, for an uploaded file,
 * the file's name. What was interrupted is named on stderr.
 */
export async function listSources(config: Config): Promise<number> {
  return withCorpus(config, async (corpus) => {
    const sources = bySource(await corpus.storedSources());
    for (const { source, kind, name, pages, address } of sources) {
      const more = address ?? (kind === 'file' ? name : undefined);
      printRow([source, counted(pages, 'page'), ...(more === undefined ? [] : [more])]);
    }
    for (const source of sources) if (source.interrupted === true) process.stderr.write(`${interruption(source)}\n`);
    return 0;
  });
}

/** `source` is a name printed by `list`, or the argument given to `citewire index`. Rejects when it is not in the index. */
export async function removeSource(source: string, config: Config): Promise<number> {
  return withCorpus(config, async (corpus) => {
    const named = [source, sourceName(givenSource(source))];
    const known = (await corpus.storedSources()).find((each) => named.includes(each.source));
    if (known === undefined) {
      throw new Error(
        `Expected a source in the index; got ${JSON.stringify(source)}. List them with \`citewire sources list\`.`,
      );
    }
    const pages = await corpus.forget(known.source);
    process.stderr.write(`Removed ${known.source}: ${counted(pages, 'page')}.\n`);
    return 0;
  });
}

/** That the indexing of a source was interrupted, and how it goes on. */
function interruption({ source, kind }: StoredSource): string {
  const said = `The indexing of ${onOneLine(source)} was interrupted`;
  if (kind === 'file') return `${said}. A running server continues it.`;
  const again = kind === 'packages' || kind === 'installed' ? 'citewire index --installed' : 'citewire index';
  return `${said}. To go on, index it again with \`${again}\`${isResumed(source) ? ' or start a server' : ''}.`;
}

/** Sources in the order of their names; those without pages, whose indexing failed or waits, are among them. */
function bySource(sources: readonly StoredSource[]): StoredSource[] {
  return [...sources].sort((one, other) => (one.source < other.source ? -1 : 1));
}

async function withCorpus(config: Config, use: (corpus: OpenCorpus) => Promise<number>): Promise<number> {
  const corpus = await openCorpus(corpusPlace(config));
  try {
    return await use(corpus);
  } finally {
    await corpus.close();
  }
}
