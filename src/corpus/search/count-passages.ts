/** How many passages of the index file have a word. */
import type { Database } from 'better-sqlite3';
import { isSingle } from '../index/words.ts';
import type { Prepare } from '../sqlite/prepare.ts';
import { matchTerm } from './fts-query.ts';
import { stemOf } from './locate-terms.ts';

/** Counts that are remembered; set by hand. */
const maxCounts = 20_000;

/** Words that FTS5 stems as `stemOf` does: not "1990s" or "þing", of which it stems the letters a to z. */
const isOfVocabulary = /^(?:[a-z]+|[^a-z\p{M}]+)$/u;

export interface PassageCounter {
  /** The number of passages with a word, remembered until the index changes. */
  count(word: string): number;
  /**
   * The number of the index's last passage. Counts are forgotten if the index has changed, as the file counts it: a page that is
   * replaced may get the same numbers again.
   */
  readLast(): number;
}

/** A counter for one connection. Its functions throw SQLite's errors. */
export function createPassageCounter(database: Database, prepare: Prepare): PassageCounter {
  database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'passage_words', 'row')");
  const counts = new Map<string, number>();
  let changes: unknown;
  let lastPassage = 0;

  function countListed(stem: string): number {
    return (prepare('SELECT doc FROM temp.vocabulary WHERE term = ?').pluck().get(stem) as number | undefined) ?? 0;
  }

  function countMatches(word: string): number {
    const sql = 'SELECT count(*) FROM passage_words WHERE passage_words MATCH ?';
    return prepare(sql).pluck().get(matchTerm(word)) as number;
  }

  return {
    count(word) {
      const stem = stemOf(word);
      const known = counts.get(stem);
      if (known !== undefined) return known;
      const isListed = !isSingle(word) && isOfVocabulary.test(stem);
      const count = isListed ? countListed(stem) : countMatches(word);
      if (counts.size >= maxCounts) counts.clear();
      counts.set(stem, count);
      return count;
    },
    readLast() {
      const now = prepare('SELECT n FROM changes').pluck().get();
      if (now === changes) return lastPassage;
      changes = now;
      counts.clear();
      lastPassage = (prepare('SELECT max(n) FROM passages').pluck().get() as number | null) ?? 0;
      return lastPassage;
    },
  };
}
