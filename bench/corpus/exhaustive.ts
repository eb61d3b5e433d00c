/** An exhaustive search of the corpus in Postgres, to compare the product's with: BM25 of every passage with any word of the question. */

import { everySource } from '../../protocol/source-rules.ts';
import { createPostgresPool } from '../../src/base/postgres/pool.ts';
import { createTermLookup } from '../../src/corpus/postgres/read-postings.ts';
import { scorePassages } from '../../src/corpus/postgres/score-passages.ts';
import { type Candidate, choosePassages } from '../../src/corpus/search/choose-passages.ts';
import { selectTerms, termsToCount } from '../../src/corpus/search/fts-query.ts';

export interface ExhaustiveSearch {
  /** The URLs of the best passages, best first, reranked as the product does. */
  search(text: string, limit: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Passages by BM25 that are reranked: as many as the product reranks of a large index. */
const candidates = 64;

/** Searches the database, in any state that it is in when a search begins. */
export function openExhaustiveSearch(url: string): ExhaustiveSearch {
  const pool = createPostgresPool(url, { connectMs: 10_000, statementMs: 0 });
  const lookUp = createTermLookup(pool);
  return {
    async search(text, limit) {
      const lookup = await lookUp(termsToCount(text));
      const terms = selectTerms(text, lookup.count).map((word) => {
        return { word, idf: Math.log(1 + (lookup.passages + 0.5) / (lookup.count(word) + 0.5)) };
      });
      const rare = await lookup.read(terms.map(({ word }) => word));
      const scored = scorePassages({ rare, frequent: [] }, lookup, candidates);
      const rows = await readPassages(scored.map(({ n }) => n));
      const found = scored.map(({ n, bm25 }) => ({ ...rows.get(n)!, bm25 }));
      const about = { rules: everySource, limit, isWhole: false, corpusSize: undefined, prefersOwn: false };
      return choosePassages(found, text, terms, about).map(({ url: at }) => at);
    },
    close: () => pool.close(),
  };

  async function readPassages(numbers: readonly number[]): Promise<Map<number, Candidate>> {
    const connection = await pool.connect();
    try {
      const { rows } = await connection.query(
        `select p.n, 0 as titled, g.snapshot_id as snapshot, g.url, g.title, p.headings, p.text, p.start, p."end", g.published_at
          from corpus_passages as p join corpus_pages as g on g.n = p.page where p.n = any($1::int[])`,
        [numbers],
      );
      return new Map(rows.map((row) => [row.n, row]));
    } finally {
      connection.release();
    }
  }
}
