/**
 * Caches pages until it is killed, and prints each once it is kept:
 * `cache-pages.ts <file> <name> <max bytes> [<count>]`.
 */
import { openCorpus } from '../../../src/corpus/corpus.ts';
import { cachedPage } from '../cached-page.ts';

const [file = '', name = '', maxBytes = '', count = 'endless'] = process.argv.slice(2);
const corpus = await openCorpus({ file, bounds: { maxBytes: Number(maxBytes) } });
for (let n = 0; n < Number(count) || count === 'endless'; n++) {
  const url = `http://${name}.example/${n}`;
  const cached = cachedPage(url, `${name} ${n} ${'word '.repeat(2_000)}`);
  await corpus.pageCache.put(url, cached);
  await corpus.pageCache.get(`http://${name}.example/${n >> 1}`);
  process.stdout.write(`${url} ${cached.page.snapshot.id}\n`);
}
await corpus.close();
