/** Questions that ask for two things: "Who designed the tower, and when was it opened?" */
import { splitContext } from './context.ts';

/** Where a further part begins: "and" or a new sentence before a word that asks. */
const nextPart =
  /(?:[?;]\s+(?:(?:and|und|et|y|e|en)\s+)?|,?\s+(?:and|und|et|y|e|en)\s+[¿]?)(?=(?:who|whom|whose|what|which|when|where|why|how|wer|wem|wen|was|welche[mnrs]?|wann|wo|wohin|warum|wie|bis wann|ab wann|qui|que|quel(?:le)?s?|quand|où|pourquoi|comment|combien|à quelle|quién|qué|cuál(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|chi|cosa|qual[ei]|quando|dove|come|quant[oiae]|wie|wat|welke?|wanneer|waar|hoe|hoeveel|quem|quanto|onde|como)(?!\p{L}))/giu;
/** Words of a part; "when and where" asks for one sentence. Set by hand. */
const minWords = 3;
/** Parts that are answered; the rest of a questionnaire is left out. Set by hand. */
const maxParts = 3;

/** A part, and the first part as its context: "it" may be what that is about. */
export interface QuestionPart {
  readonly part: string;
  readonly context: string;
}

/** The parts of a question after the first; empty for a question with one part, and for one that needs another as its context. */
export function splitQuestion(prompt: string): QuestionPart[] {
  const [first = '', ...others] = prompt.split(nextPart);
  if (!isWhole(first) || splitContext(prompt)[1] !== '') return [];
  return others
    .filter(isWhole)
    .slice(0, maxParts - 1)
    .map((part) => ({ part: part.trim(), context: first.trim() }));
}

function isWhole(part: string): boolean {
  return part.trim().split(/\s+/).length >= minWords;
}
