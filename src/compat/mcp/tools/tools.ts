/**
 * The tools that every server has: what each is called, takes and returns, and how it is run. Input that does not match its
 * schema is an error that the model can read and correct.
 */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { KeyScope } from '../../../../protocol/index.ts';
import { timeLimit } from '../../../base/abort.ts';
import { parse } from '../../../base/errors.ts';
import { isObject } from '../../../base/values/is-object.ts';
import type { Backend, OpenSearch } from '../backend.ts';
import { readToEnd, startWithin, type ToolCall } from '../call.ts';
import { answerResult, contentResult, findResult } from '../results.ts';
import { fetchPage, readPage } from './page-tools.ts';
import {
  AnswerOutput,
  AskInput,
  FetchInput,
  FetchOutput,
  FindInput,
  FindOutput,
  plainSchema,
  ReadPageInput,
  ReadPageOutput,
  ResearchResultInput,
  ResearchStartOutput,
} from './tool-schemas.ts';

/** Runs a tool with arguments that are not validated yet. */
export type RunTool = (backend: Backend, input: unknown, call: ToolCall) => Promise<CallToolResult>;

export interface BuiltInTool {
  readonly tool: Tool;
  /** The scope it needs, if any. */
  readonly scope: KeyScope | undefined;
  readonly run: RunTool;
}

/** A search changes nothing, but it reads the web. */
export const readsTheWeb = { readOnlyHint: true, destructiveHint: false, openWorldHint: true } as const;

/** In the order in which they are listed. */
export const builtInTools: readonly BuiltInTool[] = [
  define(
    {
      name: 'answer',
      title: 'Answer with citations',
      description:
        'Researches a question and answers it with citations whose quotes were checked against the pages they come from. ' +
        'With output_format it returns values in that shape, null where the sources do not say. ' +
        'For questions that take longer than 45 s, call research_start instead.',
      input: AskInput,
      output: AnswerOutput,
      scope: 'search',
    },
    async (backend, input, call) => {
      const search = await startWithin(call, (signal) => backend.search(searchBody(input), signal));
      return answerResult(search.search_id, await readOrCancel(search, call));
    },
  ),
  define(
    {
      name: 'search',
      title: 'Search for sources',
      description: 'Finds pages about a query. Pass the id of a result to fetch to read it.',
      input: FindInput,
      output: FindOutput,
      scope: 'search',
    },
    async (backend, { query, collections }, call) => {
      const only = collections === undefined ? {} : { collections };
      const body = { prompt: query, answer: false, effort: 'fast', ...only };
      const search = await startWithin(call, (signal) => backend.search(body, signal));
      return findResult(search.search_id, await readOrCancel(search, call));
    },
  ),
  define(
    {
      name: 'fetch',
      title: 'Fetch a source',
      description: 'Returns the full text of a result of search, of a citation (by its snapshot) or of a URL.',
      input: FetchInput,
      output: FetchOutput,
      scope: undefined,
    },
    async (backend, { id }, call) => contentResult(await fetchPage(backend, id, call.over)),
  ),
  define(
    {
      name: 'read_page',
      title: 'Read a web page',
      description: 'Reads a page of the web as Markdown, or the passages of it that answer a query.',
      input: ReadPageInput,
      output: ReadPageOutput,
      scope: 'search',
    },
    async (backend, input, call) => contentResult(await readPage(backend, input, call.over)),
  ),
  define(
    {
      name: 'research_start',
      title: 'Start a research',
      description:
        'Starts the same research as answer and returns its search_id immediately. It survives a lost connection and a ' +
        'restart of the server; research_result returns its answer.',
      input: AskInput,
      output: ResearchStartOutput,
      scope: 'search',
    },
    async (backend, input, call) => {
      const { search_id } = await startWithin(call, (signal) => backend.research(searchBody(input), signal));
      return contentResult({ search_id, state: 'running' } satisfies ResearchStartOutput);
    },
  ),
  define(
    {
      name: 'research_result',
      title: 'Read the result of a research',
      description:
        'Waits up to 45 s for the end of a search and returns its answer. While it is running, call it again.',
      input: ResearchResultInput,
      output: AnswerOutput,
      scope: undefined,
    },
    async (backend, { search_id, wait_seconds }, call) => {
      const search = await backend.find(search_id, call.over);
      const wait = timeLimit(1000 * wait_seconds);
      const over = AbortSignal.any([call.over, wait]);
      return answerResult(search_id, await readToEnd(search, { ...call, over }));
    },
  ),
];

/** Reads the search to its end; cancels it when the client leaves. One that still runs at the deadline continues. */
export async function readOrCancel(search: OpenSearch, call: ToolCall) {
  try {
    return await readToEnd(search, call);
  } catch (error) {
    search.cancel();
    throw error;
  }
}

interface Definition<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType;
  readonly scope: KeyScope | undefined;
}

function define<Input extends z.ZodType>(
  { name, title, description, input, output, scope }: Definition<Input>,
  run: (backend: Backend, input: z.output<Input>, call: ToolCall) => Promise<CallToolResult>,
): BuiltInTool {
  const tool = {
    name,
    title,
    description,
    inputSchema: plainSchema(input),
    outputSchema: plainSchema(output),
    annotations: { title, ...readsTheWeb },
  } as Tool;
  const required = new Set((tool.inputSchema.required ?? []) as readonly string[]);
  return {
    tool,
    scope,
    run: (backend, given, call) => run(backend, parse(input, withoutUnset(given, required)), call),
  };
}

/**
 * Arguments without those that say nothing: frameworks that allow no absent properties have models fill the optional ones with null or
 * an empty string.
 */
function withoutUnset(given: unknown, required: ReadonlySet<string>): unknown {
  if (!isObject(given)) return given ?? {};
  const isSet = ([name, value]: [string, unknown]) => required.has(name) || (value !== null && value !== '');
  return Object.fromEntries(Object.entries(given).filter(isSet));
}

/** A structured answer comes with its evidence, because an agent is to check it. */
function searchBody(input: z.output<typeof AskInput>): Record<string, unknown> {
  return input.output_format === undefined ? input : { ...input, include: ['evidence'] };
}
