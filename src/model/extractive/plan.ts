/**
 * Search queries for a prompt: the prompt itself without what it says about the form of the answer, and the parts of a
 * question that asks several things.
 */
import { cleanPrompt } from './analyse.ts';

const maxQueries = 4;
const maxCharacters = 1000;

/** At least one query, the whole question first. */
export function planQueries(prompt: string): string[] {
  const text = cleanPrompt(prompt);
  const parts = text
    .split(/(?<=\?)\s+|;\s+|,?\s+and (?=(?:who|what|when|where|which|how|why)\b)/i)
    .map((part) => part.trim())
    .filter((part) => part.split(/\s+/).length >= 3);
  const queries = parts.length > 1 ? [text, ...parts] : [text];
  return [...new Set(queries.map((query) => query.slice(0, maxCharacters)))].slice(0, maxQueries);
}
