/** A value that a statement proposes for a field. */

export interface Proposal {
  readonly value: string | number | boolean;
  /** UTF-16 offsets into the statement's text. */
  readonly start: number;
  readonly end: number;
  /** Higher is better; about 0 to 1.5. */
  readonly score: number;
}
