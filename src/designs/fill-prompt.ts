/**
 * The prompt of a run: the design's template with the inputs in their places. The template is taken apart before any
 * input is looked at and never read again, so an input that holds `{{other}}` holds just that. The result stays in parts:
 * whoever shows it to a model knows which words are the author's and which a caller's.
 */
import { readPromptTemplate } from '../../protocol/index.ts';
import type { InputValues } from './read-inputs.ts';

/** `input` names the input that the text came from; without it the text is the author's. */
export interface PromptPart {
  readonly text: string;
  readonly input?: string;
}

export function fillPrompt(template: string, values: InputValues): PromptPart[] {
  return readPromptTemplate(template).pieces.map((piece) =>
    'text' in piece ? piece : { text: asText(values.get(piece.input)), input: piece.input },
  );
}

/** The whole prompt. */
export function textOf(parts: readonly PromptPart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** An input stays within its line: control characters and breaks of any kind are a space each run of them. */
function asText(value: string | number | boolean | undefined): string {
  return String(value ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
