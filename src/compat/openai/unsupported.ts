/** Parameters that a search cannot honour, where ignoring them would give a client something other than it asked for. */
import { type AppError, invalid } from '../../base/errors.ts';

type Body = Readonly<Record<string, unknown>>;

/** Throws a 400 that names the parameter: more than one choice, or an answer that must be spoken. */
export function checkSupported({ n, modalities }: Body): void {
  if (n != null && n !== 1) throw refused('n', 'expected 1: a search has one answer');
  if (Array.isArray(modalities) && modalities.some((each) => each !== 'text'))
    throw refused('modalities', 'expected ["text"]: answers are text');
}

/**
 * Throws a 400 if a response refers to a conversation or a stored prompt: their text is at OpenAI, and without it the answer would
 * be one to another question.
 */
export function checkSelfContained({ conversation, prompt }: Body): void {
  if (conversation != null) {
    const others = 'repeat its turns in `input`, or name the response before in `previous_response_id`';
    throw refused('conversation', `expected none, because conversations are not kept here: ${others}`);
  }
  if (prompt == null) return;
  // The field `prompt` of a search is another one: errors at it are reported at the input.
  throw refused('prompt.id', 'expected none, because prompts are not kept here: send it as `instructions` and `input`');
}

/** The 400 that names a parameter of the body. */
export function refused(param: string, msg: string): AppError {
  return invalid(['body', param], msg, 'value_error');
}
