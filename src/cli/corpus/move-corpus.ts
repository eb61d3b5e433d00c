/** `citewire corpus move`: copies the corpus between DATA_DIR and Postgres, with a progress bar. */
import { corpusPlace } from '../../app/corpus-place.ts';
import type { Config } from '../../base/config.ts';
import { counted } from '../../base/text/counted.ts';
import { copyCorpus } from '../../corpus/copy-corpus.ts';
import { createBar } from './progress-bar.ts';

/** Said in both directions: who expects the keys to be copied, too, locks callers out. */
const notCopied =
  'Accounts, keys, designs, published APIs, schedules, webhooks, collections, threads and searches are not: make them again.';

/** Resolves with the exit code. Rejects with one sentence when there is no DATABASE_URL, or the copy is not whole. */
export async function moveCorpus(to: 'sqlite' | 'postgres', config: Config): Promise<number> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) throw new Error('DATABASE_URL: expected the URL of a Postgres; got nothing.');
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('Interrupted. Run it again to continue.'));
  process.once('SIGINT', interrupt);
  const bar = createBar(process.stderr);
  try {
    const { file } = corpusPlace(config);
    const { pages, added, pins, vectors, leftOut } = await copyCorpus({
      file,
      databaseUrl,
      to,
      signal: stop.signal,
      onProgress: bar.show,
    });
    bar.clear();
    process.stdout.write(
      `${counted(pages, 'page')} (${added} new) and ${counted(pins, 'citation')} are in ${to}; all hashes agree\n`,
    );
    if (vectors > 0)
      process.stdout.write(`${counted(vectors, 'passage')} ${vectors === 1 ? 'has' : 'have'} the same vectors\n`);
    if (leftOut !== undefined)
      process.stderr.write(`Vectors are not copied. ${leftOut} A running server makes them, where it can.\n`);
    process.stderr.write(`Only the index and what searches cite are copied. ${notCopied}\n`);
    if (config.corpus !== to) process.stderr.write(`Set CORPUS=${to} to use it.\n`);
    return 0;
  } finally {
    bar.clear();
    process.off('SIGINT', interrupt);
  }
}
