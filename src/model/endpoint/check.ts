/** Whether an endpoint can be used at all, asked when the server starts: a wrong name or key is then known before a search. */
import { neverAborted, timeLimit } from '../../base/abort.ts';
import { urlBelow } from '../../base/upstream/base-url.ts';
import { createCall } from './call.ts';
import { type Endpoint, postCall, streamOf } from './endpoint.ts';
import { createEndpointClient } from './endpoint-client.ts';
import { isUnreachable, Rejection, rejectionOf, toModelError, unreachable } from './errors.ts';
import { allFeatures } from './features.ts';
import type { WireCall } from './wire.ts';

/** Longest time for the list of models; set by hand. */
const listMs = 10_000;

/**
 * What is wrong with an endpoint, in one sentence like the message of a `ModelError`; undefined if nothing is known to be. Asks
 * for the list of models, and has an endpoint without one say a word. Never rejects.
 */
export async function checkEndpoint(endpoint: Endpoint): Promise<string | undefined> {
  try {
    const names = await listModels(endpoint);
    if (names === undefined) {
      // Some endpoints stream without having been asked to: nobody reads that.
      streamOf(await postCall(endpoint, oneWord(endpoint.model), neverAborted))?.cancel();
    } else if (names.length > 0 && !names.includes(endpoint.model.replace(/^models\//, ''))) {
      return endpoint.wire.missingModel(endpoint.model, names);
    }
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) return unreachable().message;
    // Any other answer to such a small call says nothing about the real ones.
    return error instanceof Rejection && error.permanent ? error.message : undefined;
  }
}

/**
 * What is wrong with an endpoint, as `checkEndpoint` says it; undefined if the model has said a word, in a call that adapts to
 * the endpoint like any other. Rejects with the signal's reason only.
 */
export async function probeEndpoint(endpoint: Endpoint, signal: AbortSignal): Promise<string | undefined> {
  const known = await checkEndpoint(endpoint);
  if (known !== undefined) return known;
  const meter = { admit: () => {}, left: () => Number.MAX_SAFE_INTEGER, record: () => {} };
  try {
    await createEndpointClient(endpoint).complete(word, { signal, meter });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return toModelError(error).message;
  }
}

/** Undefined if the endpoint has no list. Throws a `Rejection` if it refuses the key, or is to be paid. */
async function listModels({ wire, model, baseUrl, fetch, tuning }: Endpoint): Promise<readonly string[] | undefined> {
  const response = await fetch(urlBelow(baseUrl, wire.modelsPath), {
    headers: { ...wire.headers, ...tuning.headers },
    signal: timeLimit(listMs),
  });
  const stream = streamOf(response);
  stream?.cancel();
  if (stream !== undefined) return undefined;
  if (!response.ok) {
    const rejection = rejectionOf(response.status, response.headers, await response.text(), wire.missingModel(model));
    if (rejection.permanent && rejection.status !== 404) throw rejection;
    return undefined;
  }
  return wire.readModels(await response.json().catch(() => undefined));
}

const word = createCall({
  task: 'Say ok.',
  rules: 'Answer with one word.',
  evidence: [],
  question: '',
  maxTokens: 16,
});

/** A call that contains nothing of any caller. */
function oneWord(model: string): WireCall {
  return {
    model,
    system: 'Answer with one word.',
    user: 'Say ok.',
    shared: [],
    maxTokens: 16,
    context: undefined,
    temperature: undefined,
    seed: undefined,
    reasoning: undefined,
    keepAlive: undefined,
    stream: false,
    features: allFeatures,
  };
}
