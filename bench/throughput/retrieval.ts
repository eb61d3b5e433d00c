/** What a peer that only finds passages is given and returns; each is started by retrieval-process.ts. */

export interface IndexedPassage {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/** The passages as `POST /v1/search` returns them for `{"prompt": …}`. */
export interface Retrieved {
  readonly passages: readonly Omit<IndexedPassage, 'id'>[];
}

/** How many passages each returns. */
export const retrievedPassages = 10;

export interface Retrieval {
  readonly url: string;
  close(): unknown;
}

/** Opens the index file, or an index of its own of the same passages. */
export type StartRetrieval = (index: string, passages: () => readonly IndexedPassage[]) => Promise<Retrieval>;
