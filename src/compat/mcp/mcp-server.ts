/**
 * An MCP server for one caller: the tools, resources and the prompt over a backend, for whatever carries its messages. Both
 * eras of the protocol are served by the same handlers. An error of a tool is its result, so that the model sees it; only
 * requests that the protocol itself refuses are errors of the protocol.
 */
import {
  type CallToolResult,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AppError, asAppError, type OnFault } from '../../base/errors.ts';
import { version } from '../../base/own-package.ts';
import type { Backend } from './backend.ts';
import { beginCall, maxCallMs, type ToolCall } from './call.ts';
import { getPrompt, prompts } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { errorResult } from './results.ts';
import { apiTool, runApiTool, stubOf } from './tools/api-tools.ts';
import { builtInTools } from './tools/tools.ts';

export interface McpServerOptions {
  readonly backend: Backend;
  /** The id of the HTTP request, or of the connection; shown in errors. */
  readonly request_id: string;
  readonly onFault: OnFault;
  /** Maximum duration of a call; 45 s by default. */
  readonly maxMs?: number;
}

const serverInfo = { name: 'citewire', title: 'Citewire', version };

const instructions =
  'Citewire researches questions and answers with citations whose quotes were checked. Use answer for a question, ' +
  'research_start and research_result for what takes longer, search and fetch for sources alone. The quote of a citation ' +
  'is found in its snapshot, which fetch returns, between source_start and source_end.';

const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };

/** Lists depend on the key, so shared caches must not keep them. */
const cacheHints = { 'tools/list': { ttlMs: 0, cacheScope: 'private' } } as const;

/** The server's own is for elicitation, which is not used, and takes as long to create as a request to answer. */
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('expected no elicitation');
  },
};

/** A server that is not connected yet. */
export function createMcpServer({ backend, request_id, onFault, maxMs = maxCallMs }: McpServerOptions): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    cacheHints,
    jsonSchemaValidator: noValidator,
  });
  const tools = builtInTools.filter(({ scope }) => scope === undefined || backend.scopes.has(scope));

  /** An AppError as an error of the protocol; everything else is a fault. */
  function protocolError(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    const shown = asAppError(error);
    if (shown.code === 'internal') onFault(error, request_id);
    const code = shown.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    const { retry_after_ms } = shown.details;
    const data = { code: shown.code, request_id, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) };
    return new ProtocolError(code, shown.message, data);
  }

  const refusing =
    <Request, Result>(handle: (request: Request, ctx: ServerContext) => Promise<Result>) =>
    (request: Request, ctx: ServerContext): Promise<Result> =>
      handle(request, ctx).catch((error) => {
        // Nobody is waiting for the result now.
        throw ctx.mcpReq.signal.aborted ? error : protocolError(error);
      });

  async function callTool(name: string, input: Record<string, unknown>, call: ToolCall): Promise<CallToolResult> {
    const stub = await stubOf(backend, name, call.signal);
    if (stub !== undefined) return runApiTool(backend, stub, input, call);
    const tool = builtInTools.find((each) => each.tool.name === name);
    if (tool !== undefined) return tool.run(backend, input, call);
    const shown = JSON.stringify(name.slice(0, 100));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown}.`);
  }

  server.setRequestHandler(
    'tools/list',
    refusing(async ({ params }, ctx) => {
      const { cursor } = params ?? {};
      const own = cursor === undefined ? tools.map(({ tool }) => tool) : [];
      if (!backend.scopes.has('run')) return { tools: own };
      const { items, cursor: nextCursor } = await backend.apis(cursor, ctx.mcpReq.signal);
      return { tools: [...own, ...items.map(apiTool)], ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const call = beginCall(ctx.mcpReq.signal, createProgress(ctx), maxMs);
    try {
      return await callTool(params.name, params.arguments ?? {}, call);
    } catch (error) {
      // Nobody is waiting for the result now.
      if (error instanceof ProtocolError || call.signal.aborted) throw error;
      const shown = asAppError(isOfDeadline(error, call) ? tooLate(maxMs) : error);
      if (shown.code === 'internal') onFault(error, request_id);
      return errorResult(shown, request_id);
    }
  });

  server.setRequestHandler(
    'resources/list',
    refusing(async (_, ctx) => ({ resources: await listResources(backend, ctx.mcpReq.signal) })),
  );
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler(
    'resources/read',
    refusing(async ({ params: { uri } }, ctx) => {
      const found = await readResource(backend, uri, ctx.mcpReq.signal).catch((error) => {
        if (error instanceof AppError && error.code === 'not_found') return undefined;
        throw error;
      });
      if (found === undefined) throw new ResourceNotFoundError(uri);
      return found;
    }),
  );

  server.setRequestHandler('prompts/list', async () => ({ prompts: [...prompts] }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const found = getPrompt(params.name, params.arguments ?? {});
    if (found !== undefined) return found;
    const message = `Expected the prompt ${prompts[0]?.name} with a question; got ${JSON.stringify(params.name.slice(0, 100))}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  return server;
}

/** Sends notifications that count up, to a client that sent a token. */
function createProgress({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that has left is noticed by the signal.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {});
  };
}

/** What was waited for rejects with the signal's reason, or with an error of its own about it. */
function isOfDeadline(error: unknown, call: ToolCall): boolean {
  return call.deadline.aborted && !(error instanceof AppError);
}

function tooLate(maxMs: number): AppError {
  return new AppError('timeout', `Expected an answer within ${maxMs / 1000} s; got none.`);
}
