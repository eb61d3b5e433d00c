/**
 * What a search answers as text: clients of OpenAI know no other outcome of a search that has completed. And the text that such a
 * client repeats as part of its conversation.
 */
import type { CompletedEvent, Source, StructuredObject, TextResult } from '../../protocol/index.ts';
import { marker } from '../base/text/markers.ts';
import { refusalText } from './refusal-text.ts';

/** The heading of the sources that follow an answer, and the line end after it. */
const sourcesHeading = '\n\n**Sources**\n';

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
  return lines.length === 0 ? '' : `${sourcesHeading}\n${lines.join('\n')}`;
}

/** Code, whose brackets are indices, or a marker; not one directly after a word, as in `list[1][2]`. */
const codeOrMarker = new RegExp(
  String.raw`(\`\`\`[\s\S]*?(?:\`\`\`|$)|\`[^\`\n]*\`)|(?: |(?<!\w(?:${marker}){0,9}))${marker}`,
  'g',
);

/**
 * An answer that a client repeats, without its markers and the list of its sources: a later search must not take the numbers of an
 * earlier one for its own.
 */
export function withoutSources(answer: string): string {
  const text = answer.replace(codeOrMarker, (_, code: string | undefined) => code ?? '');
  const end = text.indexOf(sourcesHeading);
  return end === -1 ? text : text.slice(0, end);
}
