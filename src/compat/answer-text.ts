/** What a search answers as text: clients of OpenAI know no other outcome of a search that has completed. */
import type { Source, StructuredObject, TextResult } from '../../protocol/index.ts';
import type { CompletedEvent } from '../transport/http/await-result.ts';
import { refusalText } from './refusal-text.ts';

/** The text of an answer, the JSON of a structured one, or why there is none. */
export function answerText({ result, evidence }: CompletedEvent): string {
  if (evidence !== undefined) return JSON.stringify(result as StructuredObject);
  const text = result as TextResult;
  return text.answer === '' ? refusalText(text) : text.answer;
}

/** The sources that a text cites, as a list for readers whose client shows no annotations. */
export function sourcesBlock(text: string, sources: readonly Source[]): string {
  const lines = sources
    .filter(({ n }) => text.includes(`[${n}]`))
    .map(({ n, title, url }) => `- [${n}] ${(title || url).replace(/\s+/g, ' ')}: <${url}>`);
  return lines.length === 0 ? '' : `\n\n**Sources**\n\n${lines.join('\n')}`;
}
