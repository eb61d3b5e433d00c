/**
 * The native API of Ollama, over which the length of the context can be set: its default of 4,096 tokens, which it also
 * uses on its OpenAI-compatible paths, silently drops most of the evidence.
 */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { ReportedError } from '../endpoint/errors.ts';
import { createLineReader, readJsonLines } from '../endpoint/line-reader.ts';
import {
  type Completion,
  type CompletionParser,
  countOf,
  type Finish,
  tokensIn,
  type Wire,
  type WireCall,
} from '../endpoint/wire.ts';
import { ModelError } from '../model-error.ts';

/**
 * `apiKey` is only needed for servers behind a proxy, and for ollama.com. `hasLevels` tells whether the model takes an effort of
 * thinking; most take only yes or no.
 */
export function ollamaWire(apiKey: string | undefined, hasLevels: () => boolean = () => false): Wire {
  return {
    telemetryName: 'ollama',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    optional: ['format', 'reasoning'],
    path: () => '/api/chat',
    body: (call) => body(call, hasLevels()),
    readWhole,
    createParser,
    modelsPath: '/api/tags',
    readModels(answer) {
      const { models } = (answer ?? {}) as { models?: unknown };
      if (!Array.isArray(models)) return undefined;
      const names = models.flatMap((each: { name?: unknown } | null) =>
        typeof each?.name === 'string' ? [each.name] : [],
      );
      // `qwen3` means `qwen3:latest`.
      return [...names, ...names.flatMap((name) => (name.endsWith(':latest') ? [name.slice(0, -7)] : []))];
    },
    missingModel: (model) => `its endpoint does not have the model: run "ollama pull ${model}" there.`,
  };
}

function body(call: WireCall, hasLevels: boolean): Record<string, unknown> {
  const { model, system, user, image, maxTokens, context, temperature, seed, reasoning, keepAlive, schema } = call;
  const images = image === undefined ? {} : { images: [Buffer.from(image.bytes).toString('base64')] };
  const format = schema === undefined ? 'text' : call.features.format;
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user, ...images },
    ],
    stream: call.stream,
    ...(format === 'text' ? {} : { format: format === 'json' ? 'json' : schema!.schema }),
    ...(reasoning === undefined || !call.features.reasoning
      ? {}
      : { think: hasLevels && reasoning !== 'off' ? reasoning : reasoning !== 'off' }),
    ...(keepAlive === undefined ? {} : { keep_alive: /^-?\d+$/.test(keepAlive) ? Number(keepAlive) : keepAlive }),
    options: {
      num_predict: maxTokens,
      ...(context === undefined ? {} : { num_ctx: context }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
  };
}

interface Answer {
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly error?: unknown;
}

function readWhole(answer: unknown): Completion {
  const { message, done_reason, error } = answer as Answer;
  if (error !== undefined) throw new ReportedError(error);
  if (message === undefined) throw new ModelError('its response could not be read.');
  return {
    text: textOf(message.content),
    finish: done_reason === 'length' ? 'length' : 'stop',
    usage: usageOf(answer as Answer),
    reasoning: tokensIn(textOf(message.thinking).length),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function usageOf({ prompt_eval_count, eval_count }: Answer): TokenCounts | undefined {
  if (eval_count === undefined) return undefined;
  return { in: countOf(prompt_eval_count), out: countOf(eval_count) };
}

function createParser(): CompletionParser {
  let thought = 0;
  const state = {
    done: false,
    finish: undefined as Finish | undefined,
    usage: undefined as TokenCounts | undefined,
    get reasoning() {
      return tokensIn(thought);
    },
    push: createLineReader(
      readJsonLines('', (value) => {
        const answer = value as Answer;
        if (answer.error !== undefined) throw new ReportedError(answer.error);
        thought += textOf(answer.message?.thinking).length;
        if (answer.done) {
          state.done = true;
          state.finish = answer.done_reason === 'length' ? 'length' : 'stop';
          state.usage = usageOf(answer);
        }
        return textOf(answer.message?.content);
      }),
    ),
  };
  return state;
}
