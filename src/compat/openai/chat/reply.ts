/** The answer to a side prompt as a chat completion: text without sources. */
import type { ChatCompletion } from '../../../../protocol/index.ts';
import type { TextReply } from '../../../service/chats.ts';
import type { NamedRun } from '../../unix-time.ts';
import { headOf, usageOf } from './answer.ts';
import { type AskedCall, finishOf, messageOf, openingDelta, pieceDelta } from './function-call.ts';

/** What a reply repeats of its request. */
interface AskedReply {
  /** As the client named it. */
  readonly model: string;
  /** Whether a last chunk of a stream says what was used. */
  readonly usage: boolean;
  /** The function that the reply is the call of, if one is forced. */
  readonly call: AskedCall | undefined;
}

/** The completion. */
export function replyOf(about: NamedRun, asked: AskedReply, reply: TextReply): ChatCompletion {
  const message = { ...messageOf(about, asked.call, reply.text), annotations: [] };
  return {
    ...headOf(about, asked),
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(asked.call) }],
    usage: usageOf(reply.usage),
    citations: [],
    search_results: [],
  };
}

/** The same as a stream, complete. */
export function replyChunks(about: NamedRun, asked: AskedReply, reply: TextReply): string {
  const { call } = asked;
  const head = { ...headOf(about, asked), object: 'chat.completion.chunk' };
  const chunk = (rest: object) => `data: ${JSON.stringify({ ...head, ...rest })}\n\n`;
  const choice = (delta: object, finish_reason: string | null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  const said =
    choice(openingDelta(about, call), null) + choice(pieceDelta(call, reply.text), null) + choice({}, finishOf(call));
  return `${said}${asked.usage ? chunk({ choices: [], usage: usageOf(reply.usage) }) : ''}data: [DONE]\n\n`;
}
