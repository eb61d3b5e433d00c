/**
 * A JSON Schema in the words of a prompt. Where a model may not know structured outputs, libraries write the schema into a system
 * or a user turn, with a sentence that asks for JSON which fits it: LangChain's parsers, Instructor's JSON modes, PydanticAI's
 * `PromptedOutput`, LlamaIndex, Genkit. Searched for as it stands, it would be the question; so it is read as the format that it is.
 */
import type { Turn } from '../../../protocol/index.ts';
import { templateIssues } from '../../../protocol/template-issues.ts';
import { AppError } from '../../base/errors.ts';
import { textOf } from './conversation.ts';
import { isObject, readFormat, type Shape } from './json-schema.ts';

export interface ShapedTurns {
  /** Without a schema and the sentences about it; a turn that has no other text is left out. */
  readonly turns: readonly Turn[];
  readonly shape: Shape | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

/** Characters of a turn in which a schema is looked for, and those that are read in all, as those after a "{" may be read again. Set by hand. */
const maxText = 64_000;
const maxRead = 1_000_000;

/**
 * The shape of an answer, undefined for text, and the turns to search for: by its format, see `readFormat`, or where that has no schema, by
 * the words of the turns.
 */
export function readShape(turns: readonly Turn[], ...[format, schema, at]: Parameters<typeof readFormat>): ShapedTurns {
  const shape = readFormat(format, schema, at);
  const mayBePrompted = shape === undefined || (format?.type === 'json_object' && !isObject(schema));
  const prompted = mayBePrompted ? promptedShape(turns, shape !== undefined) : { turns, shape };
  return { turns: prompted.turns, shape: prompted.shape ?? shape };
}

/**
 * The shape that the last question, or what the application says, asks an answer to have; those of earlier questions are over. The turns
 * stay as they are if nothing is asked besides, or if no template can express the shape. `isAsked`: JSON is asked for elsewhere, so that
 * no sentence need ask for it.
 */
function promptedShape(turns: readonly Turn[], isAsked: boolean): ShapedTurns {
  const lastAnswer = turns.findLastIndex(({ role }) => role === 'assistant');
  let schema: Schema | undefined;
  const budget = { left: maxRead };
  const rest = turns.flatMap((turn, at): Turn[] => {
    if (turn.role !== 'user' && !isApplication(turn)) return [turn];
    const found = findSchema(textOf(turn), isAsked, budget);
    if (found === undefined) return [turn];
    if (isApplication(turn) || at > lastAnswer) schema = found.schema;
    return withText(turn, found.rest);
  });
  const question = rest.findLast(({ role }) => role === 'user');
  const shape = schema && shapeOf(schema);
  const isRead = (schema === undefined || shape !== undefined) && textOf(question).trim() !== '';
  return isRead ? { turns: rest, shape } : { turns, shape: undefined };
}

/** Undefined if no template can express it: the words then are a prompt like any other. */
function shapeOf(schema: Schema): Shape | undefined {
  try {
    const shape = readFormat({ type: 'json_schema' }, schema, { format: [], schema: [] });
    return shape !== undefined && templateIssues(shape.template).length === 0 ? shape : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function isApplication({ role }: Turn): boolean {
  return role === 'system' || role === 'developer';
}

/** The turn with this text instead, beside its images. */
function withText(turn: Turn, text: string): Turn[] {
  const { content } = turn;
  if (!Array.isArray(content)) return text === '' ? [] : [{ ...turn, content: text }];
  const images = content.filter((part) => typeof part.text !== 'string');
  const type = content.find((part) => typeof part.text === 'string')!.type;
  const parts = text === '' ? images : [{ type, text }, ...images];
  return parts.length === 0 ? [] : [{ ...turn, content: parts }];
}

/** Asks for JSON in a form: "Output should be in JSON format", "Here's a JSON schema to follow". */
const asks = [
  /\b(?:output|respond|response|reply|answer|return|format|formatted|provide|produce|generate|here(?:['’]s| is)|must|match)\b.*\b(?:json|schema|json_schema)\b/i,
  /\b(?:json|schema)\b.*\b(?:conforms?|adheres?|follow(?:ing|s)?|match(?:es|ing)?|below|fits?)\b/i,
];
/** Speaks about the form. */
const about = /\b(?:json|json_schema|schema|markdown|code ?blocks?|fenc(?:es?|ing))\b/i;
const fence = /^\s*```\w*\s*$/;
/** A sentence, or the part of it in one line, with the white space after it. */
const sentences = /[^\n]*?(?:[.!?:]\s+|\n|$)/g;
/** Characters of a sentence that are read; set by hand. */
const maxSentence = 500;

/** The last schema of a text, and what the text says besides. */
function findSchema(text: string, isAsked: boolean, budget: Budget): { schema: Schema; rest: string } | undefined {
  if (text.length > maxText || !(text.includes('"properties"') || text.includes('"$ref"'))) return undefined;
  const found = objectsIn(text, budget).findLast(({ value }) => isSchema(value));
  if (found === undefined) return undefined;
  const before = text.slice(0, found.start).match(sentences) ?? [];
  const after = text.slice(found.end).match(sentences) ?? [];
  const first = before.findIndex(isRequest);
  if (!isAsked && first === -1 && !after.some(isRequest)) return undefined;
  const until = first === -1 ? before.findLastIndex((each) => !isAboutForm(each)) + 1 : first;
  const from = after.findIndex((each) => !isAboutForm(each));
  const kept = [...before.slice(0, until), ...(from === -1 ? [] : after.slice(from))];
  return { schema: found.value, rest: kept.join('').trim() };
}

function isRequest(sentence: string): boolean {
  const read = sentence.slice(0, maxSentence);
  return asks.some((each) => each.test(read));
}

function isAboutForm(sentence: string): boolean {
  return sentence.trim() === '' || fence.test(sentence) || about.test(sentence.slice(0, maxSentence));
}

function isSchema({ type, properties, $ref, definitions, $defs }: Schema): boolean {
  if (isObject(properties)) return type === undefined || type === 'object';
  return typeof $ref === 'string' && (isObject(definitions) || isObject($defs));
}

/** Characters that may still be read. */
interface Budget {
  left: number;
}

interface Found {
  readonly value: Schema;
  readonly start: number;
  readonly end: number;
}

/** The JSON objects of a text that are not part of another one. */
function objectsIn(text: string, budget: Budget): Found[] {
  const found: Found[] = [];
  let start = text.indexOf('{');
  while (start !== -1 && budget.left > 0) {
    const end = endOfObject(text, start);
    budget.left -= (end ?? text.length) - start;
    const value = end === undefined ? undefined : parsed(text.slice(start, end));
    if (value !== undefined) found.push({ value, start, end: end! });
    start = text.indexOf('{', value === undefined ? start + 1 : end!);
  }
  return found;
}

/** Where the object that begins at `start` would end by its braces, those in strings apart. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): Schema | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
