/** Passages of new pages in Postgres, with the postings of their words. */
import type { PooledConnection } from '../../../base/postgres/pool.ts';
import { createPostingsBuilder, type PostingsBuilder } from '../postings.ts';

export interface PageWithPassages {
  readonly passages: readonly {
    readonly start: number;
    readonly end: number;
    readonly headings: string;
    readonly text: string;
  }[];
  /** The words of each passage. */
  readonly tokens: readonly number[];
  /** Of its passages by their numbers within the page, which begin at 0. */
  readonly postings: PostingsBuilder;
}

/** Adds the postings of the passages of pages, as a chunk that begins at the passage `first`. */
export async function addPostings(
  { query }: PooledConnection,
  first: number,
  pages: Iterable<PageWithPassages>,
): Promise<void> {
  const postings = createPostingsBuilder();
  let next = first;
  let tokens = 0;
  for (const page of pages) {
    postings.append(next, page.postings);
    next += page.passages.length;
    tokens += page.tokens.reduce((sum, each) => sum + each, 0);
  }
  if (next === first) return;
  const chunk = await query('insert into corpus_chunks (first, last, passages) values ($1, $2, $3) returning n', [
    first,
    next - 1,
    next - first,
  ]);
  const { terms, data } = postings.finish();
  await query('insert into corpus_postings (chunk, term, data) select $1, * from unnest($2::text[], $3::bytea[])', [
    chunk.rows[0].n,
    terms,
    data,
  ]);
  await query('update corpus_state set version = version + 1, passages = passages + $1, tokens = tokens + $2', [
    next - first,
    tokens,
  ]);
}

/** Adds the passages of pages, by the numbers of the pages, which have the order in which their postings were added. */
export async function addPassages(
  { query }: PooledConnection,
  first: number,
  pages: ReadonlyMap<number, PageWithPassages>,
): Promise<void> {
  const rows: [n: number[], page: number[], start: number[], end: number[], tokens: number[]] = [[], [], [], [], []];
  const headings: string[] = [];
  const texts: string[] = [];
  let next = first;
  for (const [page, { passages, tokens }] of pages) {
    for (const [at, passage] of passages.entries()) {
      for (const [column, value] of [next, page, passage.start, passage.end, tokens[at]!].entries())
        rows[column]!.push(value);
      headings.push(passage.headings);
      texts.push(passage.text);
      next += 1;
    }
  }
  if (next === first) return;
  const columns = '$1::int[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[]';
  await query(
    `insert into corpus_passages (n, page, start, "end", tokens, headings, text) select * from unnest(${columns})`,
    [...rows, headings, texts],
  );
}
