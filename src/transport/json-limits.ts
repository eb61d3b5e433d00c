/**
 * What a JSON body or frame may hold, counted on its text before anything parses it: a schema that refuses a million fields
 * has visited them all by then, and the event loop waits for it. One pass without allocations, linear in the text. Only an
 * image may be large, as one long string costs the parser little.
 */
import { type IssueType, jsonLimits, requestLimits, type ValidationError } from '../../protocol/index.ts';
import { endOfString, locate } from './locate-in-json.ts';

export interface JsonLimits {
  /** Bytes of everything except the largest image. */
  readonly bytes: number;
  /** Bytes in total. */
  readonly with_image: number;
  /** Fields of all objects together. */
  readonly keys: number;
  /** UTF-16 code units of a string that is not an image; by default as many as a prompt may have. */
  readonly characters?: number;
  /** The names of the fields that may hold an image; by default `image`. */
  readonly images?: readonly string[];
  /** Values of fields and entries of lists, all together. */
  readonly values: number;
}

/** What is exceeded: the size, the depth, or a count, with the place where it was. */
export type Excess = { readonly what: 'size' | 'depth' } | { readonly what: 'count'; readonly issue: ValidationError };

const inRequests = { bytes: requestLimits.body_bytes, with_image: requestLimits.body_with_image_bytes };
const imageFields = ['image'];
const inSignIns = { bytes: requestLimits.sign_in_bytes, with_image: requestLimits.sign_in_bytes };
const searchLimits: JsonLimits = {
  ...inRequests,
  keys: jsonLimits.keys,
  values: jsonLimits.values,
};
/** Read before the caller is known. */
const signInLimits: JsonLimits = { ...searchLimits, ...inSignIns };
const designLimits: JsonLimits = { ...searchLimits, keys: jsonLimits.design_keys, values: jsonLimits.design_values };
/** Conversations: an earlier answer may be longer than any prompt. */
const conversationLimits: JsonLimits = {
  ...inRequests,
  keys: jsonLimits.door_keys,
  values: jsonLimits.door_values,
  characters: requestLimits.body_bytes,
  images: ['url', 'image_url'],
};
/** Tools take no images. */
const messageLimits: JsonLimits = { ...searchLimits, with_image: requestLimits.body_bytes };

/** Whole conversations: the schema looks at few of their values. Earlier messages may have images too. */
const chatLimits: JsonLimits = {
  ...conversationLimits,
  bytes: requestLimits.body_with_image_bytes,
  keys: jsonLimits.chat_keys,
  values: jsonLimits.chat_values,
};
/** Read before the caller is known, as the key may be in it; 20 long URLs fit. Set by hand. */
const tavilyLimits: JsonLimits = {
  ...searchLimits,
  bytes: requestLimits.unknown_caller_bytes,
  with_image: requestLimits.unknown_caller_bytes,
};

/** The limits of bodies that differ from those of a search. */
const limitsBySchema: Readonly<Record<string, JsonLimits>> = {
  SignInRequest: signInLimits,
  Design: designLimits,
  DesignChange: designLimits,
  ChatCompletionRequest: conversationLimits,
  PerplexityAsyncRequest: conversationLimits,
  ResponseRequest: conversationLimits,
  McpMessage: messageLimits,
  ChatRequest: chatLimits,
  TavilySearchRequest: tavilyLimits,
  TavilyExtractRequest: tavilyLimits,
  TavilyCrawlRequest: tavilyLimits,
  TavilyMapRequest: tavilyLimits,
  TavilyResearchRequest: tavilyLimits,
};

/** The limits of the body of an HTTP call. `schema` is its name in the routes table. */
export function limitsOfBody(schema: string | undefined): JsonLimits {
  return (schema === undefined ? undefined : limitsBySchema[schema]) ?? searchLimits;
}

/**
 * Returns which limit the text exceeds, undefined if none. `size` is its size in bytes. It does not check the syntax: of text
 * that is not JSON, the counts are what a parser would meet before it fails.
 */
