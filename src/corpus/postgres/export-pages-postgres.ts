/** Reads what a copy needs from Postgres: the twin of ../export/export-pages.ts. */
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import {
  type CorpusExport,
  type ExportedPage,
  type ExportedPin,
  type ExportRow,
  namesOf,
  type PageName,
  pageOf,
  pinOf,
  toPart,
} from '../export/export-pages.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { digestOf } from './schema.ts';

type Bytes = { readonly text: Buffer };

const snapshot = 's.url, s.title, s.text, s.published_at, s.fetched_at';
/** A page may have a newer title and date than the snapshot of its text. */
const page = 'g.url, g.title, s.text, g.published_at, s.fetched_at';

/** Rejects as `read` does. */
export function createPostgresExport(read: ReadRows): Awaitable<CorpusExport> {
  const decoded = <Row extends ExportRow>(rows: readonly (Omit<Row, 'text'> & Bytes)[]) =>
    rows.map((row) => ({ ...row, text: row.text.toString() }) as unknown as Row);
  return {
    async exportPages(from = '', limit) {
      const sql = `select e.digest as place, e.source, e.key, e.hash, ${page} from corpus_entries as e
        join corpus_pages as g on g.n = e.page join corpus_snapshots as s on s.n = g.snapshot
        where e.digest > $1 order by e.digest limit $2`;
      type Row = ExportRow & ExportedPage;
      return toPart<Row, ExportedPage>(decoded<Row>(await read(sql, [from, limit])), limit, pageOf);
    },
    async exportPins(from = '["", "0"]', limit) {
      const sql = `select json_build_array(c.search, c.snapshot::text)::text as place, c.search, c.ended_at, ${snapshot}
        from corpus_pins as c join corpus_snapshots as s on s.n = c.snapshot
        where (c.search, c.snapshot) > ($1, $2::bigint) order by c.search, c.snapshot limit $3`;
      type Row = ExportRow & ExportedPin;
      return toPart<Row, ExportedPin>(decoded<Row>(await read(sql, [...JSON.parse(from), limit])), limit, pinOf);
    },
    async exportNames(from = '', limit) {
      const sql = `select digest as place, source, key from corpus_entries where digest > $1 order by digest limit $2`;
      const rows: (PageName & { place: string })[] = await read(sql, [from, limit]);
      return namesOf(rows, limit, ({ source, key }) => ({ source, key }));
    },
    async exportCited(from = '', limit) {
      const sql = `select id as place from corpus_snapshots where id > $1 and n in (select snapshot from corpus_pins)
        order by id limit $2`;
      return namesOf<{ place: string }, string>(await read(sql, [from, limit]), limit, ({ place }) => place);
    },
    async countNamed(names) {
      const digests = names.map(({ source, key }) => digestOf(source, key));
      return (await read('select count(*)::int as n from corpus_entries where digest = any($1)', [digests]))[0].n;
    },
    async countSnapshots(ids) {
      return (await read('select count(*)::int as n from corpus_snapshots where id = any($1)', [ids]))[0].n;
    },
  };
}
