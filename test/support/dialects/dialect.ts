/** How a server of one protocol reads requests and words answers, so that one scripted server can speak all of them. */

/** What a call of any protocol says. */
export interface DialectCall {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  /** The image as base64. */
  readonly image: string | undefined;
  /** How JSON was requested: by its schema, by a forced tool or as any JSON, or in words alone. */
  readonly format: 'strict' | 'json' | 'text';
  readonly stream: boolean;
  readonly maxTokens: number;
  readonly context: number | undefined;
  readonly reasoning: unknown;
}

/** What the model says, in terms that every protocol has. */
export interface Saying {
  readonly text: string;
  readonly finish?: 'stop' | 'length' | 'refused';
  /** What it thinks before, in the protocol's own place. */
  readonly reasoning?: string;
  /** Ends a stream with the protocol's own error after the text. */
  readonly fault?: boolean;
  readonly usage?: { readonly in: number; readonly out: number };
}

export interface Dialect {
  readonly provider: 'openai' | 'openai-responses' | 'ollama' | 'anthropic' | 'gemini';
  /** The base URL that a client of this protocol is given. */
  baseUrl(origin: string): string;
  /** The call at this path; undefined if it is not one of this protocol. */
  readCall(path: string, body: Record<string, never>): DialectCall | undefined;
  readonly keyHeader: (key: string) => readonly [string, string];
  readonly streamType: string;
  whole(saying: Saying, call: DialectCall): object;
  /** The body of a stream, in pieces that a real server sends as one. */
  stream(saying: Saying, call: DialectCall): string[];
  error(status: number, message: string): object;
  readonly modelsPath: string;
  models(names: readonly string[]): object;
}

/** Words of a text, each with the space before it. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** A Server-Sent Event of OpenAI's and Google's form, or with a name, of Anthropic's. */
export function sse(data: unknown, event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}
