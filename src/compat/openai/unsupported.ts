/** Parameters that a search cannot honour, where ignoring them would give a client something other than it asked for. */
import { invalid } from '../../base/errors.ts';

type Body = Readonly<Record<string, unknown>>;

/** Throws a 400 that names the parameter: more than one choice, or an answer that must be the call of a tool. */
export function checkSupported(request: Body): void {
  const { n } = request;
  if (n != null && n !== 1) throw invalid(['body', 'n'], 'expected 1: a search has one answer', 'value_error');
  if (demandsToolCall(request)) {
    const msg = 'expected "auto" or "none": a search calls no tools of its caller';
    throw invalid(['body', 'tool_choice'], msg, 'value_error');
  }
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
