/**
 * The prompt of a run: the design's template with the inputs inserted. The template is parsed before any input is
 * inserted, so an input that contains `{{other}}` is plain text. The result stays in parts, which shows a model which words
 * are the author's and which the caller's.
 */
import { readPromptTemplate } from '../../protocol/index.ts';
import type { InputValues } from './read-inputs.ts';

/** `input` is the name of the input that the text came from; without it the text is the author's. */
export interface PromptPart {
  readonly text: string;
  readonly input?: string;
}

/** The parts in the order of the template. An input without a value is an empty text. */
export function fillPrompt(template: string, values: InputValues): PromptPart[] {
  const texts = new Map([...values].map(([name, value]) => [name, asText(value)]));
  return readPromptTemplate(template).pieces.map((piece) =>
    'text' in piece ? piece : { text: texts.get(piece.input) ?? '', input: piece.input },
  );
}

/** UTF-16 code units of the whole prompt, which may be too many to join: a template may repeat a long input. */
export function lengthOf(parts: readonly PromptPart[]): number {
  return parts.reduce((length, { text }) => length + text.length, 0);
}

/** The parts joined to the whole prompt. */
export function textOf(parts: readonly PromptPart[]): string {
  return parts.map(({ text }) => text).join('');
}

/** An input must not break out of its line: each run of control characters and line breaks becomes one space. */
function asText(value: string | number | boolean): string {
  return String(value)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
