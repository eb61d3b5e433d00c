/**
 * Looks up the postings of terms. Small ones come with the first query, which also says how many passages have each term;
 * of the larger ones, those that are needed are read and kept in memory: postings are never changed, only replaced together
 * with their chunk, so what is kept is never wrong.
 */
import { LRUCache } from 'lru-cache';
import type { PostgresPool } from '../../base/postgres/pool.ts';
import { createReadRows } from '../../base/postgres/read-rows.ts';
import { isSingle } from '../index/words.ts';
import { mergePostings, type Postings, postingBytes, readPostings, termOf, unfoldedTermOf } from './postings.ts';
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

/** Postings of at most this many bytes come with the first query; set by hand. */
const maxInlineBytes = 4_096;
/** Max. bytes of the postings in memory: those of the frequent words of a hundred thousand passages. Set by hand. */
const maxCachedBytes = 64 * 1024 * 1024;

/**
 * Characters of a query that match every pair that begins with them, of which all postings are read; others match only the ends of
 * runs. Set by hand: a query has one or two, unless somebody wants the whole index to be read.
 */
const maxSingles = 8;

/** pg receives bytea in hexadecimal; this is two thirds of that. */
const encoded = `encode(p.data, 'base64')`;

/** The chunks that have some terms: all of $1, which are looked up by the primary key. */
const exact = `select c.n as chunk, p.term, octet_length(p.data) as bytes,
    case when octet_length(p.data) <= ${maxInlineBytes} then ${encoded} end as data
  from corpus_chunks as c join corpus_postings as p on p.chunk = c.n and p.term = any($1)`;
/** The terms that begin with each of $2, and are before $3: by the primary key of each chunk, which the planner would not choose. */
const beginning = `select c.n, of.term, octet_length(p.data), ${encoded}
  from unnest($2::text[], $3::text[]) as of(term, after) cross join corpus_chunks as c cross join lateral (
    select data from corpus_postings where chunk = c.n and term >= of.term collate "C" and term < of.after collate "C" offset 0
  ) as p`;

/** A function that looks up the words of a query, in any case. Rejects as the pool does. `maxBytes` are kept in memory. */
export function createTermLookup(
  pool: PostgresPool,
  maxBytes = maxCachedBytes,
): (words: readonly string[]) => Promise<TermLookup> {
  const cache = new LRUCache<string, Postings>({
    maxSize: maxBytes,
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
    // Not all of them need to fit into the cache.
    const read = new Map((rows as Row[]).map((row) => [keyOf(row), readPostings(Buffer.from(row.data!, 'base64'))]));
    for (const [key, postings] of read) cache.set(key, postings);
    // A chunk that was replaced since is missing: the caller finds another version, and looks up again.
    for (const each of missing) each.postings = read.get(keyOf(each)) ?? new Uint32Array();
  }

  return async (words) => {
    const singles = [...new Set(words.filter(isSingle))].slice(0, maxSingles);
    const terms = [...new Set(words.flatMap((word) => (singles.includes(word) ? [] : termsOf(word))))];
    const rows = (await query(
      `select s.version, s.passages, s.tokens, f.chunk, f.term, f.bytes, f.data from corpus_state as s
        left join (${singles.length > 0 ? `${exact} union all ${beginning}` : exact}) as f on true`,
      singles.length > 0 ? [terms, singles, singles.map(after)] : [terms],
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
    for (const term of singles) {
      const postings = mergePostings((byTerm.get(term) ?? []).map((found) => found.postings!));
      byTerm.set(term, [{ chunk: 0, term, bytes: postings.byteLength, postings }]);
    }
    const foundOf = (word: string): readonly Found[] => termsOf(word).flatMap((term) => byTerm.get(term) ?? []);
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

/** The term of a word, and the one that it had in an index made before letters such as "ß" were folded. */
function termsOf(word: string): readonly string[] {
  const term = termOf(word);
  return isSingle(word) || /^[a-z0-9]*$/.test(word) ? [term] : [...new Set([term, unfoldedTermOf(word)])];
}

/** A bound above every term that begins with the character. */
function after(character: string): string {
  return String.fromCodePoint(character.codePointAt(0)! + 1);
}
