/** OpenAI's Responses API. */
import { type Dialect, type Saying, sse, tokensOf } from './dialect.ts';

interface Body {
  readonly model: string;
  readonly instructions: string;
  readonly input: readonly {
    readonly content: readonly { readonly type: string; readonly text?: string; readonly image_url?: string }[];
  }[];
  readonly max_output_tokens: number;
  readonly reasoning?: { readonly effort: string };
  readonly text?: { readonly format: { readonly type: string } };
  readonly stream?: boolean;
}

export const responses: Dialect = {
  provider: 'openai-responses',
  baseUrl: (origin) => `${origin}/openai/v1`,
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  streamType: 'text/event-stream; charset=utf-8',
  readCall(path, given) {
    if (path !== '/openai/v1/responses') return undefined;
    const body = given as unknown as Body;
    const parts = body.input.flatMap(({ content }) => content);
    const formats = { json_schema: 'strict', json_object: 'json' } as const;
    return {
      model: body.model,
      system: body.instructions,
      user: parts.map(({ text = '' }) => text).join(''),
      image: parts.find(({ type }) => type === 'input_image')?.image_url?.replace(/^data:.*;base64,/, ''),
      format: formats[body.text?.format.type as keyof typeof formats] ?? 'text',
      stream: body.stream ?? false,
      maxTokens: body.max_output_tokens,
      context: undefined,
      reasoning: body.reasoning?.effort,
    };
  },
  whole: (saying) => response(saying),
  stream(saying) {
    const kind = saying.finish === 'length' ? 'incomplete' : 'completed';
    let sequence_number = 0;
    const event = (type: string, fields: object) => {
      sequence_number += 1;
      return sse({ type, sequence_number, ...fields }, type);
    };
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    return [
      event('response.created', { response: { ...response({ text: '' }), status: 'in_progress' } }),
      ...tokensOf(saying.reasoning ?? '').map((delta) => event('response.reasoning_text.delta', { ...place, delta })),
      ...(saying.finish === 'refused'
        ? [event('response.refusal.delta', { ...place, delta: 'I cannot help with that.' })]
        : tokensOf(saying.text).map((delta) => event('response.output_text.delta', { ...place, delta, logprobs: [] }))),
      saying.fault === true
        ? event('error', { code: 'server_error', message: 'secret of the server', param: null })
        : event(`response.${kind}`, { response: response(saying) }),
    ];
  },
  error: (_, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  modelsPath: '/openai/v1/models',
  models: (names) => ({ object: 'list', data: names.map((id) => ({ id, object: 'model', owned_by: 'tests' })) }),
};

function response({ text, finish, reasoning, usage }: Saying) {
  const part =
    finish === 'refused'
      ? { type: 'refusal', refusal: 'I cannot help with that.' }
      : { type: 'output_text', text, annotations: [] };
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'scripted',
    status: finish === 'length' ? 'incomplete' : 'completed',
    incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: [
      ...(reasoning === undefined
        ? []
        : [{ id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: reasoning }] }]),
      { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] },
    ],
    usage: usage && {
      input_tokens: usage.in,
      output_tokens: usage.out,
      output_tokens_details: { reasoning_tokens: Math.ceil((reasoning ?? '').length / 4) },
      total_tokens: usage.in + usage.out,
    },
  };
}
