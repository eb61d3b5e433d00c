/** Chat completions: the protocol of OpenAI that most hosted and local servers speak. */
import { missingModel } from '../endpoint/errors.ts';
import type { Wire, WireCall } from '../endpoint/wire.ts';
import { readCompletion } from './chat-answer.ts';
import { createCompletionParser } from './completion-parser.ts';
import { readModelList } from './model-list.ts';

/** `apiKey` is absent for endpoints that need none. */
export function chatWire(apiKey: string | undefined): Wire {
  return {
    telemetryName: 'openai',
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    optional: ['format', 'reasoning', 'system', 'temperature', 'seed', 'streamUsage', 'maxTokens'],
    path: () => '/chat/completions',
    body,
    readWhole: readCompletion,
    createParser: createCompletionParser,
    modelsPath: '/models',
    readModels: readModelList,
    missingModel,
  };
}

function body(call: WireCall): Record<string, unknown> {
  const { model, maxTokens, temperature, seed, stream, features } = call;
  return {
    model,
    messages: messagesOf(call),
    [features.maxTokens ? 'max_tokens' : 'max_completion_tokens']: maxTokens,
    ...(temperature !== undefined && features.temperature ? { temperature } : {}),
    ...(seed !== undefined && features.seed ? { seed } : {}),
    ...reasoningOf(call),
    ...formatOf(call),
    ...(stream ? { stream } : {}),
    ...(stream && features.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

/** Templates of some models have no system role: their instructions open the first message. */
function messagesOf({ system, user, image, features }: WireCall): object[] {
  const text = features.system ? user : `${system}\n\n${user}`;
  const content =
    image === undefined
      ? text
      : [
          { type: 'text', text },
          {
            type: 'image_url',
            image_url: { url: `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}` },
          },
        ];
  return [...(features.system ? [{ role: 'system', content: system }] : []), { role: 'user', content }];
}

function formatOf({ schema, features }: WireCall): Record<string, unknown> {
  if (schema === undefined || features.format === 'text') return {};
  if (features.format === 'json') return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } };
}

/** `enable_thinking` is the switch of vLLM and SGLang for models such as Qwen. */
function reasoningOf({ reasoning, features }: WireCall): Record<string, unknown> {
  if (reasoning === undefined || !features.reasoning) return {};
  if (reasoning !== 'off') return { reasoning_effort: reasoning };
  return { reasoning_effort: 'none', chat_template_kwargs: { enable_thinking: false } };
}
