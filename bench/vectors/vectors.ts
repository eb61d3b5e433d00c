/**
 * What vectors cost: `npm run bench -- vectors [passages] [dimensions]`. Indexes generated pages, gives each passage a vector without
 * an endpoint, and prints the bytes of a vector and how long searches take by words alone, by words and vectors side by side, and
 * restricted to a source rule. It says nothing of quality: the vectors are pseudo-random.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everySource, type SourceRules } from '../../protocol/source-rules.ts';
import { neverAborted } from '../../src/base/abort.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import type { Embedder } from '../../src/engine/ports/embedder.ts';
import { writeCorpus } from '../support/corpus-files.ts';
import type { BenchOptions } from '../support/report.ts';
import { median, quantile } from '../support/stats.ts';

/** As many as a search of the engine asks for. */
const limit = 10;
/** Set by hand: enough for a 95th percentile. */
const maxQuestions = 200;

/** Resolves when all is printed. */
export default async function benchVectors(
  [count = '88000', dimensions = '768']: readonly string[],
  { quick, say }: BenchOptions,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-vectors-'));
  const file = join(folder, 'index.db');
  const opened: OpenCorpus[] = [];
  try {
    const docs = join(folder, 'docs');
    const questions = [...writeCorpus(docs, quick ? 5_000 : Number(count)).questions].slice(0, maxQuestions);
    const words = await openCorpus({ file });
    opened.push(words);
    say('indexing');
    await words.index({ kind: 'folder', path: docs });
    const before = statSync(file).size;
    const hybrid = await openCorpus({ file, embedder: createRandomEmbedder(Number(dimensions)) });
    opened.push(hybrid);
    say('keeping vectors');
    const begun = performance.now();
    await hybrid.vectors!.complete(neverAborted, () => {});
    const seconds = (performance.now() - begun) / 1000;
    const { passages } = await words.stats();
    process.stdout.write(`${passages} passages, ${dimensions} dimensions, ${questions.length} questions\n`);
    process.stdout.write(`vectors kept in ${seconds.toFixed(0)} s\n`);
    const forbidden: SourceRules = { only: [], never: [{ host: 'example.org', path: '' }] };
    for (const [name, corpus, rules] of [
      ['words', words, everySource],
      ['words and vectors', hybrid, everySource],
      ['the same with a source rule', hybrid, forbidden],
    ] as const) {
      const times: number[] = [];
      for (const text of questions) {
        const from = performance.now();
        await corpus.search({ text, limit, rules }, neverAborted);
        times.push(performance.now() - from);
      }
      const shown = [median(times), quantile(times, 0.95)].map((ms) => ms.toFixed(1));
      process.stdout.write(`${name.padEnd(28)} p50 ${shown[0]} ms · p95 ${shown[1]} ms\n`);
    }
    for (const corpus of opened.splice(0)) await corpus.close();
    const bytes = (statSync(file).size - before) / passages;
    process.stdout.write(`${bytes.toFixed(0)} bytes a passage\n`);
  } finally {
    for (const corpus of opened) await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pseudo-random vectors, the same for the same text. */
function createRandomEmbedder(dimensions: number): Embedder {
  const embed = (text: string) => {
    let seed = createHash('sha256').update(text).digest().readUInt32LE(0) || 1;
    return Float32Array.from({ length: dimensions }, () => {
      // Xorshift, Marsaglia 2003.
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      return seed / 2 ** 31;
    });
  };
  return {
    model: 'random',
    space: 'random',
    batch: 256,
    query: async (text) => embed(text),
    documents: async (texts) => texts.map(embed),
  };
}
