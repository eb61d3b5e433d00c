/**
 * The prompt of a designed API: text with `{{name}}` in place of each input. It is parsed once, before any input is
 * known, so the content of an input is never parsed as a template, whatever it looks like.
 */
import { preview } from './preview.ts';

/**
 * Input names start with a letter, so that none collides with a property that every object has, such as `__proto__`.
 */
export const inputNamePattern = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

/** A prompt of braces alone would have thousands; as many as an answer lists. */
const maxFaults = 20;

/** A piece of a prompt: the author's text, or the placeholder of an input. */
export type TemplatePiece = { readonly text: string } | { readonly input: string };

export interface PromptTemplate {
  /** In order, without empty texts. */
  readonly pieces: readonly TemplatePiece[];
  /** What is wrong, as "expected …; got …", up to twenty faults. If there are any, the pieces must not be used. */
  readonly faults: readonly string[];
}

/**
 * Parses a prompt; never throws. Spaces inside the braces are allowed. A pair of braces without a valid name is a
 * fault, since it would stay in the prompt as it is.
 */
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
    if (faults.length >= maxFaults) return { pieces, faults };
  }
  add(prompt.slice(end));
  return { pieces, faults };
}

const expected =
  'expected {{name}} with the name of an input: a letter followed by letters, digits or "_", at most 64 characters';

/** Returns the names of the inputs that a prompt uses, without duplicates. */
export function inputsIn({ pieces }: PromptTemplate): string[] {
  return [...new Set(pieces.flatMap((piece) => ('input' in piece ? [piece.input] : [])))];
}
