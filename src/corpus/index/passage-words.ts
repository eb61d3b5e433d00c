/** The words of passages in the full-text index of the index file, which keeps no text of its own. */
import type { Database } from 'better-sqlite3';
import { initialsIn } from '../../base/text/initials.ts';
import { createPrepare, type Prepare } from '../sqlite/prepare.ts';
import { hasFoldedLetters, wordsToIndex } from './words.ts';

/** The words to index for the title of a page, for each of its passages. */
export function titleWords(title: string): string {
  return [wordsToIndex(title), ...initialsIn(title)].join(' ');
}

/** Indexes a passage; `title` is what `titleWords` returned. */
export function addWords(
  prepare: Prepare,
  { n, title, headings, text }: { n: number | bigint; title: string; headings: string; text: string },
): void {
  prepare('INSERT INTO passage_words (rowid, title, headings, body) VALUES (?, ?, ?, ?)').run(
    n,
    title,
    wordsToIndex(headings),
    wordsToIndex(text),
  );
}

/** Passages that are read at a time; set by hand. */
const batch = 1_000;

interface StoredPassage {
  readonly n: number;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** A migration that reindexes the passages whose letters were indexed with their accents. */
export function foldIndexedWords(database: Database): void {
  database.function('has_folded_letters', (text) => (hasFoldedLetters(String(text)) ? 1 : 0));
  const prepare = createPrepare(database);
  const read = prepare(`SELECT p.n, g.title, p.headings, p.text FROM passages AS p JOIN pages AS g ON g.n = p.page
    WHERE p.n > ? AND (has_folded_letters(p.text) OR has_folded_letters(p.headings) OR has_folded_letters(g.title))
    ORDER BY p.n LIMIT ${batch}`);
  for (let last = 0, rows: StoredPassage[]; ; last = rows.at(-1)!.n) {
    rows = read.all(last) as StoredPassage[];
    for (const row of rows) {
      prepare('DELETE FROM passage_words WHERE rowid = ?').run(row.n);
      addWords(prepare, { ...row, title: titleWords(row.title) });
    }
    if (rows.length < batch) return;
  }
}
