/**
 * Results of tools: a pure mapping from the terminal event of a search. Structured content is always an object and is repeated
 * as text, for clients that read only that; an error has a text alone. A source is also a link to its stored text.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type ErrorObject,
  type SearchEventOf,
  type Source,
  structuredOutput,
  type TerminalEvent,
  type TextResult,
} from '../../../protocol/index.ts';
import { type AppError, errorObject } from '../../base/errors.ts';
import { errorOf } from '../../transport/http/await-result.ts';
import type { Ending } from './call.ts';
import { snapshotUri } from './resource-uris.ts';
import type { AnswerOutput, FindOutput } from './tools/tool-schemas.ts';

type Completed = SearchEventOf<'search.completed'>;
type NotCompleted = Exclude<TerminalEvent, Completed>;

/** The result of `answer` and `research_result`. */
export function answerResult(search_id: string, { terminal, warnings }: Ending): CallToolResult {
  if (terminal === undefined) {
    const message = 'The search is still running: call research_result with its search_id.';
    return contentResult({ search_id, state: 'running', message } satisfies AnswerOutput);
  }
  if (terminal.type !== 'search.completed') return failedResult(terminal);
  const said = warnings.length === 0 ? {} : { warnings: [...warnings] };
  return contentResult({ ...answerOf(search_id, terminal), ...said } satisfies AnswerOutput, terminal.sources);
}

/** The result of `search`: the sources that were weighed, in the order of their numbers. */
export function findResult(search_id: string, { terminal }: Ending): CallToolResult {
  if (terminal === undefined) return stillRunning(search_id);
  if (terminal.type !== 'search.completed') return failedResult(terminal);
  const results = terminal.sources.map(({ snapshot, title, url }) => ({ id: snapshot, title: title || url, url }));
  return contentResult({ results } satisfies FindOutput);
}

/** The result of a published API: exactly its answer. The id of the search is in `_meta`. */
export function apiResult(search_id: string, { terminal }: Ending): CallToolResult {
  if (terminal === undefined) return stillRunning(search_id);
  if (terminal.type !== 'search.completed') return failedResult(terminal);
  return { ...contentResult(terminal.result as Record<string, unknown>, terminal.sources), _meta: { search_id } };
}

/** An object as structured content and as text, with a link to each source. */
export function contentResult(
  structuredContent: Record<string, unknown>,
  sources: readonly Source[] = [],
): CallToolResult {
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: 'text', text }, ...sources.map(linkTo)], structuredContent };
}

/** An error as clients show it to their model: what went wrong, in which fields, and when to try again. */
export function errorResult(error: AppError, request_id: string): CallToolResult {
  return describeError(errorObject(error, request_id));
}

/** The result is the answer alone unless evidence was asked for; the event has the rest in any case. */
function answerOf(search_id: string, { status, result, evidence, citations, sources }: Completed): AnswerOutput {
  const known = { search_id, state: 'completed', status } as const;
  const support = { citations, sources };
  if (evidence === undefined) {
    const { answer, message, nearest, uncited_share, uncited } = result as TextResult;
    return { ...known, answer, ...withoutUndefined({ message, nearest, uncited_share, uncited }), ...support };
  }
  return { ...known, output: structuredOutput(result, search_id), evidence, ...support };
}

function linkTo({ n, url, title, snapshot }: Source): CallToolResult['content'][number] {
  const uri = snapshotUri(snapshot);
  return {
    type: 'resource_link',
    uri,
    name: `[${n}]`,
    title: title || url,
    description: url,
    mimeType: 'text/markdown',
  };
}

function failedResult(terminal: NotCompleted): CallToolResult {
  if (terminal.type === 'search.failed') return describeError(terminal.error);
  const { code, message, details } = errorOf(terminal);
  return describeError({ code, message, retry_after_ms: details.retry_after_ms });
}

function stillRunning(search_id: string): CallToolResult {
  return {
    ...textError(`The search is still running. Call research_result with search_id ${JSON.stringify(search_id)}.`),
    _meta: { search_id },
  };
}

/** An error that has no call to blame has no `request_id`. */
type DescribedError = Pick<ErrorObject, 'code' | 'message' | 'retry_after_ms' | 'issues'> &
  Partial<Pick<ErrorObject, 'request_id'>>;

function describeError({ code, message, retry_after_ms, issues = [], request_id }: DescribedError): CallToolResult {
  // The arguments of a tool are the body of a search, which clients do not see.
  const lines = [`${code}: ${message.replace(/^body(?:\.|: )/, '')}`];
  // The message is that of the first one.
  lines.push(
    ...issues.slice(1).map(({ loc: [, ...path], msg }) => `- ${path.length === 0 ? '' : `${path.join('.')}: `}${msg}`),
  );
  if (retry_after_ms !== undefined && !/try again in \d/i.test(message))
    lines.push(`Try again in ${Math.ceil(retry_after_ms / 1000)} s.`);
  const _meta = { code, ...withoutUndefined({ request_id, retry_after_ms }) };
  return { ...textError(lines.join('\n')), _meta };
}

function textError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
