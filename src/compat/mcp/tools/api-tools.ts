/**
 * Published APIs as tools: `api_<stub>`, with the inputs as what it takes and the template as what it returns. Names and
 * descriptions are those of their authors, and models read them: a description begins with who that is, and has no characters
 * that people do not see.
 */
import { createHash } from 'node:crypto';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { ApiStub } from '../../../../protocol/index.ts';
import type { Backend, CallableApi } from '../backend.ts';
import { startWithin, type ToolCall } from '../call.ts';
import { apiResult } from '../results.ts';
import { readOrCancel, readsTheWeb } from './tools.ts';

const prefix = 'api_';
/** Models refuse names of more than 64 characters, and clients put the name of the server before them. */
const maxNameLength = 48;
/** No stub has it, so a shortened name is the name of no other API. */
const beforeHash = '__';
const hashLength = 8;
const shortened = /__[0-9a-f]{8}$/;

/** The tool of an API. */
export function apiTool({ api_stub, version, name, description, owner, takes, returns }: CallableApi): Tool {
  const about = `An API published by ${JSON.stringify(owner)}, version ${version}: ${description ?? name}`;
  const title = visible(name);
  return {
    name: toolName(api_stub),
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

/** The beginning of a long stub, and a hash. */
function toolName(api_stub: string): string {
  const whole = `${prefix}${api_stub}`;
  if (whole.length <= maxNameLength) return whole;
  const hash = createHash('sha256').update(api_stub).digest('hex').slice(0, hashLength);
  const beginning = whole.slice(0, maxNameLength - beforeHash.length - hashLength).replace(/[-_]+$/, '');
  return `${beginning}${beforeHash}${hash}`;
}

/**
 * The stub of the API that a tool of this name runs; undefined for other names. A shortened name is looked up in the list, since it
 * does not say the stub.
 */
export async function stubOf(backend: Backend, tool: string, signal: AbortSignal): Promise<string | undefined> {
  if (!tool.startsWith(prefix)) return undefined;
  const stub = ApiStub.safeParse(tool.slice(prefix.length));
  if (stub.success) return stub.data;
  if (!shortened.test(tool)) return undefined;
  let cursor: string | undefined;
  do {
    const page = await backend.apis(cursor, signal);
    const found = page.items.find(({ api_stub }) => toolName(api_stub) === tool);
    if (found !== undefined) return found.api_stub;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return undefined;
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
