/** A question as keywords, for services that look for every word of a query. */

const questionWords =
  /\b(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|the|an?|of|in|on|at|to|for|by|with|from|and|or|it|its|there|that|this|many|much)\b/gi;

/** The text without punctuation and question words, at most 300 characters. Without the punctuation alone if nothing else is left. */
export function withoutQuestionWords(text: string): string {
  const bare = text.slice(0, 2_000).replace(/["“”„?!:;()[\]{}~|\\^*<>/]+/g, ' ');
  const short = bare.replace(questionWords, ' ').replace(/\s+/g, ' ').trim();
  return (short === '' ? bare.trim() : short).slice(0, 300);
}

/** The words and numbers of that, lower case, each once, at most `max`: none of them can be an operator of a query language. */
export function keywordsOf(text: string, max: number): string[] {
  const words =
    withoutQuestionWords(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:[-.'’][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(words)].slice(0, max);
}
