/** The index of DATA_DIR for commands without a server, and the endpoints that help to find passages in it. */
import { corpusPlace } from '../app/corpus-place.ts';
import { openFinders } from '../app/parts/open-finders.ts';
import type { Config } from '../base/config.ts';
import { type CorpusOptions, type OpenCorpus, openCorpus } from '../corpus/corpus.ts';
import { otherWords } from '../model/extractive/match/everyday.ts';

export interface LocalCorpus {
  readonly corpus: OpenCorpus;
  close(): Promise<void>;
}

/** `onDamaged` is called where the file of the index was damaged and is replaced. Rejects if the index cannot be opened. */
export async function openLocalCorpus(
  config: Config,
  options: Pick<CorpusOptions, 'onDamaged'> = {},
): Promise<LocalCorpus> {
  const finders = await openFinders(config);
  const { embedder, reranker } = finders ?? {};
  try {
    const corpus = await openCorpus({ ...corpusPlace(config), embedder, reranker, otherWords, ...options });
    return {
      corpus,
      async close() {
        await corpus.close();
        await finders?.close();
      },
    };
  } catch (error) {
    await finders?.close();
    throw error;
  }
}
