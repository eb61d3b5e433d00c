/**
 * Generated pages in the tables of the corpus in Postgres by COPY, because the product's own way takes an hour for a million
 * passages: it splits, stems and counts every text. The first pages are split and counted by the product too, and compared.
 */
import { once } from 'node:events';
import pg from 'pg';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { placeOf } from '../../src/corpus/index/source-filter.ts';
import { splitPassages } from '../../src/corpus/index/split-passages.ts';
import { titleKey } from '../../src/corpus/index/title-key.ts';
import { createPostingsBuilder, termOf } from '../../src/corpus/postgres/postings.ts';
import { digestOf } from '../../src/corpus/postgres/schema.ts';
import type { GeneratedPage, PageGenerator } from './generated-pages.ts';

const source = 'folder:/generated';
/** Pages of a chunk of postings: as many passages as the chunks that merging ends with have, or more. */
const pagesOfChunk = 26_000;
const comparedPages = 20;

export interface PostgresFiller {
  /** Adds pages with at least this many passages. */
  fill(passages: number): Promise<void>;
  close(): Promise<void>;
}

/** Fills the database, which has been migrated. Rejects when the pages are not split or counted as by the product. */
export async function createPostgresFiller(
  url: string,
  generator: PageGenerator,
  say: (line: string) => void,
): Promise<PostgresFiller> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { terms, termOfWord } = termsOf(generator.words);
  let pagesMade = 0;

  async function addChunk(count: number): Promise<void> {
    const { rows } = await client.query(`select (select next_passage from corpus_state),
      (select coalesce(max(n), 0)::int from corpus_pages) as page, (select coalesce(max(n), 0)::int from corpus_snapshots) as snapshot,
      (select coalesce(max(n), 0)::int + 1 from corpus_chunks) as chunk`);
    const { next_passage: first, page, snapshot, chunk } = rows[0];
    const pages = Array.from({ length: count }, () => generator.next());
    if (pagesMade === 0) compare(pages.slice(0, comparedPages), generator.words);
    const urls = pages.map((_, at) => `https://generated.example/${pagesMade + at}`);
    pagesMade += count;
    const ids = pages.map(({ text }, at) => snapshotId(urls[at]!, text));
    const now = new Date().toISOString();
    await client.query('begin');
    await copy(client, 'corpus_snapshots (n, id, url, title, fetched_at, text)', function* () {
      for (const [at, { title, text }] of pages.entries())
        yield [int8(snapshot + at + 1), utf8(ids[at]!), utf8(urls[at]!), utf8(title), utf8(now), utf8(text)];
    });
    await copy(
      client,
      'corpus_pages (n, digest, url, snapshot, snapshot_id, title, title_key, site, path, owner)',
      function* () {
        for (const [at, { title }] of pages.entries()) {
          const { site, path } = placeOf(urls[at]!)!;
          const texts = [ids[at]!, title, titleKey(title), site, path, ''].map(utf8);
          yield [int4(page + at + 1), utf8(digestOf(urls[at]!)), utf8(urls[at]!), int8(snapshot + at + 1), ...texts];
        }
      },
    );
    await copy(client, 'corpus_entries (digest, source, key, hash, page)', function* () {
      for (const at of pages.keys()) {
        const [key, digest] = [utf8(urls[at]!), utf8(digestOf(source, urls[at]!))];
        yield [digest, utf8(source), key, utf8(ids[at]!), int4(page + at + 1)];
      }
    });
    let n = first - 1;
    let tokens = 0;
    await copy(client, 'corpus_passages (n, page, start, "end", tokens, headings, text)', function* () {
      for (const [at, { text, passages }] of pages.entries()) {
        for (const { start, end, headings, words } of passages) {
          n += 1;
          const length = lengthOf(words);
          tokens += length;
          const numbers = [n, page + at + 1, start, end, length].map(int4);
          yield [...numbers, utf8(headings), utf8(text.slice(start, end))];
        }
      }
    });
    await client.query(
      'insert into corpus_chunks (n, first, last, passages) overriding system value values ($1, $2, $3, $4)',
      [chunk, first, n, n - first + 1],
    );
    await copy(client, 'corpus_postings (chunk, term, data)', function* () {
      const { starts, data } = countPostings(pages, first, terms.length, termOfWord);
      for (const [at, term] of terms.entries()) {
        const [from, to] = [starts[at]!, starts[at + 1]!];
        if (to > from) yield [int4(chunk), utf8(term), data.subarray(from * 8, to * 8)];
      }
    });
    await client.query(
      'update corpus_state set version = version + 1, next_passage = $1, passages = passages + $2, tokens = tokens + $3',
      [n + 1, n - first + 1, tokens],
    );
    for (const table of ['pages', 'snapshots', 'chunks'])
      await client.query(
        `select setval(pg_get_serial_sequence('corpus_${table}', 'n'), (select max(n) from corpus_${table}))`,
      );
    await client.query('commit');
    // As the product does after merging.
    for (const table of ['chunks', 'postings', 'passages', 'pages']) await client.query(`analyze corpus_${table}`);
  }

  return {
    async fill(passages) {
      const begun = performance.now();
      for (let left = Math.ceil(passages / 10); left > 0; left -= pagesOfChunk) {
        await addChunk(Math.min(left, pagesOfChunk));
        say(`${pagesMade * 10} generated passages after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      }
    },
    close: () => client.end(),
  };
}

/** All different terms in byte order, and the index among them of each word. */
function termsOf(words: readonly string[]): { readonly terms: string[]; readonly termOfWord: Int32Array } {
  const spelt = words.map(termOf);
  const terms = [...new Set(spelt)].sort();
  const index = new Map(terms.map((term, at) => [term, at]));
  return { terms, termOfWord: Int32Array.from(spelt, (term) => index.get(term)!) };
}

/** Words of a passage with its title once. */
const lengthOf = (words: readonly number[]) => words.length - 3;

/** The postings of all terms one after the other, in the form of src/corpus/postgres/postings.ts, and where each begins. */
function countPostings(pages: readonly GeneratedPage[], first: number, size: number, termOfWord: Int32Array) {
  const starts = new Uint32Array(size + 1);
  const visit = (each: (term: number, passage: number, packed: number) => void) => {
    let n = first;
    for (const { passages } of pages) {
      for (const { words } of passages) {
        const sorted = Int32Array.from(words, (word) => termOfWord[word]!).sort();
        for (let from = 0; from < sorted.length; ) {
          let to = from + 1;
          while (sorted[to] === sorted[from]) to += 1;
          each(sorted[from]!, n, lengthOf(words) * 0x10000 + to - from);
          from = to;
        }
        n += 1;
      }
    }
  };
  visit((term) => {
    starts[term + 1]! += 1;
  });
  for (let at = 1; at <= size; at += 1) starts[at]! += starts[at - 1]!;
  const next = starts.slice();
  const numbers = new Uint32Array(starts[size]! * 2);
  visit((term, passage, packed) => {
    const at = next[term]!++ * 2;
    numbers[at] = passage;
    numbers[at + 1] = packed;
  });
  return { starts, data: Buffer.from(numbers.buffer) };
}

function compare(pages: readonly GeneratedPage[], words: readonly string[]): void {
  const builder = createPostingsBuilder();
  let n = 0;
  for (const { title, text, passages } of pages) {
    const split = splitPassages(text);
    const spans = passages.map(({ start, end, headings }) => ({ start, end, headings }));
    if (JSON.stringify(split) !== JSON.stringify(spans)) throw new Error('expected passages as the corpus splits them');
    for (const { start, end, headings } of split) builder.add(++n, { title, headings, text: text.slice(start, end) });
  }
  const { terms: all, termOfWord } = termsOf(words);
  const { starts, data } = countPostings(pages, 1, all.length, termOfWord);
  const { terms, data: expected } = builder.finish();
  const ofTerm = new Map(terms.map((term, at) => [term, expected[at]!]));
  for (const [at, term] of all.entries()) {
    const own = data.subarray(starts[at]! * 8, starts[at + 1]! * 8);
    if (!own.equals(ofTerm.get(term) ?? Buffer.alloc(0))) throw new Error(`expected the corpus's postings of ${term}`);
  }
}

const utf8 = (text: string) => Buffer.from(text);

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** Bytes sent at a time. */
const batch = 256 * 1024;

/** The parts of pg that its types leave out. */
interface CopyConnection {
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean };
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Copies rows in the binary format, each as its fields. */
function copy(client: pg.Client, into: string, rows: () => Iterable<readonly Buffer[]>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const send = async (connection: CopyConnection) => {
      let waiting: Buffer[] = [header];
      let bytes = 0;
      for (const row of rows()) {
        const count = Buffer.alloc(2);
        count.writeInt16BE(row.length);
        waiting.push(count);
        for (const field of row) {
          waiting.push(int4(field.length), field);
          bytes += field.length;
        }
        if (bytes < batch) continue;
        connection.sendCopyFromChunk(Buffer.concat(waiting));
        waiting = [];
        bytes = 0;
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.sendCopyFromChunk(Buffer.concat([...waiting, Buffer.from([0xff, 0xff])]));
      connection.endCopyFrom();
    };
    const query = {
      submit: (connection: CopyConnection) => connection.query(`copy ${into} from stdin (format binary)`),
      handleCopyInResponse: (connection: CopyConnection) =>
        void send(connection).catch((error) => connection.sendCopyFail(String(error))),
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
      },
      handleReadyForQuery: () => (failure === undefined ? resolve() : reject(failure)),
    };
    client.query(query as unknown as pg.Submittable);
  });
}
