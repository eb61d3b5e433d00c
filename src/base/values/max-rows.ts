/** The longest list of a structured answer. */

/** Elements of an array; set by hand. */
export const maxRows = 100;
