/** Reads everything that another corpus needs to become a copy of this one, in parts. */
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { PageToIndex } from '../index/read-page-file.ts';
import type { Prepare } from '../sqlite/prepare.ts';

/** A page of a source. */
export interface ExportedPage extends PageToIndex {
  readonly source: string;
}

/** A snapshot that an ended search cites. */
export interface ExportedPin {
  readonly search: string;
  readonly ended_at: string;
  readonly snapshot: Omit<Snapshot, 'id'>;
  readonly fetched_at: string;
}

/** A part of a list, and where the next one begins; without `next` it is the last. */
export interface ExportedPart<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

export interface CorpusExport {
  /** Up to `limit` pages, from where the last part ended. */
  exportPages(from: string | undefined, limit: number): ExportedPart<ExportedPage>;
  exportPins(from: string | undefined, limit: number): ExportedPart<ExportedPin>;
  /** The names of up to `limit` pages of sources, without their texts. */
  exportNames(from: string | undefined, limit: number): ExportedPart<PageName>;
  /** Ids of up to `limit` snapshots that ended searches cite. */
  exportCited(from: string | undefined, limit: number): ExportedPart<string>;
  /** How many of the pages are here, in any version. */
  countNamed(names: readonly PageName[]): number;
  /** How many of the snapshots are here. */
  countSnapshots(ids: readonly string[]): number;
}

/** A page of a source, as its source calls it. */
export interface PageName {
  readonly source: string;
  readonly key: string;
}

/** A row of either list, with its place in the list. */
export interface ExportRow {
  readonly place: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly published_at: string | null;
  readonly fetched_at: string;
}

/** The rows as a part of a list; `limit` is what was asked for, and `item` reads the columns that are not the snapshot's. */
export function toPart<Row extends ExportRow, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Omit<Item, 'snapshot' | 'fetched_at'>,
): ExportedPart<Item> {
  const items = rows.map((row) => {
    const { url, title, text, published_at, fetched_at } = row;
    const snapshot = { url, title, text, ...(published_at === null ? {} : { published_at }) };
    return { ...item(row), snapshot, fetched_at } as Item;
  });
  return { items, ...(rows.length < limit ? {} : { next: rows.at(-1)!.place }) };
}

/** The parts for one connection to the index file; throw SQLite's errors. */
export function createExport(prepare: Prepare): CorpusExport {
  const snapshot = 's.url, s.title, s.text, s.published_at, s.fetched_at';
  // A page may have a newer title and date than the snapshot of its text.
  const page = 'g.url, g.title, s.text, g.published_at, s.fetched_at';
  const after = (from: string | undefined) => (from === undefined ? ['', ''] : (JSON.parse(from) as string[]));
  return {
    exportPages(from, limit) {
      const sql = `SELECT json_array(e.source, e.key) AS place, e.source, e.key, e.hash, ${page} FROM entries AS e
        JOIN pages AS g ON g.n = e.page JOIN snapshots AS s ON s.n = g.snapshot
        WHERE (e.source, e.key) > (?, ?) ORDER BY e.source, e.key LIMIT ?`;
      const rows = prepare(sql).all(...after(from), limit) as (ExportRow & ExportedPage)[];
      return toPart<ExportRow & ExportedPage, ExportedPage>(rows, limit, pageOf);
    },
    exportPins(from, limit) {
      const sql = `SELECT json_array(c.search, s.id) AS place, c.search, c.ended_at, ${snapshot} FROM cited AS c
        JOIN snapshots AS s ON s.n = c.snapshot WHERE (c.search, s.id) > (?, ?) ORDER BY c.search, s.id LIMIT ?`;
      const rows = prepare(sql).all(...after(from), limit) as (ExportRow & ExportedPin)[];
      return toPart<ExportRow & ExportedPin, ExportedPin>(rows, limit, pinOf);
    },
    exportNames(from, limit) {
      const sql = `SELECT json_array(source, key) AS place, source, key FROM entries
        WHERE (source, key) > (?, ?) ORDER BY source, key LIMIT ?`;
      const rows = prepare(sql).all(...after(from), limit) as (PageName & { place: string })[];
      return namesOf(rows, limit, ({ source, key }) => ({ source, key }));
    },
    exportCited(from = '', limit) {
      const sql = `SELECT id AS place FROM snapshots WHERE id > ? AND n IN (SELECT snapshot FROM cited)
        ORDER BY id LIMIT ?`;
      return namesOf(prepare(sql).all(from, limit) as { place: string }[], limit, ({ place }) => place);
    },
    countNamed(names) {
      const sql = `SELECT count(*) FROM json_each(?) AS j
        JOIN entries AS e ON e.source = j.value ->> 0 AND e.key = j.value ->> 1`;
      const listed = JSON.stringify(names.map(({ source, key }) => [source, key]));
      return prepare(sql).pluck().get(listed) as number;
    },
    countSnapshots(ids) {
      const sql = 'SELECT count(*) FROM snapshots WHERE id IN (SELECT value FROM json_each(?))';
      return prepare(sql).pluck().get(JSON.stringify(ids)) as number;
    },
  };
}

/** A part of a list of names, from rows with their places in the list. */
export function namesOf<Row extends { readonly place: string }, Name>(
  rows: readonly Row[],
  limit: number,
  name: (row: Row) => Name,
): ExportedPart<Name> {
  return { items: rows.map(name), ...(rows.length < limit ? {} : { next: rows.at(-1)!.place }) };
}

/** What a page has besides its snapshot. */
export function pageOf({ source, key, hash }: ExportedPage): Pick<ExportedPage, 'source' | 'key' | 'hash'> {
  return { source, key, hash };
}

/** What a pin has besides its snapshot. */
export function pinOf({ search, ended_at }: ExportedPin): Pick<ExportedPin, 'search' | 'ended_at'> {
  return { search, ended_at };
}
