/**
 * What a request of `useChat` asks for: the last message of the user, after the turns before it. The answer that the turn
 * follows up on is named by the id of its message, which is that of its search; where a client sends only its newest message,
 * it is the last search of the chat.
 */
import type { ChatMessage, ChatRequest, SearchRequest } from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import { invalid } from '../../base/errors.ts';
import { withoutSources } from '../answer-text.ts';

export interface ChatTurn {
  /** Without `previous_search_id`; not yet validated. */
  readonly request: Omit<ChatRequest, 'id' | 'messages' | 'message' | 'trigger' | 'messageId'> &
    Pick<SearchRequest, 'prompt' | 'image'>;
  /** The earlier messages of the user, oldest first. */
  readonly prompts: readonly string[];
  /** The text of the answer before; undefined if there is none. */
  readonly answer: string | undefined;
  /** The id of the message with the answer before. */
  readonly answerId: string | undefined;
  /** Where only the newest message was sent, the chat's last search comes before it, unless this turn replaces that one. */
  readonly follows: 'answer' | 'last search' | 'what the last search followed';
}

/** Throws a 422 if there is no message of the user. */
export function readChat({ id: _, messages, message, trigger, messageId, ...options }: ChatRequest): ChatTurn {
  const all = messages ?? (message === undefined ? [] : [message]);
  const at = all.findLastIndex(({ role }) => role === 'user');
  const asked = all[at];
  const part = messages === undefined ? ['message'] : ['messages'];
  if (asked === undefined) throw invalid(['body', ...part], 'expected a message from the user; got none', 'missing');
  const image = asked.parts.find(isImage)?.url;
  const files = asked.parts.filter(({ type }) => type === 'file');
  const other = files.find((each) => !isImage(each));
  if (other !== undefined || files.length > 1) {
    const got = other === undefined ? `${files.length} images` : `a file of the type ${preview(other.mediaType)}`;
    const msg = `expected text and at most one image in the last message; got ${got}`;
    throw invalid(['body', ...part], msg, 'value_error');
  }
  const before = all.slice(0, at);
  const answered = before.findLast(({ role }) => role === 'assistant');
  const isAlone = messages === undefined;
  return {
    request: { ...options, prompt: textOf(asked), ...(image === undefined ? {} : { image }) },
    prompts: before.filter(({ role }) => role === 'user').map(textOf),
    answer: answered && withoutSources(textOf(answered)),
    answerId: answered?.id,
    follows: !isAlone ? 'answer' : trigger === 'regenerate-message' ? 'what the last search followed' : 'last search',
  };
}

function textOf({ parts }: ChatMessage): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n');
}

function isImage({ type, mediaType, url }: ChatMessage['parts'][number]): boolean {
  return type === 'file' && url !== undefined && (mediaType ?? '').startsWith('image/');
}