export function checkJsonLimits(text: string, size: number, limits: JsonLimits): Excess | undefined {
  if (size > limits.with_image) return { what: 'size' };
  const image = size > limits.bytes ? findLongestImage(text, limits.images) : noImage;
  return size - (image.end - image.start) > limits.bytes ? { what: 'size' } : count(text, limits);
}

function count(text: string, limits: JsonLimits): Excess | undefined {
  const { characters: maxCharacters = jsonLimits.string_characters, images = imageFields } = limits;
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at + 1;
        at = endOfString(text, start);
        if (at - start <= maxCharacters || isImage(text, start, images)) break;
        const characters = countCharacters(text, start, at);
        if (characters > maxCharacters) return longString(text, at, characters, maxCharacters);
        break;
      }
      case colon:
        keys += 1;
        if (keys > limits.keys) return tooMany('keys', limits.keys, text, at);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        values += 1;
        if (depth > jsonLimits.depth) return { what: 'depth' };
        if (values > limits.values) return tooMany('values', limits.values, text, at);
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case comma:
        values += 1;
        if (values > limits.values) return tooMany('values', limits.values, text, at);
        break;
      default:
    }
  }
  return undefined;
}

function tooMany(what: 'keys' | 'values', limit: number, text: string, at: number): Excess {
  const loc = ['body', ...locate(text, at).container];
  return excess(loc, `expected at most ${limit} ${what} in total; got more`, 'too_long');
}

function longString(text: string, at: number, characters: number, limit: number): Excess {
  const msg = `expected at most ${limit} characters; got ${characters}`;
  return excess(['body', ...locate(text, at).value], msg, 'string_too_long');
}

function excess(loc: (string | number)[], msg: string, type: IssueType): Excess {
  return { what: 'count', issue: { loc, msg, type } };
}

/** The inside of a string: without its quotes. */
export interface StringRange {
  readonly start: number;
  readonly end: number;
}

const noImage: StringRange = { start: 0, end: 0 };

/** The longest string that is the value of such a field; an empty range if there is none. Base64 and URLs need no escapes. */
export function findLongestImage(text: string, names: readonly string[] = imageFields): StringRange {
  let longest = noImage;
  const field = new RegExp(`"(?:${names.join('|')})"\\s*:\\s*"`, 'g');
  for (let found = field.exec(text); found !== null; found = field.exec(text)) {
    const start = field.lastIndex;
    const end = text.indexOf('"', start);
    if (end === -1) break;
    if (end - start > longest.end - longest.start) longest = { start, end };
    field.lastIndex = end;
  }
  return longest;
}

/** Whether the string that starts at `start`, after its quote, is the value of a field with one of these names. */
function isImage(text: string, start: number, names: readonly string[]): boolean {
  const afterColon = beforeSpace(text, start - 1);
  const afterName = beforeSpace(text, afterColon - 1);
  if (text[afterColon - 1] !== ':') return false;
  // A name that ends in an escaped quote and "image" is another one.
  return names.some((name) => text.endsWith(`"${name}"`, afterName) && text[afterName - name.length - 3] !== '\\');
}

/** The end of what precedes the white space that ends at `end`. */
function beforeSpace(text: string, end: number): number {
  let at = end;
  while (at > 0 && ' \t\n\r'.includes(text[at - 1]!)) at -= 1;
  return at;
}

/** UTF-16 code units of the string between two indices: an escape is one, whether it has two characters or six. */
function countCharacters(text: string, start: number, end: number): number {
  let characters = 0;
  for (let at = start; at < end; characters += 1) {
    if (text.charCodeAt(at) !== backslash) at += 1;
    else at += text[at + 1] === 'u' ? 6 : 2;
  }
  return characters;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, colon, comma] = [...'"\\{}[]:,'].map((c) =>
  c.charCodeAt(0),
);
