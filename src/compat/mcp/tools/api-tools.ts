/**
 * Published APIs as tools: `api_<stub>`, with the inputs as what it takes and the template as what it returns. Names and
 * descriptions are those of their authors, and models read them: a description begins with who that is, and has no characters
 * that people do not see.
 */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { ApiStub } from '../../../../protocol/index.ts';
import type { Backend, CallableApi } from '../backend.ts';
import { startWithin, type ToolCall } from '../call.ts';
import { apiResult } from '../results.ts';
import { readOrCancel, readsTheWeb } from './tools.ts';

const prefix = 'api_';

/** The tool of an API. */
export function apiTool({ api_stub, version, name, description, owner, takes, returns }: CallableApi): Tool {
  const about = `An API published by ${JSON.stringify(owner)}, version ${version}: ${description ?? name}`;
  const title = visible(name);
  return {
    name: `${prefix}${api_stub}`,
    title,
    description: visible(about),
    inputSchema: JSON.parse(JSON.stringify(takes), visibleDescription),
    outputSchema: returns,
    annotations: { title, ...readsTheWeb },
  } as Tool;
}

/** Control, format and private characters can hide instructions to a model. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}]+/gu, ' ');
}

function visibleDescription(key: string, value: unknown): unknown {
  return key === 'description' && typeof value === 'string' ? visible(value) : value;
}

/** The stub of the API that a tool of this name runs; undefined for other names. */
export function stubOf(tool: string): string | undefined {
  const stub = ApiStub.safeParse(tool.startsWith(prefix) ? tool.slice(prefix.length) : undefined);
  return stub.success ? stub.data : undefined;
}

/** Runs the newest version of an API. Rejects with 404 for an unknown stub, with 422 for inputs that do not match. */
export async function runApiTool(
  backend: Backend,
  api_stub: string,
  inputs: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<CallToolResult> {
  const run = await startWithin(call, (signal) => backend.runApi(api_stub, inputs, signal));
  return apiResult(run.search_id, await readOrCancel(run, call));
}
