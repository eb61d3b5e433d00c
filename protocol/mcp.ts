/** What clients of MCP send and read over HTTP, as far as this server checks it itself: JSON-RPC 2.0, one message a request. */
import * as z from 'zod';

const RequestId = z.union([z.string(), z.int()]);

/** Body of POST /mcp. */
export const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: RequestId.optional().describe('Absent for a notification, which is answered with 202.'),
    method: z.string(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage' });
export type McpMessage = z.infer<typeof McpMessage>;

/** The answer of POST /mcp, as JSON or as the last event of a stream. */
export const McpResponse = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RequestId, result: z.looseObject({}).optional() })
  .meta({ id: 'McpResponse' });
export type McpResponse = z.infer<typeof McpResponse>;

/** Body of every error of POST /mcp. */
export const McpError = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: RequestId.nullable().optional().describe('null if the request could not be read.'),
    error: z.object({
      code: z.int(),
      message: z.string(),
      data: z.unknown().optional().describe("An error of this server's own table is repeated here."),
    }),
  })
  .meta({ id: 'McpError' });
export type McpError = z.infer<typeof McpError>;
