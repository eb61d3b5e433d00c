/** Cuts a text to the context of a model, whose tokenizer is not known here. Linear, and never in the middle of a character. */

/** Tokens of a character: English has about four characters a token, other scripts and code fewer. Set by hand, on the safe side. */
const tokensOfAscii = 0.4;
const tokensOfOther = 1;

/** The beginning of the text that has at most about `tokens` tokens. */
export function cutToContext(text: string, tokens: number): string {
  if (text.length * tokensOfOther <= tokens) return text;
  let used = 0;
  for (let at = 0; at < text.length; at += 1) {
    used += text.charCodeAt(at) < 128 ? tokensOfAscii : tokensOfOther;
    if (used > tokens) return text.slice(0, at).toWellFormed();
  }
  return text;
}
