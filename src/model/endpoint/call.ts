/** What a stage wants of a language model, before it is known what the endpoint supports. */
import type { Image } from '../../engine/ports/images.ts';

export interface Call {
  /** What this stage has to do. */
  readonly task: string;
  /** The rules that hold in every stage of a search. */
  readonly rules: string;
  /** The pieces of evidence as they are shown, best first. Those that do not fit are left out. */
  readonly evidence: readonly string[];
  /** The question, and what else is said after the evidence. */
  readonly question: string;
  /** What of the prompt does not depend on the evidence, for its length. */
  readonly fixed: string;
  /** Longest answer, in tokens. */
  readonly maxTokens: number;
  /** The JSON Schema of the answer, if it is JSON. `isOurs` unless a caller's template decides it. */
  readonly schema?: CallSchema | undefined;
  /** Whether a text is the JSON that was requested. */
  readonly accepts?: ((text: string) => boolean) | undefined;
  readonly image?: Image | undefined;
  /** Whether JSON is requested in words alone. */
  readonly inWords?: boolean;
  /** Whether another call of the search is likely to show the same evidence. */
  readonly isReused?: boolean;
}

export interface CallSchema {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly isOurs: boolean;
}

/** Set once per call, so that its length is known without writing the prompt. */
export function createCall(call: Omit<Call, 'fixed'>): Call {
  return { ...call, fixed: `${call.task}${call.rules}${call.question}${schemaInWords(call.schema)}` };
}

/** The shape in words: endpoints may ignore the schema of a call, and models do better when they have read it. */
function schemaInWords(schema: CallSchema | undefined): string {
  if (schema === undefined) return '';
  return `\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema.schema)}`;
}

/**
 * Instructions and user message with the first `pieces` of the evidence. What the calls of a search have in common comes
 * first, and the task last, so that endpoints read it once. `shared` are the pieces of evidence as the message begins with
 * them, if another call of the search begins with them, too.
 */
export function writePrompt(
  { task, rules, evidence, question, schema, isReused = false }: Call,
  pieces: number,
): { system: string; user: string; shared: readonly string[] } {
  const shown = evidence.slice(0, pieces).map((piece, at) => `${at === 0 ? 'Evidence:' : ''}\n\n${piece}`);
  const rest = `${question}\n\n${task}${schemaInWords(schema)}`;
  const user = shown.length === 0 ? rest : `${shown.join('')}\n\n${rest}`;
  return { system: rules, user, shared: isReused ? shown : [] };
}
