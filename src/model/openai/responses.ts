/** The Responses API of OpenAI. Nothing is stored there: every call carries all that it needs. */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { missingModel, ReportedError } from '../endpoint/errors.ts';
import { createLineReader, readJsonLines } from '../endpoint/line-reader.ts';
import {
  type Completion,
  type CompletionParser,
  countOf,
  type Finish,
  type Wire,
  type WireCall,
} from '../endpoint/wire.ts';
import { readModelList } from './model-list.ts';

/** `apiKey` is absent for endpoints that need none. */
export function responsesWire(apiKey: string | undefined): Wire {
  return {
    telemetryName: 'openai',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    optional: ['format', 'reasoning', 'temperature'],
    path: () => '/responses',
    body,
    readWhole,
    createParser,
    modelsPath: '/models',
    readModels: readModelList,
    missingModel,
  };
}

function body(call: WireCall): Record<string, unknown> {
  const { model, system, user, image, maxTokens, temperature, reasoning, schema, stream, features } = call;
  const content = [
    { type: 'input_text', text: user },
    ...(image === undefined
      ? []
      : [
          {
            type: 'input_image',
            image_url: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}`,
            detail: 'auto',
          },
        ]),
  ];
  const format =
    schema === undefined || features.format === 'text'
      ? undefined
      : features.format === 'json'
        ? { type: 'json_object' }
        : { type: 'json_schema', ...schema, strict: true };
  return {
    model,
    instructions: system,
    input: [{ role: 'user', content }],
    max_output_tokens: maxTokens,
    store: false,
    ...(temperature !== undefined && features.temperature ? { temperature } : {}),
    ...(reasoning !== undefined && features.reasoning
      ? { reasoning: { effort: reasoning === 'off' ? 'none' : reasoning } }
      : {}),
    ...(format === undefined ? {} : { text: { format } }),
    ...(stream ? { stream } : {}),
  };
}

interface Answer {
  readonly status?: string;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: string } | null;
  readonly output?: readonly {
    readonly type?: string;
    readonly content?: readonly { readonly type?: string; readonly text?: string }[];
  }[];
  readonly usage?: {
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    readonly output_tokens_details?: { readonly reasoning_tokens?: number } | null;
  } | null;
}

function readWhole(answer: unknown): Completion {
  const { output = [], usage } = answer as Answer;
  const parts = output.flatMap(({ type, content = [] }) => (type === 'message' ? content : []));
  const isRefused = parts.some(({ type }) => type === 'refusal');
  const { status, error } = answer as Answer;
  if (status === 'failed' || status === 'cancelled' || (error !== undefined && error !== null))
    throw new ReportedError(error);
  return {
    text: parts.map(({ type, text }) => (type === 'output_text' ? (text ?? '') : '')).join(''),
    finish: isRefused ? 'refused' : finishOf(answer as Answer),
    usage: usageOf(answer as Answer),
    reasoning: countOf(usage?.output_tokens_details?.reasoning_tokens),
  };
}

function finishOf({ incomplete_details }: Answer): Finish {
  const reason = incomplete_details?.reason;
  if (reason === 'content_filter') return 'refused';
  return reason === 'max_output_tokens' ? 'length' : 'stop';
}

function usageOf({ usage }: Answer): TokenCounts | undefined {
  return usage ? { in: countOf(usage.input_tokens), out: countOf(usage.output_tokens) } : undefined;
}

interface StreamedEvent {
  readonly type?: string;
  readonly delta?: unknown;
  readonly response?: Answer;
  readonly error?: unknown;
}

function createParser(): CompletionParser {
  let isRefused = false;
  let finish: Finish | undefined;
  const state = {
    done: false,
    usage: undefined as TokenCounts | undefined,
    reasoning: 0,
    get finish() {
      return finish !== undefined && isRefused ? 'refused' : finish;
    },
    push: createLineReader(readJsonLines('data:', (value) => read(value as StreamedEvent), end)),
  };

  function end(): void {
    state.done = true;
    finish ??= 'stop';
  }

  function read(event: StreamedEvent): string {
    const { type, delta, response, error } = event;
    if (type === 'response.output_text.delta') return typeof delta === 'string' ? delta : '';
    if (type === 'response.refusal.delta') isRefused = true;
    // Its fields are beside the type, or, in some versions, in an object of their own.
    if (type === 'error') throw new ReportedError(error ?? { ...event, type: undefined });
    if (type === 'response.failed') throw new ReportedError(response?.error);
    if ((type === 'response.completed' || type === 'response.incomplete') && response !== undefined) {
      finish = finishOf(response);
      end();
      state.usage = usageOf(response);
      state.reasoning = countOf(response.usage?.output_tokens_details?.reasoning_tokens);
    }
    return '';
  }

  return state;
}
