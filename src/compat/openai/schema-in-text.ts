/** A JSON Schema in a text, or a JSON object that shows the form of an answer, and what the text says besides. */
import { isObject } from '../../base/values/is-object.ts';
import type { Schema } from '../schema-values.ts';
import { schemaOfExample } from './example-schema.ts';

/** Characters of a text in which a schema is looked for; set by hand. */
const maxText = 64_000;
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
/** Demands an answer: "Respond", "Who designed it, answer", "Your output should". "Why does it return JSON like" demands none. */
const demands =
  /^(?:[^,;]*[,;]\s*)?(?:(?:please|and|then|only|always|now|you must)\s+)*(?:(?:your|the)\s+)?(?:respond|reply|return|answer|output|response|give|provide|produce|generate|format|use|write|list)\b/i;
/** The same with the form: "Which are the tallest, as JSON like". */
const asForm = /^(?!\s*(?:how|why)\b).*\b(?:as (?:an? )?(?:valid )?json|in json form(?:at)?)\b/i;
/** Says that an object shows the form of the answer. */
const showsForm = /\b(?:json|examples?|format|form|structure|shape|template|fields|keys|like|follow(?:ing|s)?)\b/i;
/** Where a sentence begins to speak about the form: "as a JSON object", "in this format", "like this". */
const ofForm =
  /\b(?:(?:as|in|with|using|to|by|and)\s+(?:\w+\s+){0,4}?(?:json|format|structure|shape)\b|like(?: this)?\W*$)/i;
/** "and answer" of "Who designed it, and answer in JSON", and white space. */
const trailing =
  /(?<![\s,;(])[\s,;(]*(?:\b(?:and |please |then |only )*(?:respond|reply|return|answer|output|give))?[\s,;(]*$/i;
/** Words of a request for a form that ask for nothing else. */
const wordsOfForm = new Set(
  ' a always an answer be everything format formatted give it json me must object only output please produce provide reply respond response result return should strictly the valid write your'.split(
    ' ',
  ),
);
/** Characters of a sentence that are read; set by hand. */
const maxSentence = 500;

/** Objects of a text, counted from its end, any of which may show a form; set by hand. */
const maxExamples = 8;

export interface Context {
  /** JSON is asked for elsewhere. */
  readonly isAsked: boolean;
  /** The text is what the application says, not a question. */
  readonly byApplication: boolean;
}

/**
 * The last schema of a text or, where it has none, the last object that shows the form of an answer; and what the text says
 * besides.
 */
export function findSchema(text: string, context: Context, budget: Budget): FoundSchema | undefined {
  if (text.length > maxText || !text.includes('{')) return undefined;
  const objects = objectsIn(text, budget);
  const found = objects.findLast(({ value }) => isSchema(value));
  if (found !== undefined) return readSchema(text, found, context.isAsked);
  const shown = objects.slice(-maxExamples).findLast((each) => {
    budget.left -= text.length;
    return budget.left > 0 && isShown(text, each, context);
  });
  const schema = shown && schemaOfExample(shown.value);
  return schema && { schema, rest: withoutExample(text, shown) };
}

function readSchema(text: string, { value, start, end }: Found, isAsked: boolean): FoundSchema | undefined {
  const { before, after } = around(text, { start, end });
  const first = before.findIndex(isRequest);
  if (!isAsked && first === -1 && !after.some(isRequest)) return undefined;
  const until = first === -1 ? before.findLastIndex((each) => !isAboutForm(each)) + 1 : first;
  const from = after.findIndex((each) => !isAboutForm(each));
  const kept = [...before.slice(0, until), ...(from === -1 ? [] : after.slice(from))];
  return { schema: value, rest: kept.join('').trim() };
}

/**
 * Whether an object shows the form of the answer: the sentence right before it asks for JSON or, where JSON is asked for elsewhere,
 * says that it shows a form. An application that asks for JSON has no other objects in what it says.
 */
function isShown(text: string, found: Found, { isAsked, byApplication }: Context): boolean {
  const { before } = around(text, found);
  const lead = before.findLast(isWords)?.trim().slice(0, maxSentence) ?? '';
  if (byApplication && isAsked) return true;
  const asksForJson =
    isAsked || before.some((each) => isAboutJson(each) && (byApplication || demands.test(each.trim())));
  return (asksForJson && (showsForm.test(lead) || (byApplication && demands.test(lead)))) || asForm.test(lead);
}

/** What a text says besides an example. A person has written it, so a sentence may be about the form and ask the question, too. */
function withoutExample(text: string, found: Found): string {
  const { before, after } = around(text, found);
  const lead = Math.max(before.findLastIndex(isWords), 0);
  const until = before.slice(0, lead).findLastIndex((each) => !isAboutForm(each)) + 1;
  const from = after.findIndex((each) => !isAboutForm(each) && /\w/.test(each));
  const rest = from === -1 ? '' : after.slice(from).join('');
  return [...before.slice(0, until), askedIn(before[lead] ?? ''), rest.replace(/^[\s.,;:)]+/, '')].join('').trim();
}

/** "Who designed the lighthouse" of "Who designed the lighthouse, as JSON like this:"; empty if the form is all that it says. */
function askedIn(sentence: string): string {
  const at = sentence.slice(0, maxSentence).search(ofForm);
  const asked = sentence.slice(0, Math.max(at, 0)).replace(trailing, '');
  const isAsking = asked.split(/\W+/).some((word) => !wordsOfForm.has(word.toLowerCase()));
  return isAsking ? `${asked}. ` : '';
}

/** The sentences before and after a part of a text. */
function around(text: string, { start, end }: Pick<Found, 'start' | 'end'>) {
  return { before: text.slice(0, start).match(sentences) ?? [], after: text.slice(end).match(sentences) ?? [] };
}

function isWords(sentence: string): boolean {
  return sentence.trim() !== '' && !fence.test(sentence);
}

function isRequest(sentence: string): boolean {
  const read = sentence.slice(0, maxSentence);
  return asks.some((each) => each.test(read));
}

function isAboutForm(sentence: string): boolean {
  return !isWords(sentence) || isAboutJson(sentence);
}

function isAboutJson(sentence: string): boolean {
  return about.test(sentence.slice(0, maxSentence));
}

function isSchema({ type, properties, $ref, definitions, $defs }: Schema): boolean {
  if (isObject(properties)) return type === undefined || type === 'object';
  return typeof $ref === 'string' && (isObject(definitions) || isObject($defs));
}

/** Characters that may still be read. */
export interface Budget {
  left: number;
}

export interface FoundSchema {
  readonly schema: Schema;
  /** What the text says besides. */
  readonly rest: string;
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
