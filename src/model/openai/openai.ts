/** The Model over any OpenAI-compatible endpoint, hosted or local. */
import type { Model } from '../../engine/ports/model.ts';
import { createCalls, type OpenAiEndpoint } from '../endpoint/calls.ts';
import { createLanguageModel } from '../language/language-model.ts';

/** The model `endpoint.model` at this endpoint, with vision until an image is refused. */
export function createOpenAiModel(endpoint: OpenAiEndpoint): Model {
  return createLanguageModel(endpoint.model, createCalls(endpoint));
}
