/** The length of texts for a model whose tokenizer is not known here. */

/**
 * Tokens of a character: English has about four characters a token, other scripts and code fewer. Set by hand, on the safe side.
 */
const tokensOfAscii = 0.4;
const tokensOfOther = 1;

/** Characters of a token in English, on average: for endpoints that do not report their usage. */
const charactersPerToken = 4;

/** About how many tokens the texts have together. */
export function estimateTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / charactersPerToken);
}

/** The beginning of the text that has at most about `tokens` tokens. Linear, and never cuts a character in two. */
export function cutToContext(text: string, tokens: number): string {
  if (text.length * tokensOfOther <= tokens) return text;
  let used = 0;
  for (let at = 0; at < text.length; at += 1) {
    used += text.charCodeAt(at) < 128 ? tokensOfAscii : tokensOfOther;
    if (used > tokens) return text.slice(0, at).toWellFormed();
  }
  return text;
}
