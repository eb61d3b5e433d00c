/**
 * The markers of an answer, such as `[3]`: the number of the source that a sentence cites. And the marks of references that the text of
 * a page has itself.
 */

/** The source of a pattern for one marker. An answer has at most some hundred sources: `[2024]` is a year. */
export const marker = String.raw`\[\d{1,3}\]`;

/** With the blank before it, and its number as a group. */
export const markerPattern = / ?\[(\d{1,3})\]/g;

/**
 * What readers and editors note in the text of a page, as in an encyclopedia: "[citation needed]", "[dubious – discuss]"; the inside of
 * the brackets.
 */
const editorsMarks = String.raw`(?:note|nb|n) \d{1,3}|(?:(?:full|better|additional) )?(?:citations?|clarification|page|quotation|attribution|verification|sources?) needed|(?:who|when|where|which|why|how|by whom|according to whom|unreliable source|original research)\?|(?:dubious|disputed) [–-] discuss|not in citation given|failed verification|update`;

/**
 * The source of a pattern, for the flag `i`, for one mark of a page: the number or the letter of a note, "[3]", "[4–6]", "[b]", "[^name]",
 * or what an editor notes. Its brackets may be escaped, as in Markdown.
 */
export const referenceMark = String.raw`\\?\[(?:\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,40}|[a-z]|\^[^\s\]]{1,40}|${editorsMarks})\\?\]`;
