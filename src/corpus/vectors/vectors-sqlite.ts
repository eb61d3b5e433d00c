/**
 * Vectors in the index file. A search compares signs first, in a small table that is read as a whole, and then the closest few
 * hundred by their angle. A passage that goes takes its vector along.
 */
import type { Database } from 'better-sqlite3';
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { both, checkPages, checkReach } from '../index/source-filter.ts';
import { maxPassages } from '../search/limits.ts';
import type { Prepare } from '../sqlite/prepare.ts';
import { fromBytes, toBits, toBytes } from './quantize.ts';
import { loadVectors } from './sqlite-vec.ts';
import type { EmbeddedPassage, PassageToEmbed, VectorReader, VectorState, VectorWriter } from './vector-index.ts';

/** Passages that are compared by their angle; set by hand: ten times what a search wants finds what signs alone confuse. */
const maxCompared = 400;

interface Space {
  readonly space: string;
  readonly dimensions: number | null;
}

export interface NearestParts {
  /** Whether every page is within reach. */
  canReadAll(query: CorpusQuery): boolean;
  /** The columns of a passage, and its joins with a table `found` of passages and distances. */
  readonly columns: string;
  readonly joins: string;
  /** Chooses among the candidates, closest first. */
  choose(rows: readonly unknown[], query: CorpusQuery): Passage[];
}

const readSpace = 'SELECT space, dimensions FROM vector_space';

/** The reader for one connection, into which the extension is loaded with the first search. Throws SQLite's errors. */
export function createVectorReader(database: Database, prepare: Prepare, parts: NearestParts): VectorReader {
  let loading: { readonly trouble: string | undefined } | undefined;
  const trouble = () => {
    loading ??= { trouble: loadVectors(database) };
    return loading.trouble;
  };
  const current = () => prepare(readSpace).get() as Space | undefined;

  return {
    nearest(query) {
      const { vector, limit } = query;
      const known = current();
      const dimensions = known?.space === query.space ? known.dimensions : null;
      if (dimensions !== vector.length || trouble() !== undefined) return { passages: [], dimensions };
      const { only, never } = query.rules;
      const isUnrestricted = only.length === 0 && never.length === 0 && parts.canReadAll(query);
      const check = both(checkPages(query.rules), checkReach(query));
      // The pages come first: their passages are in an index without the texts.
      const within = isUnrestricted
        ? 'passage_signs AS v'
        : `pages AS g CROSS JOIN passages AS p ON p.page = g.n CROSS JOIN passage_signs AS v ON v.passage = p.n WHERE ${check.sql}`;
      const close = `SELECT v.passage AS n FROM ${within}
        ORDER BY vec_distance_hamming(vec_bit(v.bits), vec_bit(?)) LIMIT ${maxCompared}`;
      const compared = `SELECT close.n, vec_distance_cosine(vec_int8(w.vector), vec_int8(?)) AS distance
        FROM (${close}) AS close CROSS JOIN passage_vectors AS w ON w.passage = close.n ORDER BY distance LIMIT ?`;
      const sql = `SELECT 0 AS bm25, false AS titled, ${parts.columns} FROM (${compared}) AS found
        CROSS JOIN passages AS p ON p.n = found.n ${parts.joins} ORDER BY found.distance`;
      const values = isUnrestricted ? [] : check.values;
      const wanted = Math.min(limit, maxPassages);
      const rows = prepare(sql).all(toBytes(vector), ...values, toBits(vector), wanted * 2);
      return { passages: parts.choose(rows, { ...query, limit: wanted }), dimensions };
    },

    passagesToEmbed: (after, limit) =>
      prepare(`SELECT p.n, s.id AS snapshot, p.start, g.title, p.headings, p.text FROM passages AS p
        CROSS JOIN pages AS g ON g.n = p.page CROSS JOIN snapshots AS s ON s.n = g.snapshot
        WHERE p.n > ? AND NOT EXISTS (SELECT 1 FROM passage_vectors WHERE passage = p.n) ORDER BY p.n LIMIT ?`).all(
        after,
        limit,
      ) as PassageToEmbed[],

    vectorState(space) {
      const counted = prepare(
        'SELECT (SELECT count(*) FROM passage_vectors) AS done, (SELECT count(*) FROM passages) AS total',
      ).get() as Pick<VectorState, 'done' | 'total'>;
      const known = current();
      const ours = known?.space === space ? { dimensions: known.dimensions } : { done: 0, dimensions: null };
      return { ...counted, ...ours, trouble: trouble() };
    },

    exportVectors(after, limit) {
      const rows = prepare(`SELECT v.passage AS n, s.id AS snapshot, p.start, v.vector FROM passage_vectors AS v
        CROSS JOIN passages AS p ON p.n = v.passage CROSS JOIN pages AS g ON g.n = p.page
        CROSS JOIN snapshots AS s ON s.n = g.snapshot WHERE v.passage > ? ORDER BY v.passage LIMIT ?`).all(
        after,
        limit,
      ) as { n: number; snapshot: string; start: number; vector: Buffer | null }[];
      const items = rows.map((row) => ({ ...row, vector: row.vector === null ? undefined : fromBytes(row.vector) }));
      return { space: current()?.space ?? '', items };
    },
  };
}

