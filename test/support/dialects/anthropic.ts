/** Anthropic's Messages API. */
import { type Dialect, type DialectCall, type Saying, sse, tokensOf } from './dialect.ts';

interface Body {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly {
    readonly content: readonly {
      readonly type: string;
      readonly text?: string;
      readonly source?: { readonly data: string };
    }[];
  }[];
  readonly max_tokens: number;
  readonly output_config?: { readonly format?: object; readonly effort?: string };
  readonly tools?: readonly { readonly name: string }[];
  readonly tool_choice?: { readonly type: string; readonly name: string };
  readonly stream?: boolean;
}

const reasons = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const;

export const anthropic: Dialect = {
  provider: 'anthropic',
  baseUrl: (origin) => `${origin}/anthropic`,
  keyHeader: (key) => ['x-api-key', key],
  streamType: 'text/event-stream; charset=utf-8',
  readCall(path, given) {
    if (path !== '/anthropic/v1/messages') return undefined;
    const body = given as unknown as Body;
    const parts = body.messages.flatMap(({ content }) => content);
    const isTool = body.tool_choice !== undefined && body.tools?.[0]?.name === body.tool_choice.name;
    return {
      model: body.model,
      system: body.system,
      user: parts.map(({ text = '' }) => text).join(''),
      image: parts.find(({ type }) => type === 'image')?.source?.data,
      format: body.output_config?.format !== undefined ? 'strict' : isTool ? 'json' : 'text',
      stream: body.stream ?? false,
      maxTokens: body.max_tokens,
      context: undefined,
      reasoning: body.output_config?.effort,
    };
  },
  whole(saying, call) {
    return {
      ...head(saying),
      content: contentOf(saying, call),
      stop_reason: reasonOf(saying, call),
      stop_sequence: null,
    };
  },
  stream(saying, call) {
    const event = (type: string, fields: object) => sse({ type, ...fields }, type);
    const blocks = contentOf(saying, call);
    const end =
      saying.fault === true
        ? [event('error', { error: { type: 'overloaded_error', message: 'secret of the server' } })]
        : [
            event('message_delta', {
              delta: { stop_reason: reasonOf(saying, call), stop_sequence: null },
              usage: { output_tokens: saying.usage?.out ?? 0 },
            }),
            event('message_stop', {}),
          ];
    return [
      event('message_start', { message: { ...head(saying), content: [], stop_reason: null, stop_sequence: null } }),
      event('ping', {}),
      ...blocks.flatMap((block, index) => [
        event('content_block_start', { index, content_block: emptied(block) }),
        ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      ...end,
    ];
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
    request_id: 'req_1',
  }),
  modelsPath: '/anthropic/v1/models',
  models: (names) => ({
    data: names.map((id) => ({ id, type: 'model', display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: names[0],
    last_id: names.at(-1),
  }),
};

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

function contentOf({ text, reasoning, finish }: Saying, { format }: DialectCall): Block[] {
  const thinking: Block[] = reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'x' }];
  if (finish === 'refused') return thinking;
  if (format !== 'json') return [...thinking, { type: 'text', text }];
  return [...thinking, { type: 'tool_use', id: 'toolu_1', name: 'plan', input: JSON.parse(text) as unknown }];
}

function reasonOf({ finish = 'stop' }: Saying, { format }: DialectCall): string {
  return format === 'json' && finish === 'stop' ? 'tool_use' : reasons[finish];
}

function emptied(block: Block): object {
  if (block.type === 'text') return { ...block, text: '' };
  return block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} };
}

function deltasOf(block: Block): object[] {
  if (block.type === 'text') return tokensOf(block.text).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking')
    return tokensOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
  return tokensOf(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function head({ usage }: Saying) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    usage: { input_tokens: usage?.in ?? 0, output_tokens: usage?.out ?? 1 },
  };
}
