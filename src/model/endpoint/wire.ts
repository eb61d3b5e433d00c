/**
 * A wire says a call in the words of one protocol and reads the answer. There is one for each protocol; everything else
 * (retries, time limits, what an endpoint supports, the queue) is the same for all of them.
 *
 * No SDK: those of the three vendors weigh tens of megabytes, OpenAI's alone takes 100 ms to load, and they differ in errors,
 * retries and streams, while a request is one JSON body. And every token would pass through their generators: a lean
 * reader of the raw response costs half as much (`npm run bench -- relay`).
 */
import type { Image } from '../../engine/ports/images.ts';
import type { TokenCounts } from '../../engine/ports/token-counts.ts';

/** What an endpoint is assumed to support until it says otherwise. Wires leave out what they have no words for. */
export interface Features {
  /** How the shape of JSON is requested: by its schema, as any JSON, or in words alone. */
  readonly format: 'strict' | 'json' | 'text';
  /** Whether instructions go into a message of their own. */
  readonly system: boolean;
  readonly temperature: boolean;
  readonly seed: boolean;
  /** Whether the effort of reasoning can be set, and reasoning switched off. */
  readonly reasoning: boolean;
  /** Whether the name of the output limit is `max_tokens`, rather than `max_completion_tokens`. */
  readonly maxTokens: boolean;
  /** Whether a stream reports its usage on request. */
  readonly streamUsage: boolean;
}
export type FeatureName = keyof Features;

/** `off` asks for no reasoning at all; undefined leaves it to the endpoint. */
export type Reasoning = 'off' | 'low' | 'medium' | 'high';

/** One call, ready to be sent. */
export interface WireCall {
  readonly model: string;
  /** Instructions. */
  readonly system: string;
  readonly user: string;
  /** The beginning of `user`, in pieces, if other calls of the search begin with the same. */
  readonly shared: readonly string[];
  readonly image?: Image | undefined;
  /** The JSON Schema of the answer, if it is JSON. The words of the call describe it as well. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> } | undefined;
  /** Longest answer. */
  readonly maxTokens: number;
  /** Length of the context, in tokens, if it is known. */
  readonly context: number | undefined;
  readonly temperature: number | undefined;
  readonly seed: number | undefined;
  readonly reasoning: Reasoning | undefined;
  /** How long a local server keeps the model in memory: `30m`, `-1` for ever. */
  readonly keepAlive: string | undefined;
  readonly stream: boolean;
  readonly features: Features;
}

/** How an answer ended: complete, cut off at the limit of its tokens, or refused. */
export type Finish = 'stop' | 'length' | 'refused';

/** A whole answer. */
export interface Completion {
  readonly text: string;
  readonly finish: Finish;
  /** As the endpoint counted them. */
  readonly usage: TokenCounts | undefined;
  /** Tokens spent on reasoning before the answer, reported or estimated. */
  readonly reasoning: number;
}

/** Reads one streamed answer: bytes in, text out. */
export interface CompletionParser {
  /**
   * Returns the text that is now complete. Throws a `ModelError` if the bytes are not those of an answer, or a `FaultAfterText` with that
   * error if they have text before it.
   */
  push(bytes: Buffer): string;
  /** Whether nothing more is expected. */
  readonly done: boolean;
  /** Undefined until the answer has ended. */
  readonly finish: Finish | undefined;
  /** Whether its end was said too early, or may have been: only `done` or the end of the body is one then. */
  readonly isEndDoubtful?: boolean;
  /** As the endpoint counted them. */
  readonly usage: TokenCounts | undefined;
  /** Tokens spent on reasoning so far, reported or estimated. */
  readonly reasoning: number;
}

export interface Wire {
  /** Whose protocol it is, by the name that the GenAI conventions of OpenTelemetry give it. */
  readonly telemetryName: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What can be left out if an endpoint rejects a call without saying why, most suspect first. */
  readonly optional: readonly FeatureName[];
  /** Path and query, to be added to the base URL. */
  path(call: Pick<WireCall, 'model' | 'stream'>): string;
  body(call: WireCall): Record<string, unknown>;
  /** Throws a `ReportedError` if the answer is an error, and any other error if it is not an answer of this protocol. */
  readWhole(answer: unknown): Completion;
  createParser(): CompletionParser;
  /** Where the models are listed; GET. */
  readonly modelsPath: string;
  /** The names in that list; undefined if it is not one. */
  readModels(answer: unknown): readonly string[] | undefined;
  /** What is wrong where the endpoint does not have a model, in a sentence; `names` are those that it has, if it lists them. */
  missingModel(model: string, names?: readonly string[]): string;
}

/** A cautious estimate: English has about four characters per token. */
export const charactersPerToken = 3.5;

/** Tokens in this many characters, estimated. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** A count as endpoints report it; 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}
