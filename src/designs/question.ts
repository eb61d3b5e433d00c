/** What a run of an API asks: the design's own request, its prompt filled with the inputs. */
import { type Design, requestLimits, type SearchRequest } from '../../protocol/index.ts';
import { invalid, invalidAt } from '../base/errors.ts';
import { fillPrompt, type PromptPart, textOf } from './fill-prompt.ts';
import { readInputs } from './read-inputs.ts';

export interface ApiQuestion {
  readonly request: SearchRequest;
  /** The prompt of the request, in parts. */
  readonly parts: readonly PromptPart[];
  /** A draft has no version. */
  readonly api: { readonly api_stub: string; readonly version?: number };
}

/** Throws a 422, its `loc` beginning with `at`, where the inputs are not those of the design or make too long a prompt. */
export function questionOf(
  design: Design,
  api: ApiQuestion['api'],
  inputs: unknown,
  at: readonly (string | number)[],
): ApiQuestion {
  const { values, issues } = readInputs(design.inputs, inputs, at);
  if (issues.length > 0) throw invalidAt(issues);
  const parts = fillPrompt(design.prompt, values);
  const prompt = textOf(parts);
  const most = requestLimits.prompt_characters;
  if (prompt.length > most) {
    const msg = `expected inputs that make a prompt of at most ${most} characters; got ${prompt.length}`;
    throw invalid([...at], msg, 'string_too_long');
  }
  if (prompt.trim() === '') throw invalid([...at], 'expected inputs that ask something', 'string_too_short');
  const { output_format, source_whitelist, source_blacklist, effort, max } = design;
  const request: SearchRequest = { prompt, output_format, source_whitelist, source_blacklist, effort, max };
  return { request, parts, api };
}
