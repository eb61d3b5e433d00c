/**
 * What readers and editors note in the text of a page, as in an encyclopedia: "[3]", "[citation needed]", "[dubious – discuss]". The
 * source of a regular expression for the inside of the brackets, without numbers; for the flag `i`.
 */
export const editorsMarks = String.raw`(?:note|nb|n) \d{1,3}|(?:(?:full|better|additional) )?(?:citations?|clarification|page|quotation|attribution|verification|sources?) needed|(?:who|when|where|which|why|how|by whom|according to whom|unreliable source|original research)\?|(?:dubious|disputed) [–-] discuss|not in citation given|failed verification|update`;
