/** Google's Gemini API. */
import { type Dialect, type Saying, sse, tokensOf } from './dialect.ts';

interface Body {
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly contents: readonly {
    readonly parts: readonly { readonly text?: string; readonly inlineData?: { readonly data: string } }[];
  }[];
  readonly generationConfig: {
    readonly maxOutputTokens: number;
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: object;
    readonly thinkingConfig?: object;
  };
}

const reasons = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' } as const;

export const gemini: Dialect = {
  provider: 'gemini',
  baseUrl: (origin) => `${origin}/gemini/v1beta`,
  keyHeader: (key) => ['x-goog-api-key', key],
  streamType: 'text/event-stream',
  readCall(path, given) {
    const [, model, method] =
      /^\/gemini\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent\?alt=sse)$/.exec(path) ?? [];
    if (model === undefined) return undefined;
    const { systemInstruction, contents, generationConfig } = given as unknown as Body;
    const parts = contents.flatMap((content) => content.parts);
    const isJson = generationConfig.responseMimeType === 'application/json';
    return {
      model: decodeURIComponent(model),
      system: systemInstruction?.parts.map(({ text }) => text).join('') ?? '',
      user: parts.map(({ text = '' }) => text).join(''),
      image: parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData?.data,
      format: generationConfig.responseJsonSchema !== undefined ? 'strict' : isJson ? 'json' : 'text',
      stream: method !== 'generateContent',
      maxTokens: generationConfig.maxOutputTokens,
      context: undefined,
      reasoning: generationConfig.thinkingConfig,
    };
  },
  whole: (saying) => answer(saying, [saying.text], true),
  stream(saying) {
    const pieces = tokensOf(saying.text);
    return [
      ...(saying.reasoning === undefined ? [] : [sse(answer({ text: '', reasoning: saying.reasoning }, [], false))]),
      ...pieces.map((piece, at) => {
        const isLast = at === pieces.length - 1 && saying.fault !== true;
        return sse(answer({ ...saying, reasoning: '' }, [piece], isLast, saying.reasoning));
      }),
      ...(pieces.length === 0 && saying.fault !== true ? [sse(answer({ ...saying, reasoning: '' }, [], true))] : []),
      ...(saying.fault === true
        ? [sse({ error: { code: 503, message: 'secret of the server', status: 'UNAVAILABLE' } })]
        : []),
    ];
  },
  error: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' },
  }),
  modelsPath: '/gemini/v1beta/models',
  models: (names) => ({ models: names.map((name) => ({ name: `models/${name}`, displayName: name })) }),
};

/** `thoughts` are those of the whole answer, which the usage counts. */
function answer(
  { finish = 'stop', reasoning = '', usage }: Saying,
  pieces: readonly string[],
  isLast: boolean,
  thoughts = reasoning,
) {
  const parts = [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(finish === 'refused' ? [] : pieces.map((text) => ({ text }))),
  ];
  return {
    candidates: [
      {
        index: 0,
        ...(parts.length === 0 ? {} : { content: { role: 'model', parts } }),
        ...(isLast ? { finishReason: reasons[finish] } : {}),
      },
    ],
    modelVersion: 'scripted',
    responseId: 'x',
    ...(usage === undefined
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.in,
            candidatesTokenCount: usage.out,
            ...(thoughts === '' ? {} : { thoughtsTokenCount: Math.ceil(thoughts.length / 4) }),
          },
        }),
  };
}
