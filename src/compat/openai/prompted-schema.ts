/**
 * A JSON Schema in the words of a prompt. Where a model may not know structured outputs, libraries write the schema into a system
 * or a user turn, with a sentence that asks for JSON which fits it: LangChain's parsers, Instructor's JSON modes, PydanticAI's
 * `PromptedOutput`, LlamaIndex, Genkit. People show an example of the JSON instead. Searched for as it is, either would be the
 * question; so it is read as the format that it is.
 */
import type { Turn } from '../../../protocol/index.ts';
import { templateIssues } from '../../../protocol/template-issues.ts';
import { AppError } from '../../base/errors.ts';
import { isObject } from '../../base/values/is-object.ts';
import { readFormat, type Shape } from '../json-schema.ts';
import type { Schema } from '../schema-values.ts';
import { textOf } from './conversation.ts';
import { findSchema } from './schema-in-text.ts';

export interface ShapedTurns {
  /** Without a schema and the sentences about it; a turn that has no other text is left out. */
  readonly turns: readonly Turn[];
  readonly shape: Shape | undefined;
}

/** Characters that are read in all, since some are read again; set by hand. */
const maxRead = 1_000_000;

/**
 * The shape of an answer, undefined for text, and the turns to search for: by its format, see `readFormat`, or where that has no
 * schema, by the words of the turns.
 */
export function readShape(turns: readonly Turn[], ...[format, schema, at]: Parameters<typeof readFormat>): ShapedTurns {
  // At OpenAI the schema of a `json_schema` is optional.
  const isOpen = format?.type === 'json_schema' && schema == null;
  const shape = readFormat(isOpen ? { type: 'json_object' } : format, schema, at);
  const mayBePrompted = shape === undefined || ((isOpen || format?.type === 'json_object') && !isObject(schema));
  const prompted = mayBePrompted ? promptedShape(turns, shape !== undefined) : { turns, shape };
  return { turns: prompted.turns, shape: prompted.shape ?? shape };
}

/**
 * The shape that the last question, or what the application says, asks an answer to have; those of earlier questions are over. The
 * turns stay as they are if nothing is asked besides, or if no template can express the shape. `isAsked`: JSON is asked for
 * elsewhere, so that no sentence need ask for it.
 */
function promptedShape(turns: readonly Turn[], isAsked: boolean): ShapedTurns {
  const lastAnswer = turns.findLastIndex(({ role }) => role === 'assistant');
  let schema: Schema | undefined;
  const budget = { left: maxRead };
  const rest = turns.flatMap((turn, at): Turn[] => {
    if (turn.role !== 'user' && !isApplication(turn)) return [turn];
    const found = findSchema(textOf(turn), { isAsked, byApplication: isApplication(turn) }, budget);
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
