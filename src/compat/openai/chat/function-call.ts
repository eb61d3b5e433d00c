/** The call of a forced function, as a message of a chat completion and as the pieces of one. */
import type { ChatCompletion } from '../../../../protocol/index.ts';
import type { ForcedFunction } from '../forced-function.ts';

/** A function, as far as a call names it. */
export type AskedCall = Pick<ForcedFunction, 'name' | 'by'>;
type Choice = ChatCompletion['choices'][number];
type Message = Choice['message'];

/** A message that says a text or, where a function is forced, calls it with the text as its arguments. */
export function messageOf(
  about: { readonly search_id: string },
  call: AskedCall | undefined,
  text: string,
): Pick<Message, 'role' | 'content' | 'refusal' | 'tool_calls' | 'function_call'> {
  const said = { role: 'assistant', content: call === undefined ? text : null, refusal: null } as const;
  if (call === undefined) return said;
  return { ...said, ...calling(about, call, text) };
}

/** Why a message ends. As at OpenAI, one that calls the function which the client has named ends like a text. */
export function finishOf(call: AskedCall | undefined): Choice['finish_reason'] {
  return call?.by === 'required' ? 'tool_calls' : 'stop';
}

/** The piece that begins a message: the name and the id of the call come before its arguments. */
export function openingDelta(about: { readonly search_id: string }, call: AskedCall | undefined): object {
  if (call === undefined) return { role: 'assistant', content: '' };
  const { tool_calls, function_call } = calling(about, call, '');
  const opened = tool_calls === undefined ? { function_call } : { tool_calls: [{ index: 0, ...tool_calls[0] }] };
  return { role: 'assistant', content: null, ...opened };
}

/** A piece of the text or of the arguments. */
export function pieceDelta(call: AskedCall | undefined, piece: string): object {
  if (call === undefined) return { content: piece };
  const added = { arguments: piece };
  return call.by === 'function_call' ? { function_call: added } : { tool_calls: [{ index: 0, function: added }] };
}

function calling({ search_id }: { readonly search_id: string }, { name, by }: AskedCall, json: string) {
  const called = { name, arguments: json };
  if (by === 'function_call') return { function_call: called };
  return { tool_calls: [{ id: `call_${search_id}`, type: 'function' as const, function: called }] };
}
