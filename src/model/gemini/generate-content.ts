/** The Gemini API of Google: `generateContent` and its stream. */
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { createEnding } from '../endpoint/ending.ts';
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

/** A key of Google AI Studio. */
export function generateContentWire(apiKey: string | undefined): Wire {
  return {
    telemetryName: 'gcp.gemini',
    headers: apiKey === undefined ? {} : { 'x-goog-api-key': apiKey },
    optional: ['format', 'reasoning', 'system', 'temperature', 'seed'],
    path: ({ model, stream }) =>
      `/models/${encodeURIComponent(nameOf(model))}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body,
    readWhole,
    createParser,
    modelsPath: '/models?pageSize=1000',
    readModels(answer) {
      const { models } = (answer ?? {}) as { models?: unknown };
      if (!Array.isArray(models)) return undefined;
      return models.flatMap((each: { name?: unknown } | null) =>
        typeof each?.name === 'string' ? [nameOf(each.name)] : [],
      );
    },
    missingModel,
  };
}

/** Lists show `models/gemini-…`; people write either. */
function nameOf(model: string): string {
  return model.replace(/^models\//, '');
}

function body(call: WireCall): Record<string, unknown> {
  const { system, user, image, maxTokens, temperature, seed, reasoning, schema, features } = call;
  const text = features.system ? user : `${system}\n\n${user}`;
  const inline = image && {
    inlineData: { mimeType: image.type, data: Buffer.from(image.bytes).toString('base64') },
  };
  const isJson = schema !== undefined && features.format !== 'text';
  return {
    ...(features.system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
    contents: [{ role: 'user', parts: [...(inline === undefined ? [] : [inline]), { text }] }],
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(temperature !== undefined && features.temperature ? { temperature } : {}),
      ...(seed !== undefined && features.seed ? { seed } : {}),
      ...(isJson ? { responseMimeType: 'application/json' } : {}),
      ...(isJson && features.format === 'strict' ? { responseJsonSchema: schema.schema } : {}),
      ...(reasoning !== undefined && features.reasoning
        ? { thinkingConfig: reasoning === 'off' ? { thinkingBudget: 0 } : { thinkingLevel: reasoning.toUpperCase() } }
        : {}),
    },
  };
}

interface Answer {
  readonly candidates?: readonly {
    readonly content?: { readonly parts?: readonly { readonly text?: string; readonly thought?: boolean }[] };
    readonly finishReason?: string;
  }[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: {
    readonly promptTokenCount?: number;
    readonly candidatesTokenCount?: number;
    readonly thoughtsTokenCount?: number;
  };
  readonly error?: unknown;
}

function readWhole(answer: unknown): Completion {
  const { text, finish, usage, reasoning } = readAnswer(answer as Answer);
  return { text, finish: finish ?? 'stop', usage, reasoning };
}

/** A whole answer, or one piece of a stream; both have the same form. Throws a `ReportedError`. */
function readAnswer({ candidates, promptFeedback, usageMetadata, error }: Answer) {
  if (error !== undefined && error !== null) throw new ReportedError(error);
  const candidate = candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  const thoughts = countOf(usageMetadata?.thoughtsTokenCount);
  return {
    text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
    thinks: parts.some(({ thought }) => thought),
    finish: promptFeedback?.blockReason === undefined ? finishOf(candidate?.finishReason) : ('refused' as const),
    usage: usageMetadata && {
      in: countOf(usageMetadata.promptTokenCount),
      out: countOf(usageMetadata.candidatesTokenCount) + thoughts,
    },
    reasoning: thoughts,
  };
}

/** Reasons other than these are kinds of refusal: SAFETY, RECITATION, PROHIBITED_CONTENT, … */
function finishOf(reason: string | undefined): Finish | undefined {
  if (reason === undefined || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  if (reason === 'MAX_TOKENS') return 'length';
  return reason === 'STOP' || reason === 'OTHER' ? 'stop' : 'refused';
}

function createParser(): CompletionParser {
  const ending = createEnding();
  const state = {
    done: false,
    usage: undefined as TokenCounts | undefined,
    reasoning: 0,
    get finish() {
      return ending.finish;
    },
    get isEndDoubtful() {
      return ending.isEndDoubtful;
    },
    push: createLineReader(
      readJsonLines(
        'data:',
        (value) => {
          const { text, finish, usage, reasoning, thinks } = readAnswer(value as Answer);
          state.usage = usage ?? state.usage;
          state.reasoning = reasoning || state.reasoning;
          return ending.take(text, finish, thinks);
        },
        () => {
          state.done = true;
          ending.close();
        },
      ),
    ),
  };
  return state;
}
