/** The settings of models: which one, where it is served, and how it is called. Part of the table in config.ts. */
import * as z from 'zod';
import { apiKey, commaSeparated, headerName, headerValue, httpUrl, json, numberOf } from './setting-values.ts';

const providers = ['openai', 'openai-responses', 'ollama', 'anthropic', 'gemini'] as const;
export type ProviderName = (typeof providers)[number];

const provider = z.enum(['auto', ...providers]).default('auto');
const providerNames = `auto, ${providers.slice(0, -1).join(', ')} or ${providers.at(-1)}`;
const fields = <Value extends z.ZodType>(value: Value, name: z.ZodString = z.string()) =>
  z.string().transform(json).pipe(z.record(name, value));

/** Set by hand: more than a person chooses from. */
const maxModels = 20;
/** What requests name to be answered without a language model. */
const extractive = 'extractive';

export const modelSettings = {
  MODEL: z.string().max(200).optional().describe('the name of a model'),
  MODELS: commaSeparated
    .transform((names) => [...new Set(names)])
    .refine((names) => names.length <= maxModels && names.every((name) => name.length <= 200 && name !== extractive))
    .describe(`up to ${maxModels} comma-separated names of models`),
  MODEL_PROVIDER: provider.describe(providerNames),
  MODEL_BASE_URL: httpUrl.optional().describe('a URL such as https://api.anthropic.com/v1'),
  MODEL_API_KEY: apiKey,
  OPENAI_BASE_URL: httpUrl.optional().describe('a URL such as http://127.0.0.1:11434/v1'),
  OPENAI_API_KEY: apiKey,
  PLANNING_MODEL: z.string().max(200).optional().describe('the name of a model'),
  FALLBACK_MODEL: z.string().max(200).optional().describe('the name of a model'),
  FALLBACK_PROVIDER: provider.describe(providerNames),
  FALLBACK_BASE_URL: httpUrl.optional().describe('a URL such as https://api.openai.com/v1'),
  FALLBACK_API_KEY: apiKey,
  MODEL_TIMEOUT_S: numberOf(z.number().min(1).max(600)).default(30).describe('seconds from 1 to 600'),
  MODEL_CONTEXT: numberOf(z.int().min(2_048).max(10_000_000)).optional().describe('a number of tokens from 2048'),
  MODEL_CONCURRENCY: numberOf(z.int().min(1).max(100_000)).optional().describe('a whole number from 1'),
  MODEL_TEMPERATURE: numberOf(z.number().min(0).max(2)).optional().describe('a number from 0 to 2'),
  MODEL_SEED: numberOf(z.int()).optional().describe('a whole number'),
  MODEL_REASONING: z.enum(['off', 'low', 'medium', 'high']).optional().describe('off, low, medium or high'),
  MODEL_KEEP_ALIVE: z
    .string()
    .regex(/^-?\d+(?:ms|s|m|h)?$/)
    .optional()
    .describe('a duration such as 30m, or -1 for ever'),
  MODEL_HEADERS: fields(headerValue, headerName).optional().describe('a JSON object of HTTP headers and their values'),
  MODEL_BODY: fields(z.unknown()).optional().describe('a JSON object of fields for the body of each call'),
  MODEL_PROXY: httpUrl.optional().describe('a URL such as http://proxy.example.org:3128'),
};

