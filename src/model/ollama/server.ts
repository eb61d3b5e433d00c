/** What an Ollama server says about itself and its models. Every call takes milliseconds: nothing is loaded. */
import { isObject } from '../../base/values/is-object.ts';
import type { Reasoning } from '../endpoint/wire.ts';
import { ModelError } from '../model-error.ts';

export interface OllamaModel {
  /** Tokens that the model was made for, if known. */
  readonly contextLength: number | undefined;
  readonly hasVision: boolean;
  /** Whether it thinks before it answers, and whether the effort can be set rather than only switched off. */
  readonly thinking: 'none' | 'switch' | 'levels';
}

/** `request` is a `fetch` with its time limit. */
type Request = (path: string, body?: object) => Promise<Response>;

/**
 * Whether an Ollama server answers there: llama-swap has a version, too, and llama.cpp a list of models, but neither has both. Rejects
 * with the error of the connection or of the time limit, and with a `ModelError` for a 502, 503 or 504, which a proxy answers while the
 * server is down.
 */
export async function isOllama(request: Request): Promise<boolean> {
  const { version } = await fieldsOf(request, '/api/version');
  if (typeof version !== 'string') return false;
  const { models } = await fieldsOf(request, '/api/tags');
  return Array.isArray(models);
}

/** The fields of an answer; none if it is no JSON object. */
async function fieldsOf(request: Request, path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await request(path);
  const { status } = response;
  if (status >= 502 && status <= 504) throw new ModelError(`its endpoint returned status ${status}.`, { status });
  const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  return isObject(answer) ? answer : {};
}

/** Undefined if the server does not have the model or does not say. Never rejects. */
async function describeOllamaModel(request: Request, model: string): Promise<OllamaModel | undefined> {
  try {
    const response = await request('/api/show', { model });
    if (!response.ok) return undefined;
    const { model_info = {}, capabilities } = (await response.json()) as {
      model_info?: Record<string, unknown>;
      capabilities?: readonly string[];
    };
    const family = String(model_info['general.architecture'] ?? '');
    const length = model_info[`${family}.context_length`];
    const thinks = capabilities?.includes('thinking') ?? false;
    return {
      contextLength: typeof length === 'number' && length > 0 ? length : undefined,
      // Servers before 0.6.4 do not list what models can do.
      hasVision: capabilities?.includes('vision') ?? true,
      thinking: !thinks ? 'none' : /^gpt-?oss$/.test(family) ? 'levels' : 'switch',
    };
  } catch {
    return undefined;
  }
}

/** Time until a server that has not described a model is asked again; set by hand. */
const askAgainMs = 5_000;

/** What an Ollama server says about one model, as far as is known by now. */
export interface OllamaDescription {
  current(): OllamaModel | undefined;
  /** Asks unless that is known, or was asked a moment ago. Resolves when there is an answer or none; never rejects. */
  update(): Promise<void>;
}

/** Nothing is known before the first `update`: the server may be started, and the model pulled, later than this server. */
export function createOllamaDescription(request: Request, model: string): OllamaDescription {
  let known: OllamaModel | undefined;
  let asking: Promise<void> | undefined;
  let askAt = 0;
  return {
    current: () => known,
    async update() {
      if (known !== undefined || (asking === undefined && performance.now() < askAt)) return;
      asking ??= describeOllamaModel(request, model).then((described) => {
        known = described;
        askAt = performance.now() + askAgainMs;
        asking = undefined;
      });
      await asking;
    },
  };
}

/**
 * Set by hand: holds the evidence of every effort, in a memory that a model of 8 billion parameters needs anyway. Ollama's own
 * default, 4,096, holds that of `fast` alone.
 */
const defaultContext = 16_384;

/** The length of the context to ask for; always the same for a model, since Ollama loads it again when it changes. */
export function contextFor(described: OllamaModel | undefined, wanted: number | undefined): number {
  return wanted ?? Math.min(defaultContext, described?.contextLength ?? defaultContext);
}

/** Only answers use reasoning: plans and JSON come without, unless the operator wants otherwise. */
export function reasoningFor(
  described: OllamaModel | undefined,
  wanted: Reasoning | undefined,
  isJson: boolean,
): Reasoning | undefined {
  const thinking = described?.thinking ?? 'none';
  if (thinking === 'none') return undefined;
  const chosen = wanted ?? (isJson ? 'off' : undefined);
  return chosen === 'off' && thinking === 'levels' ? 'low' : chosen;
}
