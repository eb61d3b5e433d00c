/**
 * Looks up the postings of terms. Small ones come with the first query, which also says how many passages have each term; of the
 * larger ones those are read that are needed, and kept in memory: postings are never changed, only replaced together with their
 * chunk, so what is kept is never wrong.
 */
import { LRUCache } from 'lru-cache';
import type { PostgresPool } from '../../base/postgres/pool.ts';
import { createReadRows } from '../../base/postgres/read-rows.ts';
import { isUnspaced } from '../index/words.ts';
import { type Postings, postingBytes, readPostings, termOf } from './postings.ts';
import type { TermPostings, Totals } from './score-passages.ts';

/** The terms of a query in one state of the index. */
export interface TermLookup extends Totals {
  readonly version: number;
  /** How many passages have the word. */
  count(word: string): number;
  /** The postings of each word, in the order of the words. */
  read(words: readonly string[]): Promise<TermPostings[]>;
}

interface Found {
  readonly chunk: number;
  readonly term: string;
  readonly bytes: number;
  postings: Postings | undefined;
}

/** Postings of so many bytes or less come with the first query; set by hand. */
const maxInlineBytes = 4_096;
/** Of the postings in memory; set by hand: those of the frequent words of a hundred thousand passages. */
const maxCachedBytes = 64 * 1024 * 1024;

/** pg receives bytea in hexadecimal; this is two thirds of that. */
const encoded = `encode(p.data, 'base64')`;

const startsWithin = (parameter: string) =>
  `exists (select 1 from unnest(${parameter}::text[]) as of(prefix) where p.term ^@ of.prefix)`;

/** A function that looks up the words of a query, in any case. Rejects as the pool does. */
export function createTermLookup(pool: PostgresPool): (words: readonly string[]) => Promise<TermLookup> {
  const cache = new LRUCache<string, Postings>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 100,
  });

  const query = createReadRows(pool);

  /** Reads what is not in memory yet. */
  async function fill(found: readonly Found[]): Promise<void> {
    const missing = found.filter((each) => {
      each.postings ??= cache.get(keyOf(each));
      return each.postings === undefined;
    });
    if (missing.length === 0) return;
    const rows = await query(
      `select p.chunk, p.term, ${encoded} as data from unnest($1::int[], $2::text[]) as of(chunk, term)
        join corpus_postings as p on p.chunk = of.chunk and p.term = of.term`,
      [missing.map(({ chunk }) => chunk), missing.map(({ term }) => term)],
    );
    for (const row of rows as Row[]) cache.set(keyOf(row), readPostings(Buffer.from(row.data!, 'base64')));
    // A chunk that was replaced since is missing: the caller finds another version, and looks up again.
    for (const each of missing) each.postings = cache.get(keyOf(each)) ?? new Uint32Array();
  }

  return async (words) => {
    const terms = [...new Set(words.map(termOf))];
    const prefixes = terms.filter(isPrefix);
    const matches = `p.term = any($1)${prefixes.length > 0 ? ` or ${startsWithin('$2')}` : ''}`;
    const rows = (await query(
      `select s.version, s.passages, s.tokens, c.n as chunk, p.term, octet_length(p.data) as bytes,
          case when octet_length(p.data) <= ${maxInlineBytes} then ${encoded} end as data
        from corpus_state as s left join (corpus_chunks as c join corpus_postings as p on p.chunk = c.n and (${matches})) on true`,
      prefixes.length > 0 ? [terms, prefixes] : [terms],
    )) as Row[];
    const { version, passages, tokens } = rows[0]!;
    const byTerm = new Map<string, Found[]>();
    for (const { chunk, term, bytes, data } of rows) {
      if (term === null) continue;
      const found = {
        chunk: chunk!,
        term,
        bytes: bytes!,
        postings: data === null ? undefined : readPostings(Buffer.from(data, 'base64')),
      };
      byTerm.set(term, [...(byTerm.get(term) ?? []), found]);
    }
    const foundOf = (word: string): readonly Found[] => {
      const term = termOf(word);
      if (!isPrefix(term)) return byTerm.get(term) ?? [];
      return [...byTerm].flatMap(([other, found]) => (other.startsWith(term) ? found : []));
    };
    const count = (word: string) => foundOf(word).reduce((sum, { bytes }) => sum + bytes / postingBytes, 0);
    return {
      version,
      passages,
      tokens,
      count,
      async read(wanted) {
        await fill(wanted.flatMap(foundOf));
        return wanted.map((word) => ({ lists: foundOf(word).map(({ postings }) => postings!), count: count(word) }));
      },
    };
  };
}

interface Row {
  readonly version: number;
  readonly passages: number;
  readonly tokens: number;
  readonly chunk: number | null;
  readonly term: string | null;
  readonly bytes: number | null;
  /** In base64. */
  readonly data: string | null;
}

function keyOf({ chunk, term }: { readonly chunk: number | null; readonly term: string | null }): string {
  return `${chunk} ${term}`;
}

/** A single character of a script without spaces matches every pair that begins with it. */
function isPrefix(term: string): boolean {
  return isUnspaced(term) && [...term].length === 1;
}
