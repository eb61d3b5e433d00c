/** Chat completions, as OpenAI and the servers that imitate it answer them. */
import { completionHead } from '../servers/model-reply.ts';
import { type Dialect, type Saying, sse, tokensOf } from './dialect.ts';

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: string;
  readonly response_format?: { readonly type: string };
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[];
  }[];
}

export const chat: Dialect = {
  provider: 'openai',
  baseUrl: (origin) => `${origin}/openai/v1`,
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  streamType: 'text/event-stream; charset=utf-8',
  readCall(path, given) {
    if (path !== '/openai/v1/chat/completions') return undefined;
    const body = given as unknown as Body;
    const content = body.messages.find(({ role }) => role === 'user')?.content ?? '';
    const parts = typeof content === 'string' ? [{ text: content }] : content;
    const formats = { json_schema: 'strict', json_object: 'json' } as const;
    return {
      model: body.model,
      system: String(body.messages.find(({ role }) => role === 'system')?.content ?? ''),
      user: parts.map(({ text = '' }) => text).join(''),
      image: parts
        .flatMap((part) => ('image_url' in part && part.image_url ? [part.image_url.url] : []))[0]
        ?.replace(/^data:.*;base64,/, ''),
      format: formats[body.response_format?.type as keyof typeof formats] ?? 'text',
      stream: body.stream ?? false,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY,
      context: undefined,
      reasoning: body.reasoning_effort,
    };
  },
  whole(saying) {
    const message = {
      role: 'assistant',
      content: saying.finish === 'refused' ? null : saying.text,
      refusal: saying.finish === 'refused' ? 'I cannot help with that.' : null,
      ...(saying.reasoning === undefined ? {} : { reasoning_content: saying.reasoning }),
    };
    const finish_reason = saying.finish === 'length' ? 'length' : 'stop';
    return {
      ...completionHead('chat.completion'),
      choices: [{ index: 0, message, finish_reason }],
      usage: usageOf(saying),
    };
  },
  stream(saying) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      sse({
        ...completionHead('chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      });
    const end =
      saying.fault === true
        ? [sse({ error: { message: 'secret of the server', type: 'server_error' } })]
        : [
            chunk({}, saying.finish === 'length' ? 'length' : 'stop'),
            sse({ ...completionHead('chat.completion.chunk'), choices: [], usage: usageOf(saying) }),
            sse('[DONE]'),
          ];
    return [
      chunk({ role: 'assistant', content: '' }),
      ...tokensOf(saying.reasoning ?? '').map((reasoning_content) => chunk({ reasoning_content, content: null })),
      ...(saying.finish === 'refused'
        ? [chunk({ refusal: 'I cannot help with that.' })]
        : tokensOf(saying.text).map((content) => chunk({ content }))),
      ...end,
    ];
  },
  error: (_, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  modelsPath: '/openai/v1/models',
  models: (names) => ({ object: 'list', data: names.map((id) => ({ id, object: 'model', owned_by: 'tests' })) }),
};

function usageOf({ usage }: Saying) {
  if (usage === undefined) return null;
  return { prompt_tokens: usage.in, completion_tokens: usage.out, total_tokens: usage.in + usage.out };
}
