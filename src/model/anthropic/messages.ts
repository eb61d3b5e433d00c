/**
 * The Messages API of Anthropic. JSON is requested by its schema; models without that are made to call a tool whose input
 * is the answer. Evidence that several calls of a search show is marked for the cache of prompts, which is used only where
 * it is asked for. A schema or a tool would change the prompt before it: such calls request JSON in words alone.
 */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { createEnding } from '../endpoint/ending.ts';
import { missingModel, ReportedError } from '../endpoint/errors.ts';
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
import { readModelList } from '../openai/model-list.ts';

/** The version of the API that the bodies here are written in. */
const version = '2023-06-01';

/** A key of the Anthropic console. */
export function messagesWire(apiKey: string | undefined): Wire {
  return {
    telemetryName: 'anthropic',
    headers: { 'anthropic-version': version, ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    optional: ['format', 'reasoning', 'temperature'],
    path: () => '/messages',
    body,
    readWhole,
    createParser,
    modelsPath: '/models?limit=1000',
    readModels: readModelList,
    missingModel,
  };
}

function body(call: WireCall): Record<string, unknown> {
  const { model, system, user, shared, image, maxTokens, temperature, stream, features } = call;
  const content = [
    ...(image === undefined
      ? []
      : [
          {
            type: 'image',
            source: { type: 'base64', media_type: image.type, data: Buffer.from(image.bytes).toString('base64') },
          },
        ]),
    ...shared.map((text, at) => ({
      type: 'text',
      text,
      ...(at === shared.length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
    })),
    { type: 'text', text: user.slice(shared.join('').length) },
  ];
  return {
    model,
    system,
    messages: [{ role: 'user', content }],
    max_tokens: maxTokens,
    ...(temperature !== undefined && features.temperature ? { temperature: Math.min(1, temperature) } : {}),
    ...formatOf(call),
    ...(stream ? { stream } : {}),
  };
}

/** Reasoning is off unless it is asked for, and never with a forced tool, which excludes it. */
function formatOf({ schema, reasoning, features, shared }: WireCall): Record<string, unknown> {
  const thinks = reasoning !== undefined && features.reasoning;
  const effort = thinks && reasoning !== 'off' ? { effort: reasoning } : {};
  const thinking = !thinks ? {} : { thinking: { type: reasoning === 'off' ? 'disabled' : 'adaptive' } };
  const config = (format: object) => {
    const output_config = { ...effort, ...format };
    return Object.keys(output_config).length === 0 ? thinking : { ...thinking, output_config };
  };
  if (schema === undefined || features.format === 'text' || shared.length > 0) return config({});
  if (features.format === 'strict') return config({ format: { type: 'json_schema', schema: schema.schema } });
  return {
    tools: [{ name: schema.name, description: 'Takes the answer.', input_schema: schema.schema }],
    tool_choice: { type: 'tool', name: schema.name },
  };
}

interface Usage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number } | null;
}

interface Answer {
  readonly content?: readonly {
    readonly type?: string;
    readonly text?: string;
    readonly input?: unknown;
    readonly thinking?: string;
  }[];
  readonly stop_reason?: string | null;
  readonly usage?: Usage;
  readonly error?: unknown;
}

function readWhole(answer: unknown): Completion {
  const { content = [], stop_reason, usage, error } = answer as Answer;
  if (error !== undefined && error !== null) throw new ReportedError(error);
  const thought = content.reduce((sum, { thinking = '' }) => sum + thinking.length, 0);
  return {
    text: content
      .map(({ type, text = '', input }) => (type === 'tool_use' ? JSON.stringify(input) : type === 'text' ? text : ''))
      .join(''),
    finish: finishOf(stop_reason),
    usage: usage && { in: inputOf(usage), out: countOf(usage.output_tokens) },
    reasoning: countOf(usage?.output_tokens_details?.thinking_tokens) || tokensIn(thought),
  };
}

function finishOf(reason: string | null | undefined): Finish {
  if (reason === 'refusal') return 'refused';
  return reason === 'max_tokens' || reason === 'model_context_window_exceeded' ? 'length' : 'stop';
}

/** Tokens of the prompt, those in a cache included. */
function inputOf({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens }: Usage): number {
  return countOf(input_tokens) + countOf(cache_creation_input_tokens) + countOf(cache_read_input_tokens);
}

interface StreamedEvent {
  readonly type?: string;
  readonly message?: Answer;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly partial_json?: string;
    readonly thinking?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: Usage;
  readonly error?: unknown;
}

function createParser(): CompletionParser {
  let input = 0;
  let thought = 0;
  let reported = 0;
  const ending = createEnding();
  const state = {
    done: false,
    usage: undefined as TokenCounts | undefined,
    get finish() {
      return ending.finish;
    },
    get isEndDoubtful() {
      return ending.isEndDoubtful;
    },
    get reasoning() {
      return reported || tokensIn(thought);
    },
    push: createLineReader(readJsonLines('data:', (value) => read(value as StreamedEvent), end)),
  };

  function end(): void {
    state.done = true;
    ending.close();
  }

  function read({ type, message, delta, usage, error }: StreamedEvent): string {
    switch (type) {
      case 'content_block_delta':
        thought += delta?.thinking?.length ?? 0;
        return ending.take(delta?.text ?? delta?.partial_json ?? '', undefined, delta?.thinking !== undefined);
      case 'message_start':
        input = inputOf(message?.usage ?? {});
        return '';
      case 'message_delta':
        if (delta?.stop_reason) ending.take('', finishOf(delta.stop_reason));
        state.usage = { in: inputOf(usage ?? {}) || input, out: countOf(usage?.output_tokens) };
        reported = countOf(usage?.output_tokens_details?.thinking_tokens);
        return '';
      case 'message_stop':
        end();
        return '';
      case 'error':
        throw new ReportedError(error);
      default:
        return '';
    }
  }

  return state;
}
