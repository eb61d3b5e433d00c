/** What the parsers of markers share: the place in a line where a marker may begin, and what they found there. */

/** What is known of the answer so far. Updated while markers are found. */
export interface MarkerStyle {
  /** How many pieces of evidence there are. */
  readonly known: number;
  /** A marker in brackets was found: parentheses are not markers then. */
  hasBrackets: boolean;
  /** A marker like "#2" was found after a sentence. */
  hasHashes: boolean;
  /** The last number of an enumeration in parentheses; 0 without one. */
  enumerated: number;
}

/** The text around a place in a line. */
export interface Place {
  readonly line: string;
  readonly at: number;
  /** The line up to here, including the part already sent. */
  readonly before: string;
  readonly isWhole: boolean;
  readonly afterMarker: boolean;
  readonly style: MarkerStyle;
  /** The emphasis around it, which closes after it: `**`. */
  readonly closing?: string;
}

/** Where a marker ends in the line, and the numbers that it names. */
export interface MarkedNumbers {
  readonly end: number;
  readonly numbers: readonly number[];
}

/** A marker that ends before `end`; `more` if that depends on text to come; undefined if there is none. */
export type Parsed = MarkedNumbers | 'more' | undefined;
