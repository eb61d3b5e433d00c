/** The real clients of MCP, in every mode in which they speak to a server: the second SDK in three, and the first one. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

export interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
}

export interface McpClient {
  /** The names of all tools on all pages, and the schemas of their results, which the client then checks. */
  listTools(): Promise<string[]>;
  callTool(
    name: string,
    args?: Record<string, unknown>,
    options?: { readonly onprogress?: (progress: Progress) => void; readonly signal?: AbortSignal },
  ): Promise<ToolResult>;
  /** Any other method of the protocol, by its name in the client. */
  readonly client: Client | FirstClient;
  close(): Promise<void>;
}

/** Where a server is: its address and headers, or the command that starts one. */
export type McpPlace =
  | { readonly url: string; readonly headers: Record<string, string> }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string>; readonly cwd: string };

const info = { name: 'test', version: '1' };
const modes = { legacy: 'legacy', automatic: 'auto', pinned: { pin: '2026-07-28' } } as const;

export const mcpModes = [...Object.keys(modes), 'first SDK'] as (keyof typeof modes | 'first SDK')[];

/** A connected client. */
export async function connectMcp(mode: (typeof mcpModes)[number], place: McpPlace): Promise<McpClient> {
  const client = mode === 'first SDK' ? new FirstClient(info) : new Client(info, negotiate(modes[mode]));
  const transport = mode === 'first SDK' ? firstTransport(place) : secondTransport(place);
  // biome-ignore lint/suspicious/noExplicitAny: the two SDKs have the same calls under types of their own.
  const any = client as any;
  await any.connect(transport);
  return {
    async listTools() {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await any.listTools(cursor === undefined ? undefined : { cursor });
        names.push(...page.tools.map(({ name }: { name: string }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return [...new Set(names)];
    },
    callTool: (name, args = {}, options = {}) =>
      mode === 'first SDK'
        ? any.callTool({ name, arguments: args }, undefined, options)
        : any.callTool({ name, arguments: args }, options),
    client,
    close: () => any.close(),
  };
}

function negotiate(mode: (typeof modes)[keyof typeof modes]) {
  return { versionNegotiation: { mode } };
}

function secondTransport(place: McpPlace) {
  if ('command' in place) return new StdioClientTransport({ ...place, stderr: 'ignore' });
  return new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: place.headers } });
}

function firstTransport(place: McpPlace) {
  if ('command' in place) return new FirstStdioTransport({ ...place, stderr: 'ignore' });
  return new FirstHttpTransport(new URL(place.url), { requestInit: { headers: place.headers } });
}
