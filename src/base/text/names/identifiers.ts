/** Names as only code has them: `queue_full`, `headersTimeout`, `PORT`. */

const identifier =
  /(?<![\p{L}\p{N}_.-])(?:[A-Za-z][a-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+)*)(?![\p{L}\p{N}_])/gu;

/** The distinct identifiers of a text, in order. */
export function identifiersIn(text: string): string[] {
  return [...new Set(text.match(identifier))];
}
