/** The request of a run of an API: the design's own, with its prompt filled from the inputs. */
import { type Design, requestLimits, type SearchRequest } from '../../protocol/index.ts';
import { invalid, invalidAt } from '../base/errors.ts';
import { fillPrompt, lengthOf, type PromptPart, textOf } from './fill-prompt.ts';
import { readInputs } from './read-inputs.ts';

export interface ApiRun {
  readonly request: SearchRequest;
  /** The account that the design belongs to, whose collections it searches if it names any. */
  readonly owner?: string;
  /** The prompt of the request, in parts. */
  readonly parts: readonly PromptPart[];
  /** A draft has no version number. */
  readonly api: { readonly api_stub: string; readonly version?: number };
}

/** Throws a 422 whose `loc` begins with `at` if the inputs do not match the design or the prompt is empty or too long. */
export function buildApiRun(
  design: Design,
  api: ApiRun['api'],
  inputs: unknown,
  at: readonly (string | number)[],
): ApiRun {
  const { values, issues } = readInputs(design.inputs, inputs, at);
  if (issues.length > 0) throw invalidAt(issues);
  const parts = fillPrompt(design.prompt, values);
  const maxLength = requestLimits.prompt_characters;
  const length = lengthOf(parts);
  if (length > maxLength) {
    const msg = `expected inputs that make a prompt of at most ${maxLength} characters; got ${length}`;
    throw invalid([...at], msg, 'string_too_long');
  }
  const prompt = textOf(parts);
  if (prompt.trim() === '')
    throw invalid([...at], 'expected inputs that make a prompt; got only white space', 'string_too_short');
  const { output_format, source_whitelist, source_blacklist, collections, model, effort, max } = design;
  const sources = { source_whitelist, source_blacklist, ...(collections === undefined ? {} : { collections }) };
  const request: SearchRequest = {
    ...{ prompt, output_format, ...sources },
    ...(model === undefined ? {} : { model }),
    ...{ effort, max },
  };
  return { request, parts, api };
}

/**
 * The inputs that a person wrote: a JSON object or, where only one text must be given, that text. Throws a 422 at `at` that
 * names the inputs of any other design.
 */
export function inputsOfText({ inputs = {} }: Design, text: string, at: readonly string[]): unknown {
  const object = readObject(text);
  if (object !== undefined) return object;
  const needed = Object.entries(inputs).filter(([, { required, default: value }]) => required ?? value === undefined);
  const texts = (needed.length > 0 ? needed : Object.entries(inputs)).filter(([, { type }]) => type === 'string');
  const [only] = texts;
  if (only !== undefined && texts.length === Math.max(needed.length, 1)) return { [only[0]]: text };
  const names = Object.keys(inputs).join(', ') || 'none';
  throw invalid([...at], `expected the inputs of this API as a JSON object (${names})`, 'value_error');
}

function readObject(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
