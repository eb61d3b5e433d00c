/** Searching for words within text columns. */
import { type RawBuilder, sql } from 'kysely';

/** Whether the text, a column or an expression of this code, contains the word as it is. */
export function containing(text: string, word: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(text)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
}
