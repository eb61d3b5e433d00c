/** The HTTP calls of other protocols: what clients that people already use expect to find. */
import type { Route } from './route.ts';

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
} as const satisfies Record<string, Route>;
