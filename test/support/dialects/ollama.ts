/** Ollama's native API. */
import { type Dialect, type Saying, tokensOf } from './dialect.ts';

interface Body {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly images?: readonly string[];
  }[];
  readonly stream?: boolean;
  readonly format?: string | object;
  readonly think?: boolean | string;
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number };
}

export const ollama: Dialect = {
  provider: 'ollama',
  baseUrl: (origin) => `${origin}/v1`,
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  streamType: 'application/x-ndjson',
  readCall(path, given) {
    if (path !== '/api/chat') return undefined;
    const { model, messages, stream = true, format, think, options } = given as unknown as Body;
    const user = messages.find(({ role }) => role === 'user');
    return {
      model,
      system: messages.find(({ role }) => role === 'system')?.content ?? '',
      user: user?.content ?? '',
      image: user?.images?.[0],
      format: typeof format === 'object' ? 'strict' : format === 'json' ? 'json' : 'text',
      stream,
      maxTokens: options?.num_predict ?? Number.POSITIVE_INFINITY,
      context: options?.num_ctx,
      reasoning: think,
    };
  },
  whole: (saying) => ({ ...line(textOf(saying), saying.reasoning), ...ending(saying) }),
  stream(saying) {
    const lines = [
      ...tokensOf(saying.reasoning ?? '').map((thinking) => line('', thinking)),
      ...tokensOf(textOf(saying)).map((content) => line(content)),
      saying.fault === true ? { error: 'secret of the server' } : { ...line(''), ...ending(saying) },
    ];
    return lines.map((each) => `${JSON.stringify(each)}\n`);
  },
  error: (_, message) => ({ error: message }),
  modelsPath: '/api/tags',
  models: (names) => ({ models: names.map((name) => ({ name, model: name, size: 1, digest: 'x', details: {} })) }),
};

/** Its models refuse in words. */
function textOf({ text, finish }: Saying): string {
  return finish === 'refused' ? '' : text;
}

function line(content: string, thinking?: string) {
  const message = { role: 'assistant', content, ...(thinking === undefined ? {} : { thinking }) };
  return { model: 'scripted', created_at: '2026-11-22T10:00:00Z', message, done: false };
}

function ending({ finish, usage }: Saying) {
  return {
    done: true,
    done_reason: finish === 'length' ? 'length' : 'stop',
    total_duration: 1,
    load_duration: 1,
    ...(usage === undefined ? {} : { prompt_eval_count: usage.in, eval_count: usage.out }),
  };
}
