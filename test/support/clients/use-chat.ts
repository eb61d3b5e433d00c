/** `useChat` of the AI SDK without a page: its own class and transport, with the state in plain fields, as React's hook has it. */
import { AbstractChat, type ChatState, type ChatTransport, DefaultChatTransport, type UIMessage } from 'ai';
import type { ChatMetadata } from '../../../src/compat/ai-sdk/message-parts.ts';

export type Message = UIMessage<ChatMetadata>;

export class TestChat extends AbstractChat<Message> {
  readonly errors: Error[];

  constructor(id: string, transport: ChatTransport<Message>, messages: Message[] = []) {
    const errors: Error[] = [];
    super({ id, transport, state: createState(messages), onError: (error) => errors.push(error) });
    this.errors = errors;
  }

  /** The text of the answer, if the last message is one. */
  text(): string {
    return this.lastMessage?.role === 'assistant' ? textOf(this.lastMessage) : '';
  }
}

export interface Wire {
  readonly transport: DefaultChatTransport<Message>;
  /** From now on, the network breaks after so many bytes of each response. */
  cutAfter(bytes: number): void;
  /** Bytes of each response so far. */
  readonly received: number[];
  readonly statuses: number[];
}

/** The transport of `useChat` for a server, over a network that can break; `send` is that network. */
export function openWire(url: string, key: string, body: object = {}, send: typeof fetch = fetch): Wire {
  let limit = Number.POSITIVE_INFINITY;
  const received: number[] = [];
  const statuses: number[] = [];
  const brokenFetch: typeof fetch = async (input, init) => {
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, ...(init?.signal ? [init.signal] : [])]);
    const response = await send(input, { ...init, signal });
    statuses.push(response.status);
    const at = received.push(0) - 1;
    if (response.body === null) return response;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const room = limit - received[at]!;
        received[at]! += Math.min(room, chunk.length);
        controller.enqueue(chunk.subarray(0, Math.max(0, room)));
        if (room >= chunk.length) return;
        leaving.abort();
        controller.error(new TypeError('network error'));
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };
  const transport = new DefaultChatTransport<Message>({
    api: `${url}/v1/ai/chat`,
    headers: { authorization: `Bearer ${key}` },
    fetch: brokenFetch,
    body,
  });
  return {
    transport,
    cutAfter(bytes) {
      limit = bytes;
    },
    received,
    statuses,
  };
}

/** The text of a message. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function createState(messages: Message[]): ChatState<Message> {
  const state: ChatState<Message> = {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage(message) {
      state.messages = [...state.messages, message];
    },
    popMessage() {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage(index, message) {
      state.messages = state.messages.with(index, structuredClone(message));
    },
    snapshot: (thing) => structuredClone(thing),
  };
  return state;
}