/** Where a model is served. */
export interface ModelPlace {
  readonly model: string;
  readonly provider: ProviderName | 'auto';
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

export interface ModelConfig extends ModelPlace {
  /** At the same endpoint, for requests that name one. */
  readonly otherModels: readonly string[];
  /** Plans and reflects instead of `model`, at the same endpoint. */
  readonly planningModel: string | undefined;
  /** Takes over when `model` fails. */
  readonly fallback: ModelPlace | undefined;
  readonly timeoutS: number;
  /** Tokens. */
  readonly context: number | undefined;
  /** Calls that an endpoint is sent at the same time. */
  readonly concurrency: number | undefined;
  readonly temperature: number | undefined;
  readonly seed: number | undefined;
  readonly reasoning: 'off' | 'low' | 'medium' | 'high' | undefined;
  readonly keepAlive: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly proxy: string | undefined;
}

type Values = { readonly [Name in keyof typeof modelSettings]: z.infer<(typeof modelSettings)[Name]> };

/**
 * The model in the settings. Only MODEL or MODELS enables one, so that a key in the environment that is meant for something else
 * costs nothing. Returns a sentence about what is missing instead, if it cannot be reached without.
 */
export function readModelConfig(values: Values): ModelConfig | string | undefined {
  const { MODEL: model = values.MODELS[0], MODEL_PROVIDER: chosen } = values;
  if (model === undefined) {
    const alone = (['FALLBACK_MODEL', 'PLANNING_MODEL'] as const).find((name) => values[name] !== undefined);
    return alone && `${alone}: expected MODEL to be set as well; got nothing.`;
  }
  const baseUrl = values.MODEL_BASE_URL ?? values.OPENAI_BASE_URL;
  // A key of OpenAI is sent nowhere else, unless its own settings say where.
  const isOpenAi = chosen === 'auto' || chosen.startsWith('openai') || values.OPENAI_BASE_URL !== undefined;
  const apiKey = values.MODEL_API_KEY ?? (isOpenAi ? values.OPENAI_API_KEY : undefined);
  const main = { model, provider: chosen, apiKey, baseUrl };
  const missing = missingFor('MODEL', main);
  if (missing !== undefined) return missing;
  const fallback = values.FALLBACK_MODEL && {
    model: values.FALLBACK_MODEL,
    ...(values.FALLBACK_BASE_URL === undefined && values.FALLBACK_PROVIDER === 'auto'
      ? { provider: chosen, baseUrl, apiKey: values.FALLBACK_API_KEY ?? apiKey }
      : {
          provider: values.FALLBACK_PROVIDER,
          baseUrl: values.FALLBACK_BASE_URL,
          apiKey: values.FALLBACK_API_KEY,
        }),
  };
  return (
    (fallback && missingFor('FALLBACK_MODEL', fallback)) ?? {
      ...main,
      otherModels: values.MODELS.filter((name) => name !== model),
      planningModel: values.PLANNING_MODEL,
      fallback: fallback || undefined,
      timeoutS: values.MODEL_TIMEOUT_S,
      context: values.MODEL_CONTEXT,
      concurrency: values.MODEL_CONCURRENCY,
      temperature: values.MODEL_TEMPERATURE,
      seed: values.MODEL_SEED,
      reasoning: values.MODEL_REASONING,
      keepAlive: values.MODEL_KEEP_ALIVE,
      headers: values.MODEL_HEADERS,
      body: values.MODEL_BODY,
      proxy: values.MODEL_PROXY,
    }
  );
}

/** Ollama serves its own machine without a key; the others need a key or an address. */
function missingFor(setting: 'MODEL' | 'FALLBACK_MODEL', place: ModelPlace): string | undefined {
  const { provider, apiKey, baseUrl } = place;
  if (apiKey !== undefined || baseUrl !== undefined || provider === 'ollama') return undefined;
  if (provider === 'auto') {
    const [key, url, kind] =
      setting === 'MODEL'
        ? ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'MODEL_PROVIDER']
        : ['FALLBACK_API_KEY', 'FALLBACK_BASE_URL', 'FALLBACK_PROVIDER'];
    return `${setting}: expected ${key}, ${url} or, for a model on this machine, ${kind}=ollama to be set as well; got none of them.`;
  }
  const isOpenAi = provider.startsWith('openai');
  const names =
    setting === 'FALLBACK_MODEL'
      ? 'FALLBACK_API_KEY or FALLBACK_BASE_URL'
      : isOpenAi
        ? 'OPENAI_API_KEY or OPENAI_BASE_URL'
        : 'MODEL_API_KEY or MODEL_BASE_URL';
  return `${setting}: expected ${names} to be set as well; got neither.`;
}
