/** Parameters that a search cannot honour, where ignoring them would give a client something other than it asked for. */
import { invalid } from '../../base/errors.ts';

type Body = Readonly<Record<string, unknown>>;

/** Throws a 400 that names the parameter: more than one choice, an answer that must be the call of a tool or spoken. */
export function checkSupported(request: Body): void {
  const { n, modalities, function_call } = request;
  if (n != null && n !== 1) throw refused('n', 'expected 1: a search has one answer');
  if (demandsToolCall(request)) throw refused('tool_choice', noCall);
  if (isObject(function_call)) throw refused('function_call', noCall);
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

const noCall = 'expected "auto" or "none": a search calls no tools of its caller';

function refused(param: string, msg: string) {
  return invalid(['body', param], msg, 'value_error');
}

/** The web search is the one tool that every call uses, so a client may demand it. */
function demandsToolCall({ tool_choice: choice, tools }: Body): boolean {
  if (choice === 'required') return !(Array.isArray(tools) && tools.some(isWebSearch));
  if (!isObject(choice) || isWebSearch(choice)) return false;
  if (choice.type !== 'allowed_tools') return true;
  // Chat completions have the mode one level further down than responses.
  const allowed = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  return demandsToolCall({ tool_choice: allowed.mode, tools: allowed.tools });
}

function isWebSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
