/** What a stage wants of a language model, before it is known what the endpoint supports. */
import type { Image } from '../../engine/ports/images.ts';

export type StageName = 'plan' | 'reflect' | 'write' | 'fill' | 'repair' | 'describe' | 'judge';

export interface Call {
  readonly stage: StageName;
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
export function schemaInWords(schema: CallSchema | undefined): string {
  if (schema === undefined) return '';
  return `\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema.schema)}`;
}

/** Instructions and user message with the first `pieces` of the evidence. */
export function writePrompt(
  { task, rules, evidence, question, schema }: Call,
  pieces: number,
  sharesPrefix: boolean,
): { system: string; user: string } {
  const shown = evidence.slice(0, pieces).join('\n\n');
  const material = shown === '' ? question : `Evidence:\n\n${shown}\n\n${question}`;
  if (sharesPrefix) return { system: rules, user: `${material}\n\n${task}${schemaInWords(schema)}` };
  return { system: `${task}\n\n${rules}${schemaInWords(schema)}`, user: material };
}
