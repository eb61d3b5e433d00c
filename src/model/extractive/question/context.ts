/**
 * A question that cannot be understood by itself, with the one before it as its context: "and a half one?" after "What does a full plot
 * cost?". They are one prompt, so that whatever reads a question reads both; what is asked for is what the first of them asks.
 */
import { questionWords } from './question-words.ts';

/** Between the two; a blank to whatever knows nothing of it. No keyboard types it. */
const mark = '\u2028';

/** "and for children", "what about a cat": what is asked of it is what was asked before. */
const elliptical =
  /^[^\p{L}\p{N}]*(?:and|or|but|what about|how about|und|oder|et|ou|y(?! a-t-il)|o|e|en(?! quel))(?!\p{L})/iu;
/** Without "come", "como" and "hoe", which are verbs, "as" and a tool. */
const asks = new RegExp(
  String.raw`(?<!\p{L})(?:${questionWords('who', 'which', 'when', 'where', 'why')}|how|wie|comment|combien|cómo|cuánt[oa]s?|quant[oiae]|hoeveel|does|do|is|are|can|may|will|darf|kann|ist|sind)(?!\p{L})`,
  'iu',
);

/** Whether a question only replaces something of the one before it. */
export function isElliptical(question: string): boolean {
  return elliptical.test(question) && !asks.test(question.replace(/\b(?:how|what) about\b/i, ''));
}

/** A prompt of both. */
export function withContext(question: string, before: string): string {
  return `${isElliptical(question) ? question.replace(/[?\s]+$/, '') : question}${mark}${before}`;
}

/** The question of a prompt without its context, and the context, '' where it has none. */
export function splitContext(prompt: string): readonly [question: string, context: string] {
  const at = prompt.indexOf(mark);
  return at === -1 ? [prompt, ''] : [prompt.slice(0, at), prompt.slice(at + 1)];
}