/** The writer for one connection; it needs no extension. Throws SQLite's errors. */
export function createVectorWriter(database: Database, prepare: Prepare): VectorWriter {
  const current = () => prepare(readSpace).get() as Space | undefined;

  function begin(space: string, dimensions: number | null): void {
    prepare('DELETE FROM passage_signs').run();
    prepare('DELETE FROM passage_vectors').run();
    prepare(`INSERT INTO vector_space (one, space, dimensions) VALUES (1, ?, ?)
      ON CONFLICT (one) DO UPDATE SET space = excluded.space, dimensions = excluded.dimensions`).run(space, dimensions);
  }

  function put({ snapshot, start, vector }: EmbeddedPassage): void {
    const passages = prepare(`SELECT p.n FROM snapshots AS s CROSS JOIN pages AS g ON g.snapshot = s.n
      CROSS JOIN passages AS p ON p.page = g.n WHERE s.id = ? AND p.start = ?`)
      .pluck()
      .all(snapshot, start) as number[];
    for (const n of passages) {
      prepare('INSERT OR REPLACE INTO passage_vectors (passage, vector) VALUES (?, ?)').run(
        n,
        vector === undefined ? null : toBytes(vector),
      );
      if (vector !== undefined)
        prepare('INSERT OR REPLACE INTO passage_signs (passage, bits) VALUES (?, ?)').run(n, toBits(vector));
    }
  }

  return {
    useSpace: database.transaction((space: string) => {
      if (current()?.space !== space) begin(space, null);
    }).immediate,

    dropOthers: database.transaction((space: string, dimensions: number) => {
      const known = current();
      if (known?.space === space && known.dimensions !== dimensions) begin(space, null);
    }).immediate,

    // The signs are index enough: docs/scale.md.
    indexVectors: () => {},

    takeLease: database.transaction((space: string, holder: string, ms: number) => {
      if (current()?.space !== space) return 'changed';
      const now = Date.now();
      const taken = prepare(
        // A lease that ends in the far future was taken before the clock was set back.
        `UPDATE vector_space SET holder = ?, until = ?
          WHERE holder IN ('', ?) OR (? > 0 AND (until < ? OR until > ?))`,
      ).run(ms > 0 ? holder : '', now + ms, holder, ms, now, now + 10 * ms);
      return taken.changes > 0 ? 'mine' : 'other';
    }).immediate,

    putVectors: database.transaction((space: string, embedded: readonly EmbeddedPassage[]) => {
      const known = current();
      if (known?.space !== space) return false;
      const length = embedded.find(({ vector }) => vector !== undefined)?.vector?.length;
      const isOther = length !== undefined && known.dimensions !== null && known.dimensions !== length;
      if (length !== undefined && known.dimensions !== length) begin(space, length);
      for (const each of embedded) put(each);
      return !isOther;
    }).immediate,
  };
}
