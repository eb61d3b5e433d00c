/**
 * A model as the settings name it: which protocol its endpoint speaks, and what is known of the endpoint beforehand. The
 * protocol follows from the address where that is unambiguous. At any other address without encryption, which is how
 * local servers are reached, the server is asked whether it is Ollama, until it has given an answer of its own.
 */
import { timeLimit } from '../base/abort.ts';
import { urlBelow, withPath } from '../base/upstream/base-url.ts';
import type { Model } from '../engine/ports/model.ts';
import { messagesWire } from './anthropic/messages.ts';
import { createCallQueue } from './endpoint/call-queue.ts';
import { checkEndpoint, probeEndpoint } from './endpoint/check.ts';
import { createDeferredClient } from './endpoint/deferred-client.ts';
import type { Endpoint, EndpointWatch, Tuning } from './endpoint/endpoint.ts';
import { createEndpointClient, type EndpointClient } from './endpoint/endpoint-client.ts';
import { toModelError, tooSlow } from './endpoint/errors.ts';
import type { Reasoning, Wire } from './endpoint/wire.ts';
import { generateContentWire } from './gemini/generate-content.ts';
import { createLanguageModel } from './language/language-model.ts';
import { ollamaWire } from './ollama/chat.ts';
import {
  contextFor,
  createOllamaDescription,
  isOllama,
  type OllamaDescription,
  reasoningFor,
} from './ollama/server.ts';
import { chatWire } from './openai/chat.ts';
import { responsesWire } from './openai/responses.ts';

export type Provider = 'openai' | 'openai-responses' | 'ollama' | 'anthropic' | 'gemini';

export interface ModelOptions {
  readonly models: {
    readonly writer: string;
    /** Further models that write. */
    readonly others?: readonly string[] | undefined;
    readonly planner?: string | undefined;
  };
  readonly provider: Provider | 'auto';
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The `fetch` for an endpoint of this provider; see `Endpoint`. */
  readonly fetchFor: (provider: Provider) => typeof fetch;
  readonly context?: number | undefined;
  /** Calls at the same time. */
  readonly concurrency?: number | undefined;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly reasoning?: Reasoning | undefined;
  readonly keepAlive?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** As in `Endpoint`, ms. */
  readonly timeoutMs?: number | undefined;
  readonly retryMs?: number | undefined;
  readonly watch?: EndpointWatch;
}

export interface OpenModel {
  readonly writer: Model;
  readonly others: readonly Model[];
  /** Absent if the writer plans, too. */
  readonly planner: Model | undefined;
  /** What is wrong with the endpoint or a name, one sentence each; empty if nothing is known to be. Never rejects. */
  check(): Promise<{ readonly model: string; readonly trouble: string }[]>;
  /** Has each model say a word, which costs a few tokens; what is wrong is one sentence. Never rejects. */
  probe(signal: AbortSignal): Promise<{ readonly model: string; readonly trouble: string | undefined }[]>;
  /** Calls that wait for a place. */
  waiting(): number;
}

/** Set by hand: answers should stay close to the evidence. */
const defaultTemperature = 0.2;
/** Hosted endpoints say themselves when they have enough; Ollama queues what its few lanes cannot take. Set by hand. */
const defaultPlaces: Record<Provider, number> = {
  openai: 1_000,
  'openai-responses': 1_000,
  anthropic: 1_000,
  gemini: 1_000,
  ollama: 4,
};
const defaultUrls: Record<Provider, string> = {
  openai: 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434',
};
/** Longest time to find out what a server is; set by hand. */
const detectMs = 2_000;

/** Nothing is requested before the first call, or `check`. */
export function openModel(options: ModelOptions): OpenModel {
  const { models, provider, baseUrl } = options;
  const { others = [] } = models;
  const names = [...new Set([models.writer, ...others, models.planner ?? models.writer])];
  const certain = provider === 'auto' ? (providerAt(baseUrl) ?? providerOf(options)) : provider;
  const queues = new Map<Provider, ReturnType<typeof createCallQueue>>();
  const queueFor = (chosen: Provider) => {
    const known = queues.get(chosen) ?? createCallQueue(options.concurrency ?? defaultPlaces[chosen]);
    queues.set(chosen, known);
    return known;
  };

  const endpointOf = async (name: string): Promise<Endpoint> => {
    const chosen = certain ?? (await detect(options));
    const description = chosen === 'ollama' ? createOllamaDescription(ollamaRequest(options), name) : undefined;
    await description?.update();
    return endpointFor(options, chosen, name, description, queueFor(chosen));
  };
  const endpoints = new Map<string, Promise<Endpoint>>();
  /** Found out once, but again after a failure. */
  const endpointNamed = (name: string): Promise<Endpoint> => {
    const known = endpoints.get(name) ?? endpointOf(name);
    endpoints.set(name, known);
    known.catch(() => endpoints.delete(name));
    return known;
  };
  const clientFor = (name: string): EndpointClient =>
    createDeferredClient(async () => {
      const endpoint = await endpointNamed(name).catch((error) => {
        options.watch?.failed?.(toModelError(error));
        throw error;
      });
      return createEndpointClient(endpoint);
    });

  return {
    writer: createLanguageModel(models.writer, clientFor(models.writer)),
    others: others.map((name) => createLanguageModel(name, clientFor(name))),
    planner:
      models.planner === undefined || models.planner === models.writer
        ? undefined
        : createLanguageModel(models.planner, clientFor(models.planner)),
    async check() {
      const found = await Promise.all(
        names.map(async (model) => ({
          model,
          trouble: await endpointNamed(model).then(checkEndpoint, (error) => toModelError(error).message),
        })),
      );
      return found.flatMap(({ model, trouble }) => (trouble === undefined ? [] : [{ model, trouble }]));
    },
    probe: (signal) =>
      Promise.all(
        names.map(async (model) => ({
          model,
          trouble: await endpointNamed(model).then(
            (endpoint) => probeEndpoint(endpoint, signal),
            (error) => toModelError(error).message,
          ),
        })),
      ),
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
  };
}

