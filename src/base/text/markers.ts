/** The markers of an answer, such as `[3]`: the number of the source that a sentence cites. */

/** With the blank before it, and its number as a group. An answer has at most some hundred sources: `[2024]` is a year. */
export const markerPattern = / ?\[(\d{1,3})\]/g;
