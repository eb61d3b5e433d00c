/**
 * Everything that reads the index, synchronous, for one connection. The best candidates come from FTS5's BM25 within the
 * source rules; then they are ranked again, repeated texts (two versions or copies of a package) are dropped, and
 * no page gets more than its share.
 */
import type { Database, Statement } from 'better-sqlite3';
import { allows, type SourceRules } from '../../protocol/source-rules.ts';
import type { Passage, Snapshot } from '../engine/ports.ts';
import { matchWithin, tellingTerms } from './query.ts';
import { type PagesToRank, rankPages } from './rank-pages.ts';
import { createMatcher, scoreMatch, stemOf, type WeightedTerm } from './rank-passage.ts';
import { filterBySource } from './source-filter.ts';
import { titleKey } from './title-key.ts';

export interface IndexReader {
  search(query: SearchQuery): Passage[];
  rank(query: PagesToRank): Passage[];
  snapshot(id: string): Snapshot | undefined;
  stats(): IndexStats;
}

export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  readonly rules: SourceRules;
}

export interface IndexStats {
  readonly pages: number;
  readonly passages: number;
}

interface Candidate {
  readonly n: number;
  readonly bm25: number;
}

interface PassageRow {
  readonly snapshot: string;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly published_at: string | null;
}

const candidates = 50;
const mostPassages = 100;
/** BM25 takes most of a query's time, half a microsecond a row: so many rows are given to it, those with rarer words. */
const mostRanked = 8000;
/** For a query that is a page's title: that page comes first. */
const titleBonus = 100;
/** Of one page, among the passages returned. */
const mostOfPage = 4;

export function createIndexReader(database: Database): IndexReader {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'passage_words', 'row')");
  const countPassages = (term: string): number =>
    (prepare('SELECT doc FROM temp.vocabulary WHERE term = ?').pluck().get(stemOf(term)) as number | undefined) ?? 0;

  function findCandidates(match: string, rules: SourceRules, limit: number): Candidate[] {
    const filter = filterBySource(rules, 'p.page');
    const join = filter.sql === '' ? '' : 'CROSS JOIN passages AS p ON p.n = w.rowid';
    const sql = `SELECT w.rowid AS n, -w.rank AS bm25 FROM passage_words AS w ${join}
      WHERE w.passage_words MATCH ? AND w.rank MATCH 'bm25(2.0, 1.0, 1.0)' ${filter.sql} ORDER BY w.rank LIMIT ?`;
    return prepare(sql).all(match, ...filter.values, limit) as Candidate[];
  }

  function findByTitle(key: string, rules: SourceRules): number[] {
    if (key === '') return [];
    const filter = filterBySource(rules, 'g.n');
    const sql = `SELECT min(p.n) FROM pages AS g JOIN passages AS p ON p.page = g.n
      WHERE g.title_key = ? ${filter.sql} GROUP BY g.n LIMIT 5`;
    return prepare(sql)
      .pluck()
      .all(key, ...filter.values) as number[];
  }

  function readPassage(n: number): Omit<Passage, 'score'> {
    const row = prepare(`SELECT s.id AS snapshot, g.url, g.title, p.headings, p.text, p.start, p."end", s.published_at
      FROM passages AS p JOIN pages AS g ON g.n = p.page JOIN snapshots AS s ON s.n = g.snapshot WHERE p.n = ?`).get(
      n,
    ) as PassageRow;
    const { published_at, ...passage } = row;
    return { ...passage, ...(published_at === null ? {} : { published_at }) };
  }

  /** The query's words with their rarity, and how many passages hold a word, remembered for this query. */
  function weigh(text: string): { terms: string[]; weighted: WeightedTerm[]; count: (term: string) => number } {
    const counts = new Map<string, number>();
    const count = (term: string) => {
      const known = counts.get(term) ?? countPassages(term);
      counts.set(term, known);
      return known;
    };
    const terms = tellingTerms(text, count);
    const all = (prepare('SELECT max(n) FROM passages').pluck().get() as number | null) ?? 0;
    const weighted = terms.map((word) => ({ word, idf: Math.log(1 + (all + 0.5) / (count(word) + 0.5)) }));
    return { terms, weighted, count };
  }

  function search({ text, limit, rules }: SearchQuery): Passage[] {
    const wanted = Math.max(0, Math.min(limit, mostPassages));
    const { terms, weighted, count } = weigh(text);
    if (terms.length === 0 || wanted === 0) return [];
    const found = findCandidates(matchWithin(terms, count, mostRanked), rules, Math.max(candidates, wanted * 2));
    const titled = findByTitle(titleKey(text), rules);
    const match = createMatcher(text, weighted);
    const ranked = [
      ...found,
      ...titled.filter((n) => !found.some((other) => other.n === n)).map((n) => ({ n, bm25: 0 })),
    ]
      .map(({ n, bm25 }) => {
        const passage = readPassage(n);
        const measures = match(passage, bm25);
        const score = scoreMatch(measures) + (titled.includes(n) ? titleBonus : 0);
        return { ...passage, score, coverage: measures.coverage };
      })
      .sort((a, b) => b.score - a.score);
    return choose(ranked, rules, wanted);
  }

  return {
    // One read transaction: a page that is replaced meanwhile is still there whole.
    search: database.transaction(search),
    rank: (query) => rankPages(query, weigh(query.text).weighted),
    snapshot(id) {
      const row = prepare('SELECT id, url, title, text, published_at FROM snapshots WHERE id = ?').get(id) as
        | (Omit<Snapshot, 'published_at'> & { published_at: string | null })
        | undefined;
      if (row === undefined) return undefined;
      const { published_at, ...snapshot } = row;
      return { ...snapshot, ...(published_at === null ? {} : { published_at }) };
    },
    stats: () =>
      prepare(
        'SELECT (SELECT count(*) FROM pages) AS pages, (SELECT count(*) FROM passages) AS passages',
      ).get() as IndexStats,
  };
}

function choose(ranked: readonly Passage[], rules: SourceRules, limit: number): Passage[] {
  const chosen: Passage[] = [];
  const texts = new Set<string>();
  const ofPage = new Map<string, number>();
  for (const passage of ranked) {
    if (chosen.length === limit) break;
    const count = ofPage.get(passage.url) ?? 0;
    if (count === mostOfPage || texts.has(passage.text) || !allows(rules, passage.url)) continue;
    texts.add(passage.text);
    ofPage.set(passage.url, count + 1);
    chosen.push(passage);
  }
  return chosen;
}
