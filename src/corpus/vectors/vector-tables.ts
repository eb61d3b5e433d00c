/** The tables of vectors in the index file. A vector is NULL for a passage that the endpoint refuses. */

/** SQL; `vector_space` has at most one row: whose vectors they are, and which process fills them until when. */
export const createVectorTables = `
  CREATE TABLE passage_vectors (
    passage INTEGER PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
    vector BLOB
  );
  CREATE TABLE passage_signs (
    passage INTEGER PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
    bits BLOB NOT NULL
  );
  CREATE TABLE vector_space (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    space TEXT NOT NULL,
    dimensions INTEGER,
    holder TEXT NOT NULL DEFAULT '',
    until INTEGER NOT NULL DEFAULT 0
  );
`;
