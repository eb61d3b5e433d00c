/** Questions that ask for two things: "Who designed the tower, and when was it opened?" */

/** Where a further part begins: "and" or a new sentence before a word that asks. */
const nextPart = /(?:[?;]\s+(?:and\s+)?|,?\s+and\s+)(?=(?:who|whom|whose|what|which|when|where|why|how)\b)/gi;
/** Words of a part; "when and where" asks for one sentence. Set by hand. */
const minWords = 3;
/** Parts that are answered; the rest of a questionnaire is left out. Set by hand. */
const maxParts = 3;

/**
 * The parts of a question after the first, each followed by the first as its context: a part may say "it". Empty for a
 * question with one part.
 */
export function splitQuestion(prompt: string): string[] {
  const [first = '', ...others] = prompt.split(nextPart);
  if (!isWhole(first)) return [];
  return others
    .filter(isWhole)
    .slice(0, maxParts - 1)
    .map((part) => `${part.trim()}\n\n${first.trim()}`);
}

function isWhole(part: string): boolean {
  return part.trim().split(/\s+/).length >= minWords;
}
