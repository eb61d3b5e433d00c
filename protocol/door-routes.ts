/** The HTTP calls of other protocols: what clients that people already use expect to find. */
import { type Route, searchErrors } from './route.ts';

export const doorRoutes = {
  list_models: {
    method: 'GET',
    path: '/v1/models',
    summary: 'Lists what a client of OpenAI can choose as its model: the efforts of a search, and published APIs',
    door: 'openai',
    key: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'All of them.', bodies: ['ModelList'] },
    errors: ['rate_limited'],
  },
  read_model: {
    method: 'GET',
    path: '/v1/models/{model}',
    summary: 'Returns one of the models',
    door: 'openai',
    key: true,
    counted: false,
    ours: true,
    success: { status: 200, means: 'The model.', bodies: ['Model'] },
    errors: ['rate_limited'],
  },
  chat_completions: {
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Researches the last question of a conversation, as a chat completion of OpenAI',
    door: 'openai',
    key: true,
    counted: true,
    ours: true,
    body: 'ChatCompletionRequest',
    headers: ['Idempotency-Key'],
    success: {
      status: 200,
      means: 'The answer; with `stream`, its chunks as server-sent events.',
      bodies: ['ChatCompletion'],
    },
    errors: [...searchErrors, 'not_found'],
  },
  mcp: {
    method: 'POST',
    path: '/mcp',
    summary: 'Serves agents over the Model Context Protocol (Streamable HTTP): one JSON-RPC message a request',
    door: 'mcp',
    key: true,
    counted: true,
    ours: true,
    body: 'McpMessage',
    success: {
      status: 200,
      means:
        'The response, as JSON or, after notifications of its progress, as the last of several Server-Sent Events.',
      bodies: ['McpResponse'],
      accepted: 'A notification.',
    },
    errors: ['validation_error', 'unsupported_media_type', 'not_found'],
  },
} as const satisfies Record<string, Route>;
