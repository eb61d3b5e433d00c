/** What the cells of tables have besides names. */

/** A number, an amount or a date, as tables show them. */
export const isValue = /^[^\p{L}\p{N}]{0,3}\d[\d\s.,:'’/-]*[^\p{L}\p{N}]{0,3}\p{L}{0,3}$/u;
/** A year, which may be the name of a column. */
export const isYear = /^(?:19|20)\d\d$/;
