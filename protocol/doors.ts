/**
 * The doors: the protocols through which a search can come in. `native` is this one; the others are those of clients that
 * people already use. A door decides what its calls look like, never what a search does, costs or may do.
 */
import * as z from 'zod';
import { type ErrorCode, errorTable } from './errors.ts';

interface DoorRow {
  readonly means: string;
  /** Name of the schema of its error bodies. */
  readonly error:
    | 'HTTPError'
    | 'OpenAIError'
    | 'PerplexityError'
    | 'McpError'
    | 'TavilyError'
    | 'ExaError'
    | 'ParallelError';
  /**
   * What its paths begin with, if no other door shares it: clients of such a door also ask for calls that are not here, and show the reason
   * only of errors in their own form.
   */
  readonly prefix?: string;
  /** The status of errors that are a 422 in the error table. */
  readonly invalid: 400 | 422;
}

export const doors = {
  native: { means: '`citewire.v1`, over HTTP and WebSocket', error: 'HTTPError', invalid: 422 },
  openai: { means: "OpenAI's chat completions and models", error: 'OpenAIError', invalid: 400 },
  responses: { means: "OpenAI's responses", error: 'OpenAIError', invalid: 400 },
  'ai-sdk': { means: "the AI SDK's `useChat`", error: 'HTTPError', invalid: 422 },
  tavily: { means: "Tavily's search, extract, crawl and map", error: 'TavilyError', prefix: '/tavily/', invalid: 400 },
  exa: { means: "Exa's search, contents and answer", error: 'ExaError', prefix: '/exa/', invalid: 400 },
  parallel: {
    means: "Parallel's task runs, search and extract",
    error: 'ParallelError',
    prefix: '/parallel/',
    invalid: 422,
  },
  perplexity: {
    means: "Perplexity's chat completions and search",
    error: 'PerplexityError',
    prefix: '/perplexity/',
    invalid: 400,
  },
  'open-webui': { means: "Open WebUI's external search and loader", error: 'HTTPError', invalid: 422 },
  searxng: { means: "SearXNG's search API", error: 'HTTPError', invalid: 422 },
  mcp: { means: 'the Model Context Protocol', error: 'McpError', invalid: 400 },
} as const satisfies Record<string, DoorRow>;

export type DoorName = keyof typeof doors;

export const Door = z.enum(Object.keys(doors) as [DoorName, ...DoorName[]]);

/**
 * How a search came: the door, and for the native one more closely. `example` is the run of an example before an API is
 * published.
 */
export const searchChannels = [
  'http',
  'sse',
  'websocket',
  'background',
  'schedule',
  'example',
  ...(Object.keys(doors) as DoorName[]).filter((door) => door !== 'native'),
] as ('http' | 'sse' | 'websocket' | 'background' | 'schedule' | 'example' | Exclude<DoorName, 'native'>)[];
export type SearchChannel = (typeof searchChannels)[number];

export const SearchChannel = z.enum(searchChannels);

/** The HTTP status of an error at a door. */
export function statusAt(door: DoorName, code: ErrorCode): number {
  const { status } = errorTable[code];
  return status === 422 ? doors[door].invalid : status;
}

/** Body of every error at the doors of OpenAI. */
export const OpenAIError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string().describe('Such as `invalid_request_error`, `authentication_error` or `server_error`.'),
      param: z.string().nullable().describe('The field that is wrong.'),
      code: z.string().describe('The code of the error table.'),
    }),
  })
  .meta({ id: 'OpenAIError' });
export type OpenAIError = z.infer<typeof OpenAIError>;

/** Body of every error at the door of Perplexity, whose codes are numbers. */
export const PerplexityError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string().describe('The code of the error table.'),
      param: z.string().nullable().describe('The field that is wrong.'),
      code: z.int().describe('The HTTP status.'),
    }),
  })
  .meta({ id: 'PerplexityError' });
export type PerplexityError = z.infer<typeof PerplexityError>;
