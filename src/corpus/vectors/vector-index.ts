/**
 * What a corpus keeps of vectors: at most one for each passage, all of one space. Those of another space are dropped before the
 * first of a new one is kept, so a search never compares vectors of two models.
 */
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';

/** A search by meaning: of the vector of its text. */
export interface VectorQuery extends CorpusQuery {
  readonly vector: Float32Array;
  readonly space: string;
}

/** A passage without a vector. The same snapshot and start have the same text forever. */
export interface PassageToEmbed {
  /** Its number, for the next call. */
  readonly n: number;
  readonly snapshot: string;
  readonly start: number;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** The vector of a passage; undefined for one that the endpoint refuses, so that it is not asked for again. */
export interface EmbeddedPassage {
  readonly snapshot: string;
  readonly start: number;
  readonly vector: Float32Array | undefined;
}

export interface Nearest {
  readonly passages: Passage[];
  /** The length of the vectors of the query's space; null if there are none. */
  readonly dimensions: number | null;
}

export interface VectorState {
  /** Passages with a vector of the space, or that were refused. */
  readonly done: number;
  readonly total: number;
  /** Their length; null until there is one. */
  readonly dimensions: number | null;
  /** Why vectors cannot be used here, in one sentence; undefined if they can. */
  readonly trouble: string | undefined;
}

/** Who may fill the index: of several processes with the same settings, one. */
export type FillLease = 'mine' | 'other' | 'changed';

export interface VectorReader {
  /**
   * The passages closest in meaning, at most `limit`, closest first; none unless there are vectors of the query's space and
   * length.
   */
  nearest(query: VectorQuery): Nearest;
  /** Up to `limit` passages without a vector, by their numbers, which are above `after`. */
  passagesToEmbed(after: number, limit: number): PassageToEmbed[];
  vectorState(space: string): VectorState;
  /** Up to `limit` vectors, for a copy, of the space of this index. */
  exportVectors(
    after: number,
    limit: number,
  ): { readonly space: string; readonly items: (EmbeddedPassage & { readonly n: number })[] };
}

export interface VectorWriter {
  /** Drops the vectors of every other space. */
  useSpace(space: string): void;
  /** Drops the vectors of this space unless they have `dimensions`. */
  dropOthers(space: string, dimensions: number): void;
  /** Takes or renews the lease to fill the index for `ms`, or gives it back with 0; `changed` if it has another space now. */
  takeLease(space: string, holder: string, ms: number): FillLease;
  /** Has large corpora searched faster from now on, where that needs an index; to be called once all passages have a vector. */
  indexVectors(): void;
  /**
   * Keeps vectors of passages that still exist; false if the index has another space now, or had vectors of another length, which
   * are gone.
   */
  putVectors(space: string, embedded: readonly EmbeddedPassage[]): boolean;
}
