/**
 * The prompt of a designed API: text with `{{name}}` where an input goes. It is taken apart once, before any input is
 * known; what an input holds is never read as template, whatever it looks like.
 */
import { preview } from './preview.ts';

/** Names of inputs begin with a letter, so that none can be mistaken for a field that every object has. */
export const inputNamePattern = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

/** A piece of a prompt: text of its author, or the place of an input. */
export type TemplatePiece = { readonly text: string } | { readonly input: string };

export interface PromptTemplate {
  /** In their order; no empty text. */
  readonly pieces: readonly TemplatePiece[];
  /** What is wrong, "expected …; got …"; pieces are then not to be used. */
  readonly faults: readonly string[];
}

/** Spaces within the braces are allowed. A brace pair that names nothing is a fault: it would stay in the prompt as it is. */
export function readPromptTemplate(prompt: string): PromptTemplate {
  const pieces: TemplatePiece[] = [];
  const faults: string[] = [];
  const add = (text: string) => {
    if (text === '') return;
    const stray = /\{\{|\}\}/.exec(text);
    if (stray !== null) faults.push(`${expected}; got ${preview(text.slice(stray.index))}`);
    pieces.push({ text });
  };
  let end = 0;
  for (const match of prompt.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const input = match[1]!.trim();
    add(prompt.slice(end, match.index));
    end = match.index + match[0].length;
    if (inputNamePattern.test(input)) pieces.push({ input });
    else faults.push(`${expected}; got ${preview(match[0])}`);
  }
  add(prompt.slice(end));
  return { pieces, faults };
}

const expected = 'expected {{name}} with the name of an input: a letter, then letters, digits or "_", at most 64';

/** The names of the inputs that a prompt asks for, each once. */
export function inputsIn({ pieces }: PromptTemplate): string[] {
  return [...new Set(pieces.flatMap((piece) => ('input' in piece ? [piece.input] : [])))];
}