/** The provider at an address; undefined if it has to be asked. */
function providerAt(baseUrl: string | undefined): Provider | undefined {
  if (baseUrl === undefined) return undefined;
  const { hostname, port, protocol, pathname } = new URL(baseUrl);
  if (hostname === 'api.anthropic.com') return 'anthropic';
  if (hostname === 'generativelanguage.googleapis.com') return pathname.includes('/openai') ? 'openai' : 'gemini';
  if (port === '11434') return 'ollama';
  return protocol === 'http:' && /^\/(?:v1\/?)?$/.test(pathname) ? undefined : 'openai';
}

/** Without an address, the key tells whose it is: it must not be sent to anyone else. */
function providerOf({ baseUrl, apiKey = '' }: ModelOptions): Provider | undefined {
  if (baseUrl !== undefined) return undefined;
  if (apiKey.startsWith('sk-ant-')) return 'anthropic';
  return /^AIza/.test(apiKey) ? 'gemini' : 'openai';
}

/** Rejects with a `ModelError` if the server gives no answer of its own: it may be Ollama, and is to be asked again. */
async function detect(options: ModelOptions): Promise<Provider> {
  try {
    return (await isOllama(ollamaRequest(options))) ? 'ollama' : 'openai';
  } catch (error) {
    throw error instanceof DOMException && error.name === 'TimeoutError' ? tooSlow(error) : toModelError(error);
  }
}

function ollamaRequest({ baseUrl = defaultUrls.ollama, apiKey, headers, fetchFor }: ModelOptions) {
  return (path: string, body?: object) =>
    fetchFor('ollama')(urlBelow(rootOf(baseUrl), path), {
      headers: { 'content-type': 'application/json', ...ollamaWire(apiKey).headers, ...headers },
      signal: timeLimit(detectMs),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
}

/** Ollama's own API is beside `/v1`, where it imitates OpenAI's. */
function rootOf(baseUrl: string): string {
  return withPath(baseUrl, (base) => base.replace(/\/(?:v1|api)$/, ''));
}

function endpointFor(
  options: ModelOptions,
  provider: Provider,
  model: string,
  description: OllamaDescription | undefined,
  queue: Endpoint['queue'],
): Endpoint {
  const { apiKey, context, temperature, seed, reasoning, keepAlive, headers, body, timeoutMs, retryMs } = options;
  const isLocal = provider === 'ollama';
  const baseUrl = options.baseUrl ?? defaultUrls[provider];
  const tuning: Tuning = {
    context: () => (isLocal ? contextFor(description?.current(), context) : context),
    // Models of Anthropic are to be used as they are, and newer ones take no temperature at all.
    temperature: temperature ?? (provider === 'anthropic' ? undefined : defaultTemperature),
    seed,
    reasoning: ({ schema }) =>
      isLocal ? reasoningFor(description?.current(), reasoning, schema !== undefined) : reasoning,
    hasVision: () => description?.current()?.hasVision !== false,
    keepAlive,
    headers,
    body,
  };
  return {
    wire: wireFor(provider, apiKey, description),
    model,
    baseUrl: isLocal ? rootOf(baseUrl) : withVersion(baseUrl, provider),
    fetch: options.fetchFor(provider),
    queue,
    tuning,
    watch: options.watch ?? {},
    prepare: description?.update,
    callMs: timeoutMs,
    idleMs: timeoutMs,
    retryMs,
  };
}

/** The addresses of Anthropic and Google are also written without their version. */
function withVersion(baseUrl: string, provider: Provider): string {
  const version = { anthropic: 'v1', gemini: 'v1beta' }[provider as string];
  return withPath(baseUrl, (base) =>
    version === undefined || /\/v\d[a-z\d]*$/.test(base) ? base : `${base}/${version}`,
  );
}

function wireFor(provider: Provider, apiKey: string | undefined, description: OllamaDescription | undefined): Wire {
  switch (provider) {
    case 'openai':
      return chatWire(apiKey);
    case 'openai-responses':
      return responsesWire(apiKey);
    case 'ollama':
      return ollamaWire(apiKey, () => description?.current()?.thinking === 'levels');
    case 'anthropic':
      return messagesWire(apiKey);
    case 'gemini':
      return generateContentWire(apiKey);
  }
}
