/** What endpoints support, refuse and ignore. */
import { type Behaviour, rejection, says, speech } from './behaviour.ts';

const plain: Behaviour = says({});

export const endpoints: Record<string, Behaviour> = {
  plain,
  strict: plain,
  vision: plain,
  paced: (call) => ({ text: speech(call), ...(call.kind === 'write' ? { ms: 5 } : {}) }),
  onebyte: (call) => ({ text: speech(call), oneByte: true }),
  crlf: (call) => ({ text: speech(call), crlf: true }),
  nullcontent: (call) => ({ text: speech(call), nulls: true }),
  nousage: (call) => ({ text: speech(call), usage: false }),
  noformat: (call, count) =>
    call.body.response_format
      ? rejection(400, "'response_format' is not supported by this model", { param: 'response_format' })
      : plain(call, count),
  'noformat-silent': (call, count) =>
    call.body.response_format ? rejection(400, 'Invalid request.') : plain(call, count),
  'json-only': (call, count) =>
    call.body.response_format?.type === 'json_schema'
      ? rejection(400, "response_format.type must be 'text' or 'json_object'")
      : plain(call, count),
  ignoreformat: (call, count) =>
    call.kind === 'write' || /JSON/.test(call.prompt)
      ? plain(call, count)
      : { text: 'To answer this I would search for the bridge, its engineer and its opening date.' },
  notemp: (call, count) =>
    'temperature' in call.body
      ? rejection(400, "'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", {
          code: 'unsupported_value',
          param: 'temperature',
        })
      : 'max_tokens' in call.body
        ? rejection(400, "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
            code: 'unsupported_parameter',
            param: 'max_tokens',
          })
        : plain(call, count),
  nosystem: (call, count) =>
    call.body.messages.some(({ role }) => role === 'system')
      ? rejection(400, 'System role not supported')
      : plain(call, count),
  novision: (call, count) =>
    hasImage(call.body.messages)
      ? rejection(400, 'Invalid content type. image_url is only supported by certain models.')
      : plain(call, count),
  'vision-badimage': (call, count) =>
    hasImage(call.body.messages) && call.prompt.includes('BADIMAGE')
      ? rejection(400, 'Could not process image: too many pixels.')
      : plain(call, count),
  'schema-deep': (call, count) =>
    call.body.response_format?.type === 'json_schema' && JSON.stringify(call.body.response_format).includes('too_deep')
      ? rejection(400, "Invalid schema for response_format 'answer': 7 levels of nesting exceeds limit of 5.", {
          param: 'response_format',
        })
      : plain(call, count),
  ctx400: (call, count) =>
    call.prompt.length > 5_000
      ? rejection(400, "This model's maximum context length is 4096 tokens. Your messages resulted in 5012 tokens.", {
          code: 'context_length_exceeded',
          param: 'messages',
        })
      : plain(call, count),
  /** Drops the beginning of what does not fit, without a word, as Ollama does. */
  'ctx-ollama': (call, count) => plain({ ...call, prompt: fitted(call.prompt) }, count),
  'ctx-always': () =>
    rejection(400, "This model's maximum context length is 4096 tokens.", {
      code: 'context_length_exceeded',
      param: 'messages',
    }),
  'ctx-bigprompt': (call, count) =>
    call.prompt.length > 25_000 + 8_000
      ? rejection(400, "This model's maximum context length is 8192 tokens.", {
          code: 'context_length_exceeded',
          param: 'messages',
        })
      : plain(call, count),
  m404: () => rejection(404, 'model "nope" not found, try pulling it first', { code: 'model_not_found' }),
  k401: () => rejection(401, 'Incorrect API key provided: sk-abcd1234.', { code: 'invalid_api_key' }),
  filter400: () =>
    rejection(400, "The response was filtered due to the prompt triggering the endpoint's content policy.", {
      code: 'content_filter',
      param: 'prompt',
    }),
};

function hasImage(messages: readonly { readonly content: unknown }[]): boolean {
  return JSON.stringify(messages).includes('"image_url"');
}

/** The prompt without its first pieces of evidence, of which three stay. */
function fitted(prompt: string): string {
  const pieces = prompt.match(/<<<\S+ evidence \[\d+\]\n[\s\S]*?\n\S+>>>/g) ?? [];
  return pieces.slice(0, -3).reduce((text, piece) => text.replace(piece, ''), prompt);
}
