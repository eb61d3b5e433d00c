/** The Model over any OpenAI-compatible endpoint, hosted or local. */
import type { Model } from '../../engine/ports/model.ts';
import { createCallQueue } from '../endpoint/call-queue.ts';
import { createCalls } from '../endpoint/calls.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { createLanguageModel } from '../language/language-model.ts';
import { chatWire } from './chat.ts';

export type OpenAiEndpoint = Pick<Endpoint, 'model' | 'fetch' | 'callMs' | 'idleMs' | 'retryMs'> & {
  /** Absent for endpoints that need none. */
  readonly apiKey?: string | undefined;
  /** https://api.openai.com/v1 by default. */
  readonly baseUrl?: string | undefined;
};

/** Set by hand: answers should stay close to the evidence. */
const temperature = 0.2;
const places = 1_000;

/** The model `endpoint.model` at this endpoint, with vision until an image is refused. */
export function createOpenAiModel(endpoint: OpenAiEndpoint): Model {
  const { apiKey, baseUrl = 'https://api.openai.com/v1', ...rest } = endpoint;
  const wire = chatWire(apiKey);
  const queue = createCallQueue(places);
  return createLanguageModel(
    endpoint.model,
    createCalls({ ...rest, baseUrl, wire, queue, tuning: { temperature }, watch: {} }),
  );
}
